import { spawnSync } from "node:child_process";
import {
  chmod,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { programs } from "../../support/engine/built.ts";
import { openSite } from "../../support/engine/open-site.ts";
import { succeed } from "../../support/engine/terraform.ts";
import { confinedCommand } from "../isolation/confined.ts";
import { applied, classes, head, network, rehearse, write } from "../run.ts";
import { appliedProgram, exported, network as programNetwork, rehearseProgram } from "../run-program.ts";

/** Programs of a rehearsal are confined to the emulator, and end with a signal or at the time limit. */

const terraform = await ensureEngine("terraform");
const pulumi = await ensureEngine("pulumi-yaml");
const site = openSite();
let canIsolate = false;
beforeAll(() => {
  canIsolate = confinedCommand() !== undefined;
});

test("addresses and credentials of the folder and of the environment reach nobody", async () => {
  let connections = 0;
  const server = createServer((_, response) => {
    connections += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const folder = await applied(site, terraform, network);
    const providers = `provider "kcloud" {
  base_url = "${url()}"
  email    = "canary-1@example.com"
  password = "canary-2"
}
provider "kcloud" {
  alias    = "second"
  base_url = "${url()}"
  api_key  = "canary-3"
}
`;
    await write(
      folder,
      `${network}${providers}`.replace('name   = "a"', 'name   = "b"\n  provider = kcloud.second'),
    );
    const { code, stdout, stderr, rehearsal } = await rehearse(site, terraform, folder, {
      isConfined: false,
      environment: {
        ...{ SERVICE_BASE_URL: url(), SERVICE_API_KEY: "canary-4", HTTPS_PROXY: url(), HTTP_PROXY: url() },
        ...{ TF_HTTP_ADDRESS: url(), AWS_SECRET_ACCESS_KEY: "canary-5" },
      },
    });
    expect([code, classes(rehearsal)["subnet.a"], stderr]).toEqual([0, "replaced", ""]);
    expect(`${stdout}${JSON.stringify(rehearsal)}`).not.toContain("canary");
    expect(connections).toBe(0);
  } finally {
    server.close();
  }
});

test("a module with an address and a key of its own uses the emulator, too", async () => {
  const folder = await applied(site, terraform, network);
  const inner = `${head}provider "kcloud" {\n  base_url = "${site.url}"\n  api_key  = "canary-6"\n}\nresource "kcloud_ssh_key" "k" {\n  name = "k"\n  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f demo"\n}\n`;
  await writeFile(join(folder.path, "inner.tf"), 'module "inner" {\n  source = "./inner"\n}\n');
  await mkdir(join(folder.path, "inner"));
  await writeFile(join(folder.path, "inner/main.tf"), inner);
  const { code, stderr, rehearsal } = await rehearse(site, terraform, folder, { isConfined: false });
  expect([code, stderr]).toEqual([0, ""]);
  expect(classes(rehearsal)["module.inner.ssh_key.k"]).toBe("created");
});

test("an allowed command has no network where the system can confine it, and the report says if it has one", async () => {
  let connections = 0;
  const server = createServer((_, response) => {
    connections += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  try {
    const folder = await applied(site, terraform, network);
    const { port } = server.address() as AddressInfo;
    const script = `fetch('http://127.0.0.1:${port}').catch(() => {})`;
    const command = `${process.execPath} -e \\"${script}\\"`;
    await write(
      folder,
      `${network}resource "terraform_data" "x" {\n  provisioner "local-exec" {\n    command = "${command}"\n  }\n}\n`,
    );
    const open = await rehearse(site, terraform, folder, { args: ["--allow-commands"], isConfined: false });
    expect([open.code, connections]).toEqual([0, 1]);
    expect(open.stdout.split("\n")[0]).toContain(
      "programs have the network, files and processes of this machine",
    );
    const confined = await rehearse(site, terraform, folder, { args: ["--allow-commands"] });
    expect([confined.code, connections]).toEqual([0, confined.rehearsal.unconfined === undefined ? 1 : 2]);
    expect(confined.rehearsal.unconfined === undefined).toBe(canIsolate);
  } finally {
    server.close();
  }
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "after %s, the engine ends and the copy is removed",
  async (signal) => {
    const folder = await applied(site, terraform, network);
    const slow =
      'resource "terraform_data" "slow" {\n  provisioner "local-exec" {\n    command = "touch ${path.root}/started && sleep 60"\n  }\n}\n';
    await write(folder, `${network}${slow}`);
    const interrupted = await rehearse(site, terraform, folder, { args: ["--allow-commands"], signal });
    expect([interrupted.code, interrupted.stderr]).toEqual([
      signal === "SIGINT" ? 130 : 143,
      "kcloud rehearse: interrupted; nothing but the copy was changed, and it is removed\n",
    ]);
  },
);

test("an engine that does not end is stopped at the time limit, and the report says so", async () => {
  const folder = await applied(site, terraform, network);
  const slow = `resource "terraform_data" "slow" {
  provisioner "local-exec" {
    command = "sleep 60"
  }
}
`;
  await write(folder, `${network}${slow}`);
  const { code, rehearsal } = await rehearse(site, terraform, folder, {
    args: ["--allow-commands", "--time-limit", "10"],
  });
  expect([code, rehearsal.isComplete]).toEqual([3, false]);
  expect(rehearsal.errors).toEqual([
    { text: "The apply did not end within the time limit, and was stopped." },
  ]);
  expect(classes(rehearsal)["terraform_data.slow"]).toBe("failed");
});

const emptyState =
  '{"version":4,"terraform_version":"1.5.0","serial":1,"lineage":"l","outputs":{},"resources":[]}';

/** Files and processes of the user that no configuration may read, by computed paths, and the words in them. */
async function canaries(): Promise<{
  readonly paths: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}> {
  const outside = join(site.path, "canary-file");
  const profiles = join(site.path, ".config/kcloud/profiles.json");
  await mkdir(dirname(profiles), { recursive: true });
  for (const path of [outside, profiles]) await writeFile(path, "canary-of-a-file");
  const environment = { CANARY: "canary-of-a-process" };
  const test = [`/proc/${process.pid}/environ`, `/proc/${process.ppid}/environ`];
  return { paths: [outside, profiles, ...test], environment };
}

const words = (text: string) => [...new Set(text.match(/canary-of-a-\w+/g))].toSorted();

test("a configuration reads no file of the user, and no variable of another process, by a computed path", async () => {
  const { paths, environment } = await canaries();
  const folder = await site.open(terraform);
  const computed = (path: string) => `join("/", ${JSON.stringify(path.split("/"))})`;
  const ways = ["file(local.path)", "templatefile(local.path, {})", "templatestring(file(local.path), {})"];
  const outputs = paths.flatMap((path, index) =>
    ways.map(
      (way, at) =>
        `output "o${index}_${at}" {\n  value = try(${way.replace("local.path", computed(path))}, "none")\n}\n`,
    ),
  );
  const processes = `output "processes" {
  value = [for path in try(fileset(${computed("/proc")}, "*/environ"), []) :
    try(regexall("canary-of-a-process", replace(file(join("/", ["", "proc", path])), "/[^ -~]/", " ")), [])]
}
`;
  await write(folder, processes + outputs.join(""));
  await succeed(folder, ["init"]);
  const state = join(site.path, "state.json");
  await writeFile(state, emptyState);
  const plan = async (isConfined: boolean) => {
    const args = ["--until", "plan"];
    const { code, rehearsal, stderr } = await rehearse(site, terraform, folder, {
      ...{ args, state, environment, isConfined },
    });
    expect([code, stderr]).toEqual([0, ""]);
    return words(JSON.stringify(rehearsal));
  };
  expect(await plan(false)).toEqual(["canary-of-a-file", "canary-of-a-process"]);
  expect(await plan(true)).toEqual(canIsolate ? [] : ["canary-of-a-file", "canary-of-a-process"]);
});

test("a program of Pulumi reads no file of the user and no other process, and changes only its copy", async () => {
  const { paths, environment } = await canaries();
  const project = await appliedProgram(site, pulumi, programNetwork);
  const state = await exported(project);
  const packages = join(project.path, "node_modules");
  const program = `const fs = require("node:fs");
const { spawnSync } = require("node:child_process");
const read = (path) => { try { return fs.readFileSync(path, "latin1"); } catch ({ code }) { return code; } };
const written = (path) => { try { fs.writeFileSync(path, "x"); return path; } catch { return "refused"; } };
const processes = fs.readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name) && name !== String(process.pid));
const seen = [...${JSON.stringify(paths)}, ...processes.map((id) => "/proc/" + id + "/environ")].map(read).join(" ");
const undone = spawnSync("sh", ["-c", "unshare -Urm sh -c 'umount -l /proc /usr/share; cat ${paths.join(" ")}'"], { encoding: "utf8" });
const files = [${JSON.stringify(join(packages, "@kcloud/changed"))}, "/usr/share/changed"].map(written);
throw new Error(JSON.stringify({ words: (seen + undone.stdout).match(/canary-of-a-[a-z]+/g), files }));
`;
  await project.program(program);
  const { code, stderr } = await rehearseProgram(site, pulumi, project, { state, environment });
  expect(code).toBe(1);
  if (!canIsolate) return expect(words(stderr)).toEqual(["canary-of-a-file", "canary-of-a-process"]);
  expect(stderr).toContain('{"words":null,"files":["refused","refused"]}');
});

test("a program of Pulumi that replaces a file of its copy by a link does not make the command read another file", async () => {
  const { paths } = await canaries();
  const project = await appliedProgram(site, pulumi, programNetwork);
  const state = await exported(project);
  await project.program(`const fs = require("node:fs");
const { dirname, join } = require("node:path");
const folder = dirname(process.env.PULUMI_HOME);
for (const name of fs.readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
  fs.rmSync(join(folder, name));
  fs.symlinkSync(${JSON.stringify(paths[0])}, join(folder, name));
}
${programNetwork}`);
  const { code, stderr } = await rehearseProgram(site, pulumi, project, { state });
  expect([code, stderr]).toEqual([
    1,
    "kcloud rehearse: a program of the rehearsal has replaced first.jsonl of its copy\n",
  ]);
});

test("a program of Pulumi in YAML reads no file of the user by a computed path", async () => {
  const { paths } = await canaries();
  const folder = await site.folder();
  const programOf = (path: string) => `name: y
runtime: yaml
variables:
  path:
    fn::join: ["/", ${JSON.stringify(path.split("/"))}]
  text:
    fn::readFile: \${path}
resources:
  net:
    type: kcloud:Vpc
    properties:
      name: \${text}
`;
  const state = join(site.path, "export.json");
  const deployment = { manifest: { time: "0001-01-01T00:00:00Z", magic: "", version: "" }, resources: [] };
  await writeFile(state, JSON.stringify({ version: 3, deployment }));
  const plan = async (path: string) => {
    await writeFile(join(folder, "Pulumi.yaml"), programOf(path));
    const args = ["--stack", "dev", "--until", "plan"];
    const { code, stderr, rehearsal } = await rehearseProgram(
      site,
      pulumi,
      { path: folder },
      { state, args },
    );
    return { code, stderr, words: words(`${stderr}${JSON.stringify(rehearsal)}`) };
  };
  await mkdir(join(folder, "inner"));
  await writeFile(join(folder, "inner/file"), "canary-of-a-folder");
  expect(await plan("inner/file")).toEqual({ code: 0, stderr: "", words: ["canary-of-a-folder"] });
  const [path = ""] = paths;
  expect(await plan(path)).toEqual(
    canIsolate
      ? { code: 1, stderr: expect.stringContaining("no such file"), words: [] }
      : { code: 0, stderr: "", words: ["canary-of-a-file"] },
  );
});

/** The user of the tests, and one without rights if the tests run as root. */
const users =
  process.getuid?.() === 0 ? [[], ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]] : [[]];

test.each(users.map((user) => [user.length === 0 ? "the user" : "a user without rights", user] as const))(
  "as %s: project, package, engine and Node are in a home folder of which nothing else is seen",
  async (_, user) => {
    const home = await mkdtemp(join(tmpdir(), "kcloud-home-"));
    try {
      const file = async (path: string, text: string) => {
        await mkdir(dirname(join(home, path)), { recursive: true });
        await writeFile(join(home, path), text);
      };
      const same = async (source: string, path: string) => {
        await mkdir(dirname(join(home, path)), { recursive: true });
        await link(source, join(home, path)).catch(() => copyFile(source, join(home, path)));
      };
      const [from, installed] = [join(programs, ".."), "project/node_modules/@kcloud/iac"];
      for (const name of await readdir(programs))
        if ((await stat(join(programs, name))).isFile())
          await same(join(programs, name), `${installed}/dist/${name}`);
      await same(join(from, "package.json"), `${installed}/package.json`);
      await same(process.execPath, ".nvm/versions/node/v1/bin/node");
      await same(terraform.path, ".tools/1/terraform");
      await file(".config/kcloud/profiles.json", "canary-of-a-file");
      await file("project/state.json", emptyState);
      const read = `try(file(join("/", ${JSON.stringify(`${home}/.config/kcloud/profiles.json`.split("/"))})), "none")`;
      const names = `length(fileset(join("/", ${JSON.stringify(home.split("/"))}), "**"))`;
      const configuration = `resource "kcloud_vpc" "net" {\n  name = "net"\n}\noutput "seen" {\n  value = "\${${read}} \${${names} > 0}"\n}\n`;
      await file("project/infra/main.tf", head + configuration);
      await mkdir(join(home, ".local/bin"), { recursive: true });
      await symlink("../../.tools/1/terraform", join(home, ".local/bin/terraform"));
      await mkdir(join(home, "temporary"));
      // Another user can read the folders, and write the temporary one.
      for (const path of [home, join(home, "temporary")]) await chmod(path, 0o777);
      const node = join(home, ".nvm/versions/node/v1/bin");
      const run = (...args: readonly string[]) => {
        const kcloud = [
          join(node, "node"),
          join(home, installed, "dist/kcloud"),
          "rehearse",
          join(home, "project/infra"),
        ];
        const all = ["--state", join(home, "project/state.json"), ...args];
        const [program = "", ...rest] = [...user, ...kcloud, ...all];
        const env = { PATH: [node, join(home, ".local/bin"), process.env.PATH].join(delimiter), HOME: home };
        return spawnSync(program, rest, {
          encoding: "utf8",
          env: { ...env, TMPDIR: join(home, "temporary") },
        });
      };
      const out = join(home, "temporary/plan.json");
      const planned = run("--until", "plan", "--out", out);
      expect([planned.status, planned.stderr]).toEqual([0, ""]);
      const { planned_values: values } = JSON.parse(await readFile(out, "utf8"));
      expect(values.outputs.seen.value).toBe(canIsolate ? "none true" : "canary-of-a-file true");
      const rehearsed = run(...(canIsolate ? ["--require-isolation"] : []));
      expect([rehearsed.status, rehearsed.stderr]).toEqual([0, ""]);
      expect(rehearsed.stdout).toMatch(/^The change applies, and a second plan is empty\./);
    } finally {
      await rm(home, { recursive: true });
    }
  },
);
