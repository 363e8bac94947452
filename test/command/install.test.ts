import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { UsageError } from "../../command/argument.ts";
import type { Machine } from "../../command/install/machine.ts";
import { install } from "../../command/install/main.ts";
import { CommandError } from "../../command/run.ts";
import manifest from "../../package.json" with { type: "json" };

/** Tests the files that `kcloud install` writes to a home folder, and its errors. */

const { version } = manifest;

let root: string;
let home: string;
let machine: Machine;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kcloud-install-")));
  home = join(root, "home");
  const dist = join(root, "dist");
  for (const folder of [home, dist]) mkdirSync(folder);
  writeFileSync(join(dist, "terraform-provider-kcloud"), "the program");
  writeFileSync(join(dist, "kcloud-terraform.cache"), "the cache");
  writeFileSync(join(dist, "package.json"), "{}");
  machine = {
    environment: { HOME: home },
    platform: "linux",
    arch: "x64",
    program: join(dist, "kcloud"),
    executable: undefined,
  };
});

afterEach(() => rmSync(root, { recursive: true }));

const mirror = () => join(home, ".kcloud/mirror");
const provider = () => join(mirror(), "registry.terraform.io/kcloud/kcloud");

const block = (path = mirror()) => `provider_installation {
  filesystem_mirror {
    path    = "${path}"
    include = ["registry.terraform.io/kcloud/*"]
  }
  direct {
    exclude = ["registry.terraform.io/kcloud/*"]
  }
}
`;
const mark = "# Written by `kcloud install terraform`.\n";

const run = (...args: readonly string[]) => install(["terraform", ...args], machine);
const at = (name: string) => join(home, name);
const read = (name: string) => readFileSync(at(name), "utf8");
function write(name: string, text: string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
}

test("install fills the mirror for all platforms of the package, prints the block, and edits no file", () => {
  const all = ["linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"];
  expect(run()).toBe(
    `${mirror()} has the provider ${version} for ${all.join(", ")}.\n\nAdd this block to ${at(".terraformrc")}, or run again with --write:\n\n${block()}`,
  );
  expect(readdirSync(home)).toEqual([".kcloud"]);
  expect(readdirSync(join(provider(), version)).toSorted()).toEqual(all.toSorted());
  for (const platform of all) {
    const folder = join(provider(), version, platform);
    expect(readdirSync(folder).toSorted()).toEqual([
      "kcloud-terraform.cache",
      "package.json",
      `terraform-provider-kcloud_v${version}`,
    ]);
    expect(statSync(join(folder, `terraform-provider-kcloud_v${version}`)).mode & 0o777).toBe(0o755);
  }
});

test("--platform and --mirror select the installed files; a second run replaces the program", () => {
  const other = join(root, "other");
  const args = ["--platform", "linux_arm64", "--platform=linux_arm64", "--mirror", other];
  expect(run(...args)).toContain(`${other} has the provider ${version} for linux_arm64.\n`);
  const file = join(other, "registry.terraform.io/kcloud/kcloud", version, "linux_arm64");
  writeFileSync(join(root, "dist/terraform-provider-kcloud"), "a new program");
  rmSync(join(root, "dist/kcloud-terraform.cache"));
  expect(run(...args, "--platform", "darwin_arm64")).toContain("for linux_arm64, darwin_arm64.\n");
  expect(readFileSync(join(file, `terraform-provider-kcloud_v${version}`), "utf8")).toBe("a new program");
  expect(existsSync(mirror())).toBe(false);
});

test("--write creates ~/.terraformrc, which OpenTofu reads too, and changes nothing the second time", () => {
  expect(run("--write")).toMatch(new RegExp(`\\n${at(".terraformrc")} was created\\.\\n$`));
  expect(read(".terraformrc")).toBe(`${mark}${block()}`);
  expect(run("--write")).toMatch(new RegExp(`\\n${at(".terraformrc")} has the block already\\.\\n$`));
  expect(readdirSync(home).toSorted()).toEqual([".kcloud", ".terraformrc"]);
});

test("--write keeps the rest of a file, its mode and its link, and creates a backup", () => {
  const before =
    'plugin_cache_dir = "/cache" # provider_installation\n// provider_installation {\n/*\nprovider_installation */\ncredentials "provider_installation" {}';
  write("dotfiles/terraformrc", before);
  chmodSync(at("dotfiles/terraformrc"), 0o600);
  symlinkSync(at("dotfiles/terraformrc"), at(".terraformrc"));
  expect(run("--write")).toContain(
    `${at(".terraformrc")} has the block. Backup of the file: ${at(".terraformrc.backup")}\n`,
  );
  expect(read("dotfiles/terraformrc")).toBe(`${before}\n\n${mark}${block()}`);
  expect(statSync(at("dotfiles/terraformrc")).mode & 0o777).toBe(0o600);
  expect(read(".terraformrc.backup")).toBe(before);
});

test("--write with another mirror replaces the block of an earlier run, and keeps every backup", () => {
  write(".terraformrc", 'plugin_cache_dir = "/cache"\n');
  run("--write");
  const other = join(root, "other");
  expect(run("--write", "--mirror", other)).toContain(`Backup of the file: ${at(".terraformrc.backup-2")}\n`);
  expect(read(".terraformrc")).toBe(`plugin_cache_dir = "/cache"\n\n${mark}${block(other)}`);
  expect(read(".terraformrc.backup")).toBe('plugin_cache_dir = "/cache"\n');
});

