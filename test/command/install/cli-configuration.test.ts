import { chmodSync, existsSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { CommandError } from "../../../command/run.ts";
import { at, block, home, machine, mark, mirror, read, root, run, write } from "./home.ts";

test("--write creates ~/.terraformrc, which OpenTofu reads too, and changes nothing the second time", () => {
  expect(run("--write")).toMatch(new RegExp(`\\n${at(".terraformrc")} was created\\.\\n\\n`));
  expect(read(".terraformrc")).toBe(`${mark}${block()}`);
  expect(run("--write")).toMatch(new RegExp(`\\n${at(".terraformrc")} has the block already\\.\\n\\n`));
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
