import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/emulator.ts";
import { at, cloud, refusal, textAt } from "../client.ts";

const account = { "x-account-id": "000000000000" };
const md5 = (content: string) => createHash("md5").update(content).digest("hex");

/** Creates a bucket and activates an object session. */
async function open(options: Omit<EmulatorOptions, "clock"> = {}) {
  const emulator = cloud(options);
  const made = await emulator.call("POST /kos/v1/buckets", { headers: account, body: { name: "data" } });
  const pair = { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" };
  const session = await emulator.call("POST /kos/v1/sessions/activate", { headers: account, body: pair });
  const headers = { ...account, "x-session-token": textAt(session.body, "sessionToken") };
  const path = `/kos/v1/buckets/${textAt(made.body, "krn")}/objects`;
  const ask = (action: string, body: object) => emulator.call(`POST ${path}/${action}`, { headers, body });
  const fetch = (address: string, init?: RequestInit) => emulator.fetch(address, init);
  async function put(key: string, content: string, type?: string) {
    const slot = await emulator.call(`PUT ${path}`, { headers, body: { prefix: key } });
    const address = textAt(slot.body, "preSignedUrl");
    return fetch(address, {
      method: "PUT",
      body: Buffer.from(content),
      ...(type && { headers: { "content-type": type } }),
    });
  }
  const keys = async (prefix = "") => {
    const { body } = await emulator.call(`GET ${path}?prefix=${encodeURIComponent(prefix)}`, { headers });
    return (at(body, "objects") as { key: string }[]).map(({ key }) => key);
  };
  return { emulator, headers, path, ask, put, keys, fetch };
}

test("bytes are uploaded to a pre-signed URL and downloaded from one", async () => {
  const { ask, put, fetch } = await open();
  expect((await put("notes/a b.txt", "hello", "text/plain")).status).toBe(200);
  expect((await ask("metadata", { objectkey: "notes/a b.txt" })).body).toEqual({
    key: "notes/a b.txt",
    size_bytes: 5,
    storage_class: "STANDARD",
    etag: md5("hello"),
    contentType: "text/plain",
    lastModified: "2026-01-01T00:00:00.000Z",
  });
  const { body } = await ask("download", { objectkey: "notes/a b.txt" });
  expect(textAt(body, "objectKey")).toBe("notes/a b.txt");
  const got = await fetch(textAt(body, "preSignedUrl"));
  expect([got.headers.get("content-type"), await got.text()]).toEqual(["text/plain", "hello"]);
  const other = await ask("url", { objectkey: "notes/a b.txt" });
  expect(await (await fetch(textAt(other.body, "url"))).text()).toBe("hello");
});

test("a URL is valid for one action and a limited time", async () => {
  const { emulator, ask, put, fetch } = await open();
  await put("a", "hello");
  const address = textAt((await ask("download", { objectkey: "a" })).body, "preSignedUrl");
  expect((await fetch(address, { method: "PUT", body: "other" })).status).toBe(403);
  expect((await fetch(address.replace("/a?", "/b?"))).status).toBe(403);
  await emulator.clock.advance(900_000);
  const late = await fetch(address);
  expect([late.status, await late.json()]).toMatchObject([403, { message: "the address has expired" }]);
  expect(JSON.stringify(emulator.log.entries())).not.toContain(
    new URL(address).searchParams.get("token") ?? "",
  );
});

test("a form upload is accepted if a switch is set", async () => {
  const { emulator, headers, path, ask } = await open({ assume: { uploadShape: "multipart" } });
  const asked = await emulator.call(`PUT ${path}`, { headers, body: { prefix: "a" } });
  expect(asked.body).toEqual({ objectKey: "a", message: "send the file as multipart/form-data" });
  const text = [
    '--mark\r\ncontent-disposition: form-data; name="prefix"\r\n\r\na',
    '--mark\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: text/css\r\n\r\nhello',
    "--mark--\r\n",
  ].join("\r\n");
  const form = { headers: { ...headers, "content-type": "multipart/form-data; boundary=mark" }, text };
  expect((await emulator.call(`PUT ${path}`, form)).body).toEqual({
    objectKey: "a",
    message: "file uploaded",
  });
  expect((await ask("metadata", { objectkey: "a" })).body).toMatchObject({
    size_bytes: 5,
    etag: md5("hello"),
    contentType: "text/css",
  });
});

test("a listing shows a folder with its entries, or all objects below it", async () => {
  const { emulator, headers, path, put, keys } = await open();
  for (const key of ["a", "b/one", "b/c/two", "d/"]) await put(key, "hello");
  expect((await emulator.call(`GET ${path}`, { headers })).body).toEqual({
    prefix: "",
    objects: [
      { key: "a", isFolder: false, size: 5, lastModified: "2026-01-01T00:00:00.000Z" },
      { key: "b/", isFolder: true, size: 0, lastModified: "2026-01-01T00:00:00.000Z" },
      { key: "d/", isFolder: true, size: 0, lastModified: "2026-01-01T00:00:00.000Z" },
    ],
  });
  expect(await keys("b/")).toEqual(["b/c/", "b/one"]);
  emulator.configure({ assume: { objectListDepth: "all" } });
  expect(await keys()).toEqual(["a", "b/c/two", "b/one", "d/"]);
});

test("objects are copied, moved, renamed and deleted with their content", async () => {
  const { ask, put, keys, fetch } = await open();
  await put("a", "hello");
  expect((await ask("move", { sourceKey: "a", destinationKey: "b", action: "copy" })).body).toEqual({
    sourceKey: "a",
    destinationKey: "b",
    message: "object copied",
  });
  await ask("move", { sourceKey: "a", destinationKey: "c", action: "move" });
  expect((await ask("rename", { oldKey: "b", newKey: "d" })).body).toEqual({
    oldKey: "b",
    newKey: "d",
    message: "object renamed",
  });
  expect(await keys()).toEqual(["c", "d"]);
  expect((await ask("delete", { objectkey: "c" })).body).toEqual({
    objectKey: "c",
    message: "object deleted",
  });
  const address = textAt((await ask("download", { objectkey: "d" })).body, "preSignedUrl");
  expect(await (await fetch(address)).text()).toBe("hello");
  await put("d", "other");
  expect(await (await fetch(address)).text()).toBe("other");
});

test("requests for an object need a session, a bucket and a key, and most of them the object", async () => {
  const { emulator, headers, path, put } = await open();
  const body = { objectkey: "a" };
  const metadata = `POST ${path}/metadata`;
  expect(await refusal(emulator, metadata, { headers: account, body })).toEqual([
    401,
    "header x-session-token: required",
  ]);
  const over = { ...headers, "x-session-token": "gone" };
  expect(await refusal(emulator, metadata, { headers: over, body })).toEqual([
    401,
    "header x-session-token: the session is over",
  ]);
  for (const action of ["metadata", "download", "delete"])
    expect(await refusal(emulator, `POST ${path}/${action}`, { headers, body })).toEqual([
      404,
      "object a not found",
    ]);
  expect(await refusal(emulator, "GET /kos/v1/buckets/none/objects", { headers })).toEqual([
    404,
    "bucket none not found",
  ]);
  expect(await refusal(emulator, `PUT ${path}`, { headers, body: { prefix: "é".repeat(513) } })).toEqual([
    400,
    "prefix: must be at most 1024 bytes",
  ]);
  await put("a", "hello");
  const onto = { headers, body: { oldKey: "a", newKey: "a" } };
  expect((await refusal(emulator, `POST ${path}/rename`, onto))[0]).toBe(400);
});

test("the objects of a bucket block its delete", async () => {
  const { emulator, path, put } = await open();
  await put("a", "hello");
  const bucket = path.replace("/objects", "");
  const otp = emulator.password();
  expect(await refusal(emulator, `DELETE ${bucket}`, { headers: account, body: { otp } })).toEqual([
    409,
    "bucket data is not empty: it has 1 objects",
  ]);
});