test("--write adds the block to an existing ~/.tofurc too, since OpenTofu then reads no other file", () => {
  write(".tofurc", "disable_checkpoint = true\n");
  expect(run()).toContain(`Add this block to ${at(".terraformrc")} and to ${at(".tofurc")}, or`);
  expect(run("--write")).toContain(
    `${at(".terraformrc")} was created.\n${at(".tofurc")} has the block. Backup of the file: ${at(".tofurc.backup")}\n`,
  );
  expect(read(".tofurc")).toBe(`disable_checkpoint = true\n\n${mark}${block()}`);
});

test.each(["TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"])("--write edits only the file that %s names", (name) => {
  write(".tofurc", "");
  machine.environment[name] = at("engine.rc");
  expect(run("--write")).toContain(`${at("engine.rc")} was created.\n`);
  expect(read("engine.rc")).toBe(`${mark}${block()}`);
  expect([existsSync(at(".terraformrc")), read(".tofurc")]).toEqual([false, ""]);
});

test.each([
  [".terraformrc", 'provider_installation {\n  dev_overrides {\n    "a/b" = "/c"\n  }\n  direct {}\n}\n'],
  [".terraformrc", '{"provider_installation": [{"direct": {}}]}'],
  [".terraform.d/own.tfrc", "provider_installation {\n  direct {}\n}\n"],
])("--write rejects %s with the block of another tool, and changes nothing: %j", (name, text) => {
  write(name, text);
  expect(() => run("--write")).toThrow(
    new CommandError(
      `${at(name)} has a provider_installation block, and engines allow one: add the parts of this block to it, then run again without --write\n\n${block().trimEnd()}`,
    ),
  );
  expect(read(name)).toBe(text);
  expect([existsSync(mirror()), existsSync(at(".terraformrc.backup"))]).toEqual([false, false]);
});

test("--write rejects a configuration in JSON", () => {
  write(".terraformrc", '{"disable_checkpoint": true}');
  expect(() => run("--write")).toThrow(
    new CommandError(
      `${at(".terraformrc")} is JSON: add this block to it in JSON, then run again without --write\n\n${block().trimEnd()}`,
    ),
  );
});

test("--write creates no file that would make OpenTofu ignore another one", () => {
  const hidden = at(".config/opentofu/tofurc");
  write(".config/opentofu/tofurc", "disable_checkpoint = true\n");
  machine.environment.XDG_CONFIG_HOME = at(".config");
  expect(() => run("--write")).toThrow(
    new CommandError(
      `OpenTofu would no longer read ${hidden} once ${at(".terraformrc")} exists: set TF_CLI_CONFIG_FILE=${hidden} for both engines, then run again`,
    ),
  );
});

test("on Windows the error names the archive of the release and its folder; other platforms can be installed", () => {
  machine = {
    ...machine,
    platform: "win32",
    environment: { USERPROFILE: home, APPDATA: join(home, "AppData") },
  };
  const problem = `the program of the npm package does not run on windows_amd64: put terraform-provider-kcloud_${version}_windows_amd64.zip of the release into ${provider()}`;
  expect(() => run()).toThrow(new CommandError(problem));
  expect(existsSync(mirror())).toBe(false);
  expect(run("--platform", "linux_amd64")).toContain(
    `Add this block to ${join(home, "AppData/terraform.rc")}, or`,
  );
  machine = { ...machine, platform: "linux" };
  expect(() => run("--platform", "windows_amd64")).toThrow(new CommandError(problem));
});

test("the single executable installs itself for its platform", () => {
  const executable = join(root, "kcloud");
  writeFileSync(executable, "the executable");
  machine = { ...machine, program: executable, executable };
  expect(run()).toContain(`for linux_amd64.\n`);
  const folder = join(provider(), version, "linux_amd64");
  expect(readFileSync(join(folder, `terraform-provider-kcloud_v${version}`), "utf8")).toBe("the executable");
  expect(() => run("--platform", "darwin_arm64")).toThrow(
    new CommandError(
      `this executable is for linux_amd64: put terraform-provider-kcloud_${version}_darwin_arm64.zip of the release into ${provider()}`,
    ),
  );
});

test.each([
  [[], "the engine is missing, as in kcloud install terraform"],
  [["pulumi"], 'unknown engine "pulumi": use terraform, for Terraform and OpenTofu'],
  [["terraform", "tofu"], 'unknown engine "terraform tofu": use terraform, for Terraform and OpenTofu'],
  [["terraform", "--plat"], "unknown option --plat"],
  [["terraform", "--write=yes"], "--write does not accept a value"],
  [["terraform", "--mirror"], "--mirror requires a value"],
  [["terraform", "--mirror="], "--mirror requires a value"],
  [
    ["terraform", "--mirror", "--write"],
    '--mirror requires a value; write a value that begins with "-" as --mirror=--write',
  ],
  [
    ["terraform", "--platform", "linux_386"],
    '--platform must be one of linux_amd64, linux_arm64, darwin_amd64, darwin_arm64, not "linux_386"',
  ],
])("the arguments %j are rejected", (args, message) => {
  expect(() => install(args, machine)).toThrow(new UsageError(message));
  expect(readdirSync(home)).toEqual([]);
});

test("a missing program and a mirror that cannot be written are reported", () => {
  writeFileSync(at("file"), "");
  expect(() => run("--mirror", join(at("file"), "mirror"))).toThrow(
    new CommandError(
      `${join(at("file"), "mirror/registry.terraform.io/kcloud/kcloud", version, "linux_amd64")} cannot be written (ENOTDIR): choose another folder, or change its permissions`,
    ),
  );
  rmSync(join(root, "dist/terraform-provider-kcloud"));
  expect(() => run()).toThrow(
    new CommandError(`${join(root, "dist/terraform-provider-kcloud")} is missing: install the package again`),
  );
});
