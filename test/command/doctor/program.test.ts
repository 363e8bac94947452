import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { pulumiPlugin } from "../../../command/doctor/program.ts";
import manifest from "../../../package.json" with { type: "json" };
import { about, doctor, home, root, script, setUp } from "./setup.ts";

test("the finding of an engine that fails or does not end has the reason", async () => {
  script("terraform", "echo 'Starting' >&2; echo 'no licence' >&2; exit 3");
  script("tofu", "exec /bin/sleep 60");
  script("pulumi", "echo nothing");
  const ran = await doctor(await setUp(), "--timeout", "2");
  expect(ran.code).toBe(1);
  expect(about(ran, "terraform ").slice(0, 2)).toEqual([
    "FAILED terraform ROOT/bin/terraform fails (3): no licence",
    "Install terraform again, or remove it from PATH.",
  ]);
  expect(about(ran, "tofu")[0]).toBe("FAILED tofu ROOT/bin/tofu does not end within 2 s");
  expect(about(ran, "pulumi ")[0]).toBe("FAILED pulumi ROOT/bin/pulumi shows no version");
});

test("beside an engine that works, one that fails is a note", async () => {
  script("terraform", "exit 3");
  const ran = await doctor(await setUp());
  expect([ran.code, about(ran, "terraform ")[0]]).toEqual([0, "note terraform ROOT/bin/terraform fails (3)"]);
});

test("plugins are found where engines look for them, and another version is a note", async () => {
  const { version } = manifest;
  script("pulumi", "echo v3.259.0");
  const platform = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
  const provider = join(root, "mirror/registry.terraform.io/kcloud/kcloud");
  mkdirSync(join(provider, "0.0.9", platform), { recursive: true });
  mkdirSync(join(home, ".pulumi/plugins", "resource-kcloud-v0.0.9"), { recursive: true });
  const mirror = JSON.stringify(join(root, "mirror"));
  const block = `provider_installation {\n  filesystem_mirror {\n    path = ${mirror}\n  }\n}\n`;
  writeFileSync(join(home, ".tofurc"), block);
  const environment = await setUp();
  const other = await doctor(environment);
  expect([other.code, about(other, "terraform plugin")]).toEqual([
    0,
    [
      `note terraform plugin 0.0.9, ROOT/mirror; this command is ${version}`,
      `kcloud install terraform --write installs ${version}.`,
    ],
  ]);
  writeFileSync(join(provider, `terraform-provider-kcloud_${version}_${platform}.zip`), "");
  mkdirSync(join(home, ".pulumi/plugins", `resource-kcloud-v${version}`));
  const same = await doctor(environment);
  expect(about(same, "terraform plugin")).toEqual([`ok terraform plugin ${version}, ROOT/mirror`]);
  expect(about(same, "pulumi plugin")).toEqual([`ok pulumi plugin ${version}, ROOT/home/.pulumi/plugins`]);
});

test("the plugin of the package counts for a program that names its path", () => {
  const { version } = manifest;
  mkdirSync(join(root, "dist"));
  writeFileSync(join(root, "dist/pulumi-resource-kcloud"), "");
  const { platform, arch } = process;
  const program = join(root, "dist/kcloud");
  const machine = { environment: { HOME: home }, platform, arch, program, executable: undefined };
  const finding = (definition: string) => {
    writeFileSync(join(home, "Pulumi.yaml"), `name: shop\n${definition}\n`);
    return pulumiPlugin({ machine, folder: home, version, limit: 1 });
  };
  expect(finding("plugins: { providers: [] }")).toMatchObject({
    status: "ok",
    text: `${version}, ${join(root, "dist")}, for the path in Pulumi.yaml`,
  });
  expect(finding(`packages: { kcloud: kcloud@${version} } # no plugins`)).toMatchObject({
    status: "note",
    text: `${join(home, ".pulumi/plugins")} has no plugin of kcloud`,
    remedy: `kcloud install pulumi installs ${version}.`,
  });
});
