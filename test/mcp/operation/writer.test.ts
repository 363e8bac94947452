import { expect, test } from "@jest/globals";
import { prepareCall } from "../../../library/call.ts";
import { operationNamed } from "../../../mcp/operation/offer.ts";
import { createWriter, graceMs } from "../../../mcp/operation/writer.ts";
import { createApi } from "../../../provider/client/client.ts";
import type { Values } from "../../../provider/core/value.ts";
import { readOnly } from "../../../provider/engine/engine.ts";
import type { Reply, Transport } from "../../../provider/platform/ports.ts";
import { openCloud, recorded, type SentRequest } from "../../support/cloud.ts";

/** Opens a writer whose transport is changed, and prepares calls. */
function open(change: (transport: Transport) => Transport = (transport) => transport) {
  const sent: SentRequest[] = [];
  const lines: string[] = [];
  const cloud = openCloud({ taskMs: 0 }, {}, { wrap: (transport) => recorded(change(transport), sent) });
  const client = readOnly(cloud.session);
  const writer = createWriter({ client, log: (line) => void lines.push(line) });
  const prepare = async (name: string, args: Values) => {
    const operation = operationNamed(name)?.operation;
    if (operation === undefined) throw new TypeError(name);
    return prepareCall(client, operation, args);
  };
  return { cloud, client, writer, prepare, sent, lines };
}

const never = new AbortController().signal;

/** Returns a transport that answers after `ready`. */
const held =
  (ready: Promise<unknown>, started: () => void) =>
  (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      started();
      await Promise.race([
        ready,
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
        ),
      ]);
      return reply;
    },
  });

test("a request is sent once by a client that otherwise only reads", async () => {
  const { cloud, client, writer, prepare, sent } = open();
  const call = await prepare("create_vpc", { name: "net" });
  expect(await cloud.run(writer.send("create_vpc", call, never))).toMatchObject({
    answer: { task_id: expect.any(String) },
  });
  expect(sent).toHaveLength(1);
  const api = createApi(client, { region: "In-Bangalore-1", signal: never });
  await expect(api.send(call.endpoint as never, call.request as never)).rejects.toThrow(/read-only/);
  expect(sent).toHaveLength(1);
});

test("a caller that left before the request is sent prevents it", async () => {
  const { cloud, writer, prepare, sent, lines } = open();
  const call = await prepare("create_vpc", { name: "net" });
  const left = new AbortController();
  left.abort(new Error("left"));
  expect(await cloud.run(writer.send("create_vpc", call, left.signal))).toMatchObject({
    error: { message: "left" },
    isSent: false,
  });
  expect([sent, lines]).toEqual([[], []]);
});

test("a caller that leaves after the request was sent does not abort it, and the outcome is in the log", async () => {
  let answer = () => {};
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const ready = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { writer, prepare, sent, lines } = open(held(ready, start));
  const left = new AbortController();
  const running = writer.send("create_vpc", await prepare("create_vpc", { name: "net" }), left.signal);
  await started;
  left.abort(new Error("left"));
  let isSettled = false;
  const settled = writer.settled().then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isSettled).toBe(false);
  answer();
  expect(await running).toHaveProperty("answer");
  await settled;
  expect(lines).toEqual([
    "create_vpc: the caller left after the request was sent; its response is awaited for 10 s",
    "create_vpc: the API has accepted the request of the caller that left",
  ]);
  expect(sent).toHaveLength(1);
});

test("the response is awaited for a limited time; then the outcome is unknown, and nothing is repeated", async () => {
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const { cloud, writer, prepare, sent, lines } = open(held(new Promise(() => {}), start));
  const left = new AbortController();
  const call = await prepare("create_vpc", { name: "net" });
  const began = cloud.session.ports.clock.monotonic();
  const running = writer.send("create_vpc", call, left.signal);
  await started;
  left.abort(new Error("left"));
  expect(await cloud.run(running)).toMatchObject({ isSent: true });
  expect(cloud.session.ports.clock.monotonic() - began).toBeGreaterThanOrEqual(graceMs);
  expect(lines).toEqual([
    expect.stringMatching(/^create_vpc: the caller left after the request was sent/),
    expect.stringMatching(/^create_vpc: the request of the caller that left may have been executed/),
  ]);
  expect(sent).toHaveLength(1);
});

const answered = { kind: "answer", cut: false, headers: {}, body: "{}" } as const;
const replies: readonly (readonly [string, Reply])[] = [
  ["a lost connection", { kind: "lost", reason: "closed" }],
  ["a 504", { ...answered, status: 504 }],
  ["a 429", { ...answered, status: 429, headers: { "retry-after": "1" } }],
];

test.each(replies)(
  "a delete is not repeated after %s: the object may have changed since it was read",
  async (_, reply) => {
    const { cloud, writer, prepare, sent } = open((transport) => ({
      async send(request, signal) {
        await transport.send(request, signal);
        return reply;
      },
    }));
    const volume = { vpcId: "krn:vpc:1", volumeId: "krn:volume:1" };
    const sending = writer.send("delete_volume", await prepare("delete_volume", volume), never);
    expect(await cloud.run(sending)).toHaveProperty("error");
    expect(sent).toHaveLength(1);
  },
);

test("the log says that a request was refused, and names its object", async () => {
  let answer = () => {};
  const ready = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const { writer, prepare, lines } = open(held(ready, start));
  const left = new AbortController();
  const call = await prepare("delete_volume", { vpcId: "krn:vpc:1", volumeId: "krn:volume:1" });
  const running = writer.send("delete_volume", call, left.signal);
  await started;
  left.abort(new Error("left"));
  answer();
  expect(await running).toMatchObject({ isSent: false });
  expect(lines.at(-1)).toMatch(
    /^delete_volume krn:volume:1: the request of the caller that left changed nothing: the API reports: Unable/,
  );
});

test("a call has the one-time password of the settings before it is sent", async () => {
  const { cloud, writer, prepare, sent } = open((transport) => transport);
  const plain = await prepare("delete_volume", { vpcId: "krn:vpc:1", volumeId: "krn:volume:1" });
  expect((await cloud.run(writer.ready(plain, never))).request).toBe(plain.request);
  const guarded = await prepare("delete_bucket", { bucketId: "krn:bucket:1" });
  const command = readOnly({ ...cloud.session, oneTimePasswords: { next: async () => "123456" } as never });
  const ready = await createWriter({ client: command, log: () => {} }).ready(guarded, never);
  expect([ready.request.body, sent]).toEqual([{ otp: "123456" }, []]);
});

test.each(replies)("a create is not repeated after %s", async (_, reply) => {
  const { cloud, writer, prepare, sent } = open((transport) => ({
    async send(request, signal) {
      await transport.send(request, signal);
      return reply;
    },
  }));
  const call = await prepare("create_vpc", { name: "net" });
  expect(await cloud.run(writer.send("create_vpc", call, never))).toHaveProperty("error");
  expect(sent).toHaveLength(1);
});
