import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { environment } from "../adapter/lifecycle/lifecycle.ts";
import { openFolder, required } from "../support/engine/terraform.ts";

/** Upload of a local file as an object, with the real engine. */

const terraform = await ensureEngine("terraform");
let emulator: Emulator;
let server: Awaited<ReturnType<Emulator["listen"]>>;
let folder: string;
let run: Awaited<ReturnType<typeof openFolder>>["run"];

beforeAll(async () => {
  emulator = createEmulator({ taskMs: 100 });
  server = await emulator.listen();
  folder = await mkdtemp(join(tmpdir(), "kcloud-object-"));
  await writeFile(join(folder, "required.tf.json"), JSON.stringify(required));
  ({ run } = await openFolder(terraform, folder, environment(server.url)));
  await write("notes/a.bin");
  await succeed("init");
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const write = (key: string) =>
  writeFile(
    join(folder, "main.tf"),
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

async function succeed(...args: string[]): Promise<string> {
  const { code, output } = await run(args);
  if (code !== 0) throw new Error(output);
  return output;
}

/** Downloads the object through its pre-signed URL, as any HTTP client can. */
async function contentOf(key: string): Promise<Buffer> {
  const bucket = emulator.inventory.list().find(({ kind }) => kind === "bucket")?.krn ?? "";
  const headers = {
    authorization: "Bearer emulator-key",
    "x-account-id": "000000000000",
    "content-type": "application/json",
  };
  emulator.configure({ assume: { sessionHeader: "optional" } });
  const answer = await fetch(`${server.url}/kos/v1/buckets/${bucket}/objects/download`, {
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
  await writeFile(join(folder, "content.bin"), first);
  await succeed("apply", "-auto-approve");
  expect((await contentOf("notes/a.bin")).equals(first)).toBe(true);
  expect(await succeed("plan")).toContain("No changes.");
  const second = bytes(3_000_001, 2);
  await writeFile(join(folder, "content.bin"), second);
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
