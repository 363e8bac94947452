import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/emulator.ts";
import { explain } from "../../../provider/core/error.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { type Cloud, failure, kept, requests } from "../../support/cloud.ts";
import { folder, md5, openBucket, stored } from "../../support/object-world.ts";

test("a file that changes during its upload is never stored completely", async () => {
  const source = join(folder, "live.bin");
  let change = () => {};
  const wrapForeign = (transport: Transport): Transport => ({
    send(request, signal) {
      change();
      return transport.send(request, signal);
    },
  });
  const { cloud, create } = await openBucket({}, {}, { wrapForeign });
  writeFileSync(source, "first");
  change = () => writeFileSync(source, "another");
  const { detail } = explain(await failure(create({ source })));
  expect(detail).toContain(`${source} changed since it was planned to be sent`);
  expect(stored(cloud)).toEqual([]);
});

test("content that a storage host truncates without a message is an error", async () => {
  const wrapForeign = (transport: Transport): Transport => ({
    async send({ stream, ...request }, signal) {
      const half = {
        size: 2,
        read: async function* () {
          yield Buffer.from("he");
        },
      };
      return transport.send({ ...request, ...(stream && { stream: half }) }, signal);
    },
  });
  const { create } = await openBucket({}, {}, { wrapForeign });
  const failed = await failure(create({ content: "hello" }));
  expect(explain(failed).detail).toBe(
    [
      "The object was created but did not become ready.",
      "The API shows a different checksum than configured; the stored content differs from the sent content, or its etag is not an MD5.",
      "The object exists as notes/a.txt and is in the state.",
      "The next apply replaces it; `terraform untaint ADDRESS` (or `tofu untaint ADDRESS`) keeps it.",
    ].join("\n"),
  );
  expect(kept(failed).id).toBe("notes/a.txt");
});

test("a storage that always responds with Retry-After is an error after six attempts", async () => {
  const { cloud, create } = await openBucket();
  cloud.emulator.faults.add({ target: "put_object_content", kind: "429" });
  const { detail } = explain(await failure(create({ content: "hello" })));
  expect(detail).toContain(
    "The object storage limits the number of requests. (status 429, PUT to a pre-signed URL)",
  );
  expect(requests(cloud, "put_object_content")).toHaveLength(6);
});

const theirs = "of another user";

/** Uploads the content of another user to the key just before the provider's content arrives. */
async function openWithRival(options: EmulatorOptions = {}, given: { adoptExisting?: boolean } = {}) {
  let isOver = false;
  const rival = { act: async () => {} };
  const race = (transport: Transport): Transport => ({
    async send(request, signal) {
      const isUpload = request.method === "PUT" && request.stream !== undefined;
      if (isUpload && !isOver) {
        isOver = true;
        await rival.act();
      }
      return transport.send(request, signal);
    },
  });
  const world = await openBucket(options, given, { wrap: race, wrapForeign: race });
  const { cloud, bucketId } = world;
  rival.act = () => uploadElsewhere(cloud, bucketId);
  return world;
}

/** Sends the upload requests of another client for the key of the tests, without a condition. */
async function uploadElsewhere({ emulator }: Cloud, bucket: string): Promise<void> {
  const call = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
    const sent = { authorization: "Bearer emulator-key", "x-account-id": "000000000000", ...headers };
    const answer = await emulator.fetch(`http://127.0.0.1${path}`, {
      method,
      headers: sent,
      body: body instanceof FormData ? body : JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { readonly sessionToken: string; readonly preSignedUrl?: string };
  };
  const pair = { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" };
  const { sessionToken } = await call("POST", "/kos/v1/sessions/activate", pair);
  const inSession = { "x-session-token": sessionToken };
  const path = `/kos/v1/buckets/${encodeURIComponent(bucket)}/objects`;
  const { preSignedUrl } = await call("PUT", path, { prefix: "notes/a.txt" }, inSession);
  if (preSignedUrl !== undefined) await emulator.fetch(preSignedUrl, { method: "PUT", body: theirs });
  else {
    const form = new FormData();
    form.set("prefix", "notes/a.txt");
    form.set("file", new Blob([theirs]), "a.txt");
    await call("PUT", path, form, inSession);
  }
}

test.each(["pre-signed", "multipart"] as const)(
  "a key that another user created after the search keeps its object, and the error names the import: %s",
  async (uploadShape) => {
    const { cloud, bucketId, create } = await openWithRival({ assume: { uploadShape } });
    const failed = await failure(create({ content: "ours" }));
    expect(failed.existence).toEqual({ is: "exists", id: "notes/a.txt" });
    expect(explain(failed).detail).toContain(`terraform import kcloud_object.NAME '${bucketId},notes/a.txt'`);
    expect(stored(cloud)).toEqual([["notes/a.txt", md5(theirs)]]);
  },
);

test("with adopt_existing, an object of the same content that another user created after the search is adopted", async () => {
  const { create } = await openWithRival({}, { adoptExisting: true });
  expect((await create({ content: theirs })).values.etag).toBe(md5(theirs));
});

test.each(["ignored", "unsupported"] as const)(
  "a storage that does not support the condition stores the content: %s",
  async (uploadCondition) => {
    for (const uploadShape of ["pre-signed", "multipart"] as const) {
      const { cloud, create } = await openWithRival({ assume: { uploadCondition, uploadShape } });
      await create({ content: "ours" });
      expect(stored(cloud)).toEqual([["notes/a.txt", md5("ours")]]);
    }
  },
);

test.each([
  ["pre-signed", "put_object_content", "reset"],
  ["pre-signed", "put_object_content", "429"],
  ["multipart", "upload_object", "reset"],
  ["multipart", "upload_object", "429"],
] as const)(
  "an upload that was stored despite a lost or failed response is found, not rejected as an existing object: %s, %s, %s",
  async (uploadShape, target, kind) => {
    for (const objectEtag of ["md5", "opaque"] as const) {
      const { cloud, create } = await openBucket({ assume: { uploadShape, objectEtag } });
      // Of a form, the first request asks for an address.
      const from = uploadShape === "multipart" ? 2 : 1;
      cloud.emulator.faults.add({ target, kind, when: "after", from, times: 1 });
      expect((await create({ content: "ours" })).id).toBe("notes/a.txt");
      expect(stored(cloud)).toEqual([["notes/a.txt", md5("ours")]]);
    }
  },
);
