import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { CommandError } from "../../../command/run.ts";
import { copyFolder, workspaceOf } from "../../../rehearse/folder/copy.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "kcloud-copy-"));
});
afterEach(() => rm(root, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

const copy = (more: object = {}) =>
  copyFolder({ root, folder: "", state: "{}", workspace: "default", ...more });

test("nothing that leads to the real state is copied, and the given state is that of the copy", async () => {
  await write({
    ...{ "main.tf": "", "terraform.tfvars": "a = 1", "modules/m/main.tf": "" },
    ...{ "terraform.tfstate": "real", "terraform.tfstate.backup": "real", "old.tfstate.1.backup": "real" },
    ...{ ".terraform/terraform.tfstate": "real", ".terraform/environment": "prod", ".git/config": "" },
    ".terraform/providers/registry.terraform.io/x": "binary",
  });
  const { path, reset, remove } = copy();
  expect(existsSync(join(path, "terraform.tfstate"))).toBe(false);
  reset();
  expect((await readdir(path, { recursive: true })).toSorted()).toEqual(
    [
      ...[".terraform", ".terraform/providers", ".terraform/providers/registry.terraform.io"],
      ...[
        ".terraform/providers/registry.terraform.io/x",
        "kcloud_rehearsal_override.tf",
        "main.tf",
        "modules",
      ],
      ...["modules/m", "modules/m/main.tf", "terraform.tfstate", "terraform.tfvars"],
    ].toSorted(),
  );
  expect(await readFile(join(path, "terraform.tfstate"), "utf8")).toBe("{}");
  expect((await stat(join(path, "terraform.tfstate"))).mode & 0o777).toBe(0o600);
  remove();
  expect(existsSync(path)).toBe(false);
});

test("the backend is a file of the copy, whatever the configuration says", async () => {
  await write({ "main.tf": 'terraform {\n  backend "http" {\n    address = "https://real"\n  }\n}\n' });
  const { path, remove } = copy();
  const override = await readFile(join(path, "kcloud_rehearsal_override.tf"), "utf8");
  remove();
  expect(override).toBe('terraform {\n  backend "local" {}\n}\n');
});

test("the state of a workspace is where its engine looks for it", async () => {
  await write({ "main.tf": "", ".terraform/environment": "prod\n" });
  expect([workspaceOf(root, {}), workspaceOf(root, { TF_WORKSPACE: "b" }), workspaceOf("/none", {})]).toEqual(
    [...["prod", "b", "default"]],
  );
  const { path, reset, remove } = copy({ workspace: "prod" });
  reset();
  expect(await readFile(join(path, "terraform.tfstate.d/prod/terraform.tfstate"), "utf8")).toBe("{}");
  remove();
});

test("a copy that fails leaves nothing behind", async () => {
  const before = (await readdir(tmpdir())).filter((name) => name.startsWith("kcloud-rehearsal-"));
  expect(() => copy({ root: join(root, "none") })).toThrow("ENOENT");
  expect((await readdir(tmpdir())).filter((name) => name.startsWith("kcloud-rehearsal-"))).toEqual(before);
});

test("a data source reads the given outputs, with an override beside its configuration", async () => {
  await write({ "main.tf": "", "m/main.tf": "" });
  const remoteStates = [{ name: "net", folder: join(root, "m"), state: '{"outputs":{}}' }];
  const { path, engineFolder, remove } = copy({ remoteStates });
  const override = await readFile(join(path, "m/kcloud_rehearsal_override.tf"), "utf8");
  const given = join(engineFolder, "net.tfstate");
  expect(override).toContain(`data "terraform_remote_state" "net" {\n  backend   = "local"`);
  expect(override).toContain(JSON.stringify(given));
  expect(await readFile(given, "utf8")).toBe('{"outputs":{}}');
  remove();
});

test("a file of the copy that a program has replaced by something else is neither read nor written", async () => {
  await write({ "main.tf": "", "outside/state": "secret" });
  const { path, state, own, reset, remove } = copy();
  reset();
  expect([own(state), own(join(path, "none"))]).toEqual([state, join(path, "none")]);
  await symlink("main.tf", join(path, "inner"));
  expect(own(join(path, "inner"))).toBe(join(path, "inner"));
  await symlink(join(root, "outside"), join(path, "folder"));
  for (const name of ["state", "none"]) expect(() => own(join(path, "folder", name))).toThrow(CommandError);
  spawnSync("mkfifo", [join(path, "pipe")]);
  expect(() => own(join(path, "pipe"))).toThrow("a program of the rehearsal has replaced root/");
  for (const target of ["outside/state", "outside/none"]) {
    await rm(state);
    await symlink(join(root, target), state);
    expect(reset).toThrow("terraform.tfstate of its copy");
  }
  remove();
  expect([await readFile(join(root, "outside/state"), "utf8"), await readdir(join(root, "outside"))]).toEqual(
    [...["secret", ["state"]]],
  );
});
