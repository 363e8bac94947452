import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "@jest/globals";
import type { Rehearsal } from "../../review/model/rehearsal.ts";
import type { Engine } from "../../tools/engines/engine.ts";
import { program } from "../support/engine/built.ts";
import type { Site } from "../support/engine/site.ts";
import { type Folder, succeed } from "../support/engine/terraform.ts";

/** Runs `kcloud rehearse` with real engines: the cloud of the state is another emulator, to which nothing may be sent. */

export const head = `terraform {
  required_providers { kcloud = { source = "registry.terraform.io/kcloud/kcloud" } }
}
`;
export const network = `resource "kcloud_vpc" "net" {
  name = "net"
}
resource "kcloud_subnet" "a" {
  vpc_id = kcloud_vpc.net.id
  name   = "a"
  cidr   = "10.0.1.0/24"
}
resource "kcloud_security_group" "web" {
  vpc_id = kcloud_vpc.net.id
  name   = "web"
}
resource "kcloud_security_group_rule" "https" {
  vpc_id            = kcloud_vpc.net.id
  security_group_id = kcloud_security_group.web.id
  direction         = "ingress"
  protocol          = "tcp"
  port_range_min    = 443
  port_range_max    = 443
  remote_ip_prefix  = "0.0.0.0/0"
  description       = "first"
}
`;
export const machine = (subnet: string, vpc: string, group: string) => `resource "kcloud_instance" "web" {
  vpc_id          = ${vpc}
  subnet_id       = ${subnet}
  security_groups = [${group}]
  name            = "web"
  instance_type   = "c1.small"
  sshkey_name     = "demo-key"
  boot_volume = {
    image_krn   = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101"
    size_gb     = 10
    volume_type = "ssd"
  }
}
`;

/** Opens a folder and applies a configuration there. */
export async function applied(site: Site, engine: Engine, configuration: string): Promise<Folder> {
  const folder = await site.open(engine, { SERVICE_SETTLE_SECONDS: "1" });
  await write(folder, configuration);
  await succeed(folder, ["init"]);
  await succeed(folder, ["apply", "-auto-approve"]);
  return folder;
}

export const write = ({ path }: Folder, configuration: string) =>
  writeFile(join(path, "main.tf"), head + configuration);

/** Returns the digest of every file in a folder. */
export async function digestOf({ path }: Pick<Folder, "path">): Promise<string> {
  const names = (await readdir(path, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  );
  const digests = names.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    return `${file} ${createHash("sha256")
      .update(await readFile(file))
      .digest("hex")}`;
  });
  return (await Promise.all(digests)).toSorted().join("\n");
}

interface RunOptions {
  readonly args?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Path of the state. Default: the file of the default workspace. */
  readonly state?: string;
  /** False to hide the commands that confine programs, so that nothing but the command itself keeps them from a network. */
  readonly isConfined?: boolean;
  /** Signal that the command gets when a file `started` exists in its copy. */
  readonly signal?: NodeJS.Signals;
}

/** Runs the command in a folder, whose files and cloud must stay as they are, and which must leave no copy. */
export async function rehearse(
  site: Site,
  engine: Engine,
  folder: Folder,
  { args = [], environment = {}, isConfined = true, signal, ...given }: RunOptions = {},
) {
  const temporary = join(site.path, "temporary");
  await mkdir(temporary, { recursive: true });
  const now = async () => ({
    files: await digestOf(folder),
    cloud: JSON.stringify(site.emulator.inventory.list()),
    copies: await readdir(temporary),
  });
  const before = await now();
  site.emulator.log.clear();
  const out = join(dirname(folder.path), "rehearsal.json");
  const state = given.state ?? join(folder.path, "terraform.tfstate");
  const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>(
    (resolve) => {
      const child = execFile(
        program("kcloud"),
        ["rehearse", folder.path, "--state", state, "--engine", engine.path, "--out", out, ...args],
        {
          env: {
            PATH: [dirname(process.execPath), ...(isConfined ? [process.env.PATH] : [])].join(delimiter),
            HOME: site.path,
            TMPDIR: temporary,
            ...environment,
          },
        },
        (error, stdout, stderr) => resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      );
      if (signal !== undefined) void whenStarted(temporary, folder.path).then(() => child.kill(signal));
    },
  );
  expect(await now()).toEqual(before);
  expect(site.emulator.log.entries()).toEqual([]);
  const text = code === 0 || code === 3 ? await readFile(out, "utf8") : "null";
  return { code, stdout, stderr, rehearsal: JSON.parse(text) as Rehearsal };
}

export const classes = ({ objects }: Rehearsal) =>
  Object.fromEntries(objects.map(({ address, class: effect }) => [address.replace("kcloud_", ""), effect]));

/** Waits for a file `started` in the copy of a folder. */
async function whenStarted(temporary: string, folder: string): Promise<void> {
  for (;;) {
    const copies = await readdir(temporary);
    if (copies.some((copy) => existsSync(join(temporary, copy, "root", basename(folder), "started")))) return;
    await setTimeout(100);
  }
}
