import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "@jest/globals";
import type { Machine } from "../../../command/install/machine.ts";
import { install } from "../../../command/install/main.ts";
import manifest from "../../../package.json" with { type: "json" };

/** Tests the files that `kcloud install` writes to a home folder, and its errors. */

export const { version } = manifest;

export let root: string;
export let home: string;
export let machine: Machine;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kcloud-install-")));
  home = join(root, "home");
  const dist = join(root, "dist");
  for (const folder of [home, dist]) mkdirSync(folder);
  writeFileSync(join(dist, "terraform-provider-kcloud"), "the program");
  writeFileSync(join(dist, "kcloud-terraform.cache"), "the cache");
  writeFileSync(join(dist, "pulumi-resource-kcloud"), "the plugin");
  writeFileSync(join(dist, "kcloud-pulumi.cache"), "the cache of the plugin");
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

/** Changes fields of the machine on which the command runs. */
export function changeMachine(change: Partial<Machine>): void {
  machine = { ...machine, ...change };
}

export const mirror = () => join(home, ".kcloud/mirror");
export const provider = () => join(mirror(), "registry.terraform.io/kcloud/kcloud");

export const block = (path = mirror()) => `provider_installation {
  filesystem_mirror {
    path    = "${path}"
    include = ["registry.terraform.io/kcloud/*"]
  }
  direct {
    exclude = ["registry.terraform.io/kcloud/*"]
  }
}
`;
export const mark = "# Written by `kcloud install terraform`.\n";

export const run = (...args: readonly string[]) => install(["terraform", ...args], machine);
export const at = (name: string) => join(home, name);
export const read = (name: string) => readFileSync(at(name), "utf8");
export function write(name: string, text: string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
}
