import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { openSite } from "../support/engine/open-site.ts";
import { type Folder, required, succeed as succeedIn } from "../support/engine/terraform.ts";
import { storageSettings } from "../support/storage-setting.ts";

/** Upload of a local file as an object, with the real engine. */

const terraform = await ensureEngine("terraform");
const site = openSite({ taskMs: 100 }, { isContinued: true });
const { emulator } = site;
let folder: Folder;

beforeAll(async () => {
  folder = await site.open(terraform, storageSettings(site.url));
  await writeFile(join(folder.path, "required.tf.json"), JSON.stringify(required));
  await write("notes/a.bin");
  await succeed("init");
});

const write = (key: string) =>
  writeFile(
    join(folder.path, "main.tf"),
    `resource "kcloud_bucket" "data" {
  name = "data"
}

resource "kcloud_object" "file" {
  bucket_id = kcloud_bucket.data.id
  key       = "${key}"
  source    = "content.bin"
}
`,
  );

const succeed = (...args: string[]) => succeedIn(folder, args);

/** Downloads the object through its pre-signed URL, as any HTTP client can. */
async function contentOf(key: string): Promise<Buffer> {
  const bucket = emulator.inventory.list().find(({ kind }) => kind === "bucket")?.krn ?? "";
  const headers = {
    authorization: "Bearer emulator-key",
    "x-account-id": "000000000000",
    "content-type": "application/json",
  };
  emulator.configure({ assume: { sessionHeader: "optional" } });
  const answer = await fetch(`${site.url}/kos/v1/buckets/${bucket}/objects/download`, {
    method: "POST",
    headers,
    body: JSON.stringify({ objectkey: key }),
  });
  emulator.configure({ assume: { sessionHeader: "required" } });
  const { preSignedUrl } = (await answer.json()) as { preSignedUrl: string };
  return Buffer.from(await (await fetch(preSignedUrl)).arrayBuffer());
}

const bytes = (size: number, first: number) =>
  Buffer.from(Array.from({ length: size }, (_, at) => (at * 31 + first) % 256));

test("a file is uploaded and downloaded byte for byte, and a changed file is one update", async () => {
  const first = bytes(3_000_000, 1);
  await writeFile(join(folder.path, "content.bin"), first);
  await succeed("apply", "-auto-approve");
  expect((await contentOf("notes/a.bin")).equals(first)).toBe(true);
  expect(await succeed("plan")).toContain("No changes.");
  const second = bytes(3_000_001, 2);
  await writeFile(join(folder.path, "content.bin"), second);
  expect(await succeed("apply", "-auto-approve")).toContain("0 added, 1 changed, 0 destroyed");
  expect((await contentOf("notes/a.bin")).equals(second)).toBe(true);
});

test("a changed key renames the object, which is the same one afterwards", async () => {
  await write("notes/b.bin");
  expect(await succeed("apply", "-auto-approve")).toContain("0 added, 1 changed, 0 destroyed");
  expect(await succeed("plan")).toContain("No changes.");
  expect((await contentOf("notes/b.bin")).equals(bytes(3_000_001, 2))).toBe(true);
});

test("no session remains after the run, and the state contains nothing of the file", async () => {
  expect(emulator.inventory.list().map(({ kind }) => kind)).toEqual(["bucket", "object"]);
  expect((await succeed("state", "pull")).length).toBeLessThan(10_000);
  await succeed("destroy", "-auto-approve");
  expect(emulator.inventory.list()).toEqual([]);
});
