import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { openClientCloud } from "./client-cloud.ts";

/** Opens a client with a bucket. */
async function withBucket(...options: Parameters<typeof openClientCloud>) {
  const world = openClientCloud(...options);
  const { krn } = await world.run(world.client.bucket.createBucket({ name: "shop-data" }));
  return { ...world, bucketId: krn ?? "" };
}

const text = "content of an object ".repeat(5_000);
const folder = mkdtempSync(join(tmpdir(), "kcloud-client-"));
const path = join(folder, "object.txt");
writeFileSync(path, text);

test.each([
  ["bytes", Buffer.from(text)],
  ["a Blob", new Blob([text])],
  ["a file", { path }],
])("%s are uploaded to a pre-signed URL, and read as a stream", async (_, content) => {
  const { client, run, rows, bucketId } = await withBucket();
  await run(client.object.upload({ bucketId, key: "a.txt", content, contentType: "text/plain" }));
  const parts = await rows(client.object.download({ bucketId, key: "a.txt" }));
  expect(Buffer.concat(parts).toString()).toBe(text);
});

test("an API without pre-signed URLs gets a form", async () => {
  const { cloud, client, run, bucketId } = await withBucket({ assume: { uploadShape: "multipart" } });
  await run(client.object.upload({ bucketId, key: "a.txt", content: { path } }));
  expect(cloud.emulator.log.count({ operation: "upload_object" })).toBe(2);
  expect(await run(client.object.getObjectMetadata({ bucketId, key: "a.txt" }))).toMatchObject({
    size_bytes: text.length,
  });
});

test("with isNew, an object of the key is not overwritten", async () => {
  const { client, run, bucketId } = await withBucket();
  await run(client.object.upload({ bucketId, key: "a.txt", content: Buffer.from("old") }));
  const again = client.object.upload({ bucketId, key: "a.txt", content: Buffer.from("new"), isNew: true });
  await expect(run(again)).rejects.toMatchObject({ name: "CloudError", failure: "conflict" });
});

test("the operations at pre-signed URLs send and read content without a credential", async () => {
  const { client, run, rows, bucketId } = await withBucket();
  const slot = await run(client.object.uploadObject({ bucketId, key: "a.txt" }));
  const address = String(slot.preSignedUrl ?? slot.url);
  await run(client.object.putObjectContent({ address, content: Buffer.from(text) }));
  const { preSignedUrl } = await run(client.object.downloadObject({ bucketId, key: "a.txt" }));
  const parts = await rows(client.object.getObjectContent({ address: preSignedUrl }));
  expect(Buffer.concat(parts).toString()).toBe(text);
});

test("a download that is left early ends, and one of a missing object fails", async () => {
  const { client, run, rows, bucketId } = await withBucket();
  await run(client.object.upload({ bucketId, key: "a.txt", content: Buffer.alloc(5_000_000) }));
  const first = await run(
    (async () => {
      for await (const part of client.object.download({ bucketId, key: "a.txt" })) return part.length;
      return 0;
    })(),
  );
  expect(first).toBeGreaterThan(0);
  await expect(rows(client.object.download({ bucketId, key: "b.txt" }))).rejects.toMatchObject({
    status: 404,
  });
});

test("a download whose signal aborts throws the reason", async () => {
  const { client, run, bucketId } = await withBucket();
  await run(client.object.upload({ bucketId, key: "a.txt", content: Buffer.alloc(5_000_000) }));
  const abort = new AbortController();
  const reason = new Error("no longer needed");
  const reading = (async () => {
    for await (const _ of client.object.download({ bucketId, key: "a.txt" }, { signal: abort.signal }))
      abort.abort(reason);
  })();
  await expect(run(reading)).rejects.toBe(reason);
});

test("a document is encoded while it is sent, and its result is read", async () => {
  const { client, run, rows } = openClientCloud();
  const submitted = await run(
    client.document.extractDocumentText({ language: "english", fileType: "Digital", content: { path } }),
  );
  const { address } = await run(client.document.waitUntilDone({ fileId: submitted.data.file_id }));
  const parts = await rows(client.document.getDocumentResult({ address: address ?? "" }));
  expect(Buffer.concat(parts).length).toBeGreaterThan(0);
});

test.each([
  [undefined, "content: is required: bytes, a Blob, or an object with the path of a file"],
  ["text", "content: must be bytes, a Blob, or an object with the path of a file"],
  [{ path: join(folder, "none") }, `content: ${join(folder, "none")} does not exist`],
])("content that is none is refused before anything is sent: %j", async (content, message) => {
  const { cloud, client, run, bucketId } = await withBucket();
  cloud.emulator.log.clear();
  await expect(run(client.object.upload({ bucketId, key: "a", content: content as never }))).rejects.toThrow(
    message,
  );
  expect(cloud.emulator.log.count()).toBe(0);
});
