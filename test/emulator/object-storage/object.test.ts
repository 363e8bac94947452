import { expect, test } from "@jest/globals";
import { at, cloud, textAt } from "../client.ts";
import { samples } from "../sample.ts";
import { openTour, operationOf, scenario } from "../tour.ts";

const session = ["create_bucket", "create_access_key", "activate_session"];
const object = [...session, "upload_object", "put_object_content"];
const md5 = "b345e1dc09f20fdefdea469f09167892";
const keys = (...list: readonly string[]) =>
  Object.fromEntries([["objects.length", list.length], ...list.map((key, i) => [`objects.${i}.key`, key])]);
const overwrite = { "if-none-match": "*" };

scenario("objects are listed by folder, copied, moved, renamed and deleted", [
  ...object,
  ["move_object", {}, { message: "object copied" }],
  [
    "move_object",
    { sourceKey: "a/c.txt", destinationKey: "d", action: undefined },
    { message: "object moved" },
  ],
  ["move_object", { sourceKey: "d", destinationKey: "d" }, "400 source and destination are the same key"],
  [
    "list_objects",
    { prefix: "" },
    {
      ...keys("a/", "d"),
      "objects.0": { key: "a/", isFolder: true, size: 0, lastModified: expect.any(String) },
      "objects.1.isFolder": false,
    },
  ],
  ["list_objects", {}, keys("a/b.txt")],
  ["list_objects", { prefix: "" }, keys("a/b.txt", "d"), { objectListDepth: "all" }],
  ["list_objects", { prefix: "" }, { length: 2, "0.key": "a/" }, { objectListShape: "array" }],
  ["rename_object", { oldKey: "d", newKey: "a/b.txt" }, { message: "object renamed" }],
  ["list_objects", { prefix: "" }, keys("a/")],
  ["get_object_metadata", {}, { etag: md5, size_bytes: 3, contentType: "text/csv" }],
  ["get_object_metadata", {}, { etag: `"${md5}"` }, { objectEtag: "quoted" }],
  ["get_object_metadata", {}, { etag: expect.stringMatching(/^[0-9a-f]{32}-2$/) }, { objectEtag: "opaque" }],
  ["delete_object", { objectkey: "a/b.txt" }, 200],
  ...["get_object_metadata", "download_object", "presign_object"].map(
    (name) => [name, {}, "404 object a/b.txt not found"] as const,
  ),
  ["delete_object", {}, "404 object d.txt not found"],
]);

scenario("requests for an object need a session, a bucket and a key of at most 1024 bytes", [
  ...session,
  ["list_objects", { "x-session-token": "gone" }, "401 header x-session-token: the session is over"],
  ["list_objects", { "x-session-token": undefined }, { prefix: "a/" }, { sessionHeader: "optional" }],
  ["list_objects", { "x-session-token": undefined }, { objects: [] }, { sessionHeader: "optional" }],
  ["list_objects", { bucket: "none" }, "404 bucket none not found"],
  ["upload_object", { prefix: "é".repeat(513) }, "400 prefix: must be at most 1024 bytes"],
  ["upload_object", { prefix: "a-error-503" }, "503 refused because of the name a-error-503"],
  [
    "upload_object",
    {},
    { url: expect.stringMatching(/^http/), preSignedUrl: undefined },
    { uploadAddressName: "url" },
  ],
  ["upload_object", {}, { message: "send the file as multipart/form-data" }, { uploadShape: "multipart" }],
]);

scenario("an upload on the condition that there is no object is rejected, ignored or not supported", [
  ...session,
  "upload_object",
  ["put_object_content", { "if-none-match": "x" }, "400 header if-none-match: must be *"],
  [
    "put_object_content",
    overwrite,
    "501 header if-none-match: not implemented",
    { uploadCondition: "unsupported" },
  ],
  ["put_object_content", overwrite, 200],
  ["put_object_content", overwrite, "412 object a/b.txt exists"],
  ["put_object_content", overwrite, 200, { uploadCondition: "ignored" }],
]);

test("a pre-signed URL is valid for one action, one object and a limited time, and is not logged", async () => {
  const { emulator, visit } = openTour(cloud());
  for (const name of object) await visit(name);
  const address = textAt((await visit("download_object")).body, "preSignedUrl");
  const status = async (url: string, init?: RequestInit) => (await emulator.fetch(url, init)).status;
  expect(await status(address, { method: "PUT", body: "other" })).toBe(403);
  expect(await status(address.replace("b.txt?", "c.txt?"))).toBe(403);
  const response = await emulator.fetch(address);
  expect([response.headers.get("content-type"), response.headers.get("etag"), await response.text()]).toEqual(
    ["text/csv", md5, "a,b"],
  );
  await emulator.clock.advance(900_000);
  expect(await status(address)).toBe(403);
  expect(JSON.stringify(emulator.log.entries())).not.toContain(new URL(address).searchParams.get("token"));
});

test("a form upload is accepted if a switch is set", async () => {
  const { emulator, send, visit, request } = openTour(cloud({ assume: { uploadShape: "multipart" } }));
  for (const name of session) await visit(name);
  const operation = operationOf("upload_object");
  const { body: _, ...sample } = samples.upload_object ?? {};
  const form = { prefix: "a/b.txt", file: { filename: "b.txt", text: "a,b" } };
  expect((await send(operation, { ...sample, form })).body).toEqual({
    objectKey: "a/b.txt",
    message: "file uploaded",
  });
  expect((await request("get_object_metadata", {})).body).toMatchObject({ etag: md5 });
  emulator.configure({ assume: { uploadShape: "pre-signed" } });
  expect(at((await send(operation, { ...sample, form })).body, "message")).toBe(
    "file: must be sent to the URL in the response",
  );
});
