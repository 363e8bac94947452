import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { Transport } from "../../provider/platform/ports.ts";
import { failure, kept, requests } from "../support/cloud.ts";
import { folder, md5, openBucket, stored } from "../support/object-world.ts";

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a file that changes while it is sent is never sent whole", async () => {
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

test("an upload that breaks off is sent again, and one that arrives cut is never taken for done", async () => {
  const { cloud, create } = await openBucket();
  cloud.emulator.faults.add({ target: "put_object_content", kind: "reset", when: "before", times: 1 });
  await create({ content: "hello" });
  expect(stored(cloud)).toEqual([["notes/a.txt", md5("hello")]]);
  expect(requests(cloud, "put_object_content")).toHaveLength(2);
});

test("what a host of storage cuts without a word is an error", async () => {
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
      "It was made but did not become ready.",
      "The cloud shows another checksum than was asked for; what arrived is not what was sent, or its etag is no MD5.",
      "It was created and is recorded as notes/a.txt.",
      "Run again: the next run makes what is missing.",
    ].join("\n"),
  );
  expect(kept(failed).id).toBe("notes/a.txt");
});

test("an address that is neither https nor of this machine gets nothing", async () => {
  const wrap = (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      if (reply.kind !== "answer") return reply;
      return { ...reply, body: reply.body.replace("http://127.0.0.1:1/", "http://storage.example/") };
    },
  });
  let sent = 0;
  const wrapForeign = (transport: Transport): Transport => ({
    send(request, signal) {
      sent += 1;
      return transport.send(request, signal);
    },
  });
  const { create } = await openBucket({}, { settleSeconds: 1 }, { wrap, wrapForeign });
  const { detail } = explain(await failure(create({ content: "hello" })));
  expect(detail).toContain("The pre-signed address that the cloud gave is not one of https");
  expect(sent).toBe(0);
});

test("what the storage asks to send later is sent later, to the same address", async () => {
  const { cloud, create } = await openBucket();
  cloud.emulator.faults.add({ target: "put_object_content", kind: "429", retryAfter: "30", times: 2 });
  await create({ content: "hello" });
  expect(stored(cloud)).toEqual([["notes/a.txt", md5("hello")]]);
  expect([requests(cloud, "upload_object").length, requests(cloud, "put_object_content").length]).toEqual([
    1, 3,
  ]);
  expect(cloud.elapsed()).toBeGreaterThanOrEqual(60_000);
});

test("a storage that asks for it for ever is an error after six tries", async () => {
  const { cloud, create } = await openBucket();
  cloud.emulator.faults.add({ target: "put_object_content", kind: "429" });
  const { detail } = explain(await failure(create({ content: "hello" })));
  expect(detail).toContain("The storage asks for fewer requests. (status 429, PUT at a pre-signed address)");
  expect(requests(cloud, "put_object_content")).toHaveLength(6);
});

test("a form passes a firewall that refuses shell text", async () => {
  const { cloud, create } = await openBucket({ assume: { firewall: true, uploadShape: "multipart" } });
  await create({ content: "hello" });
  expect(stored(cloud)).toEqual([["notes/a.txt", md5("hello")]]);
});
