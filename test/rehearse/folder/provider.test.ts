import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { copyProviders } from "../../../rehearse/folder/provider.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "kcloud-providers-"));
});
afterEach(() => rm(root, { recursive: true }));

async function write(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), file);
  }
}

const random = "registry.terraform.io/hashicorp/random/3.6.0/linux_amd64";
const program = "terraform-provider-random_v3.6.0_x5";

/** Copies the providers of a folder; returns its files by their paths. */
async function copied(): Promise<Record<string, string>> {
  copyProviders(join(root, "providers"), join(root, "copy"));
  const entries = await readdir(join(root, "copy"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  expect(files.every((entry) => entry.isFile())).toBe(true);
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(root.length + "/copy/".length), await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

test("a provider that is a link to a cache is copied with the files of its checksum, and nothing else of the folder", async () => {
  const files = [program, "LICENSE.txt", "id_rsa", ".netrc"];
  await write(...files.map((name) => `cache/${random}/${name}`));
  await mkdir(dirname(join(root, "providers", random)), { recursive: true });
  await symlink(join(root, "cache", random), join(root, "providers", random));
  const names = [`${random}/${program}`, `${random}/LICENSE.txt`];
  expect(await copied()).toEqual(Object.fromEntries(names.map((name) => [name, `cache/${name}`])));
});

test("other links are left out: to a file, in another place, and in the folder of a cache", async () => {
  await write(`providers/${random}/${program}`, "home/key", `home/${program}`, `cache/other/x`);
  await symlink(join(root, "home/key"), join(root, "providers", random, "terraform-provider-key"));
  await symlink(join(root, "home"), join(root, "providers/home"));
  await symlink(join(root, "home/key"), join(root, "cache/other/terraform-provider-other"));
  const other = join(root, "providers/registry.terraform.io/hashicorp/other/1.0.0");
  await mkdir(other, { recursive: true });
  await symlink(join(root, "cache/other"), join(other, "linux_amd64"));
  await symlink(join(root, "none"), join(other, "darwin_arm64"));
  expect(Object.keys(await copied())).toEqual([`${random}/${program}`]);
});
