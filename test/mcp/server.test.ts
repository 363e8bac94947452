import { expect, test } from "@jest/globals";
import { sensitive } from "../../mcp/object/data.ts";
import { createServer } from "../../mcp/server.ts";
import { notice, textOf } from "../../mcp/text.ts";
import type { Call, Tool } from "../../mcp/tool/tool.ts";
import { openCloud } from "../support/cloud.ts";
import { expectInPlace } from "./block.ts";
import { type Content, changing, connect, offerIn, openServer, openWriter } from "./client.ts";
import { drawnTexts } from "./hostile.ts";

test("the server offers at most 40 tools in 25 kB, which are marked as read-only", async () => {
  const { client } = await openServer();
  const { result } = await client.ask("tools/list");
  expect(result.tools.map(({ name }: Tool) => name)).toEqual([
    ...["describe_server", "list_kinds", "describe_kind", "list_objects", "get_object", "list_account"],
    ...["search_pages", "read_page"],
  ]);
  const folderTools = ["validate", "plan", "rehearse", "review", "verdict"];
  expect(JSON.stringify(result).length + folderTools.length * 500).toBeLessThan(25_000);
  for (const { annotations, inputSchema } of result.tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
  }
});

test("with the right to change something, tools are added that say what they do, within the same limits", async () => {
  const { client: reader } = await openServer();
  const { client } = await openWriter();
  const { result } = await client.ask("tools/list");
  const { result: readOnly } = await reader.ask("tools/list");
  const added = result.tools.filter(
    ({ name }: Tool) => !readOnly.tools.some((tool: Tool) => tool.name === name),
  );
  expect(result.tools.filter((tool: Tool) => !added.includes(tool))).toEqual(readOnly.tools);
  expect(added.map(({ name, annotations }: Content) => [name, { ...annotations, title: undefined }])).toEqual(
    [
      ["list_operations", hints(true, false, true, false)],
      ["describe_operation", hints(true, false, true, false)],
      ["read_operation", hints(true, false, true, true)],
      ["change", hints(false, true, false, true)],
      ["preview_destruction", hints(true, false, true, true)],
      ["destroy", hints(false, true, true, true)],
    ],
  );
  const folderTools = ["validate", "plan", "rehearse", "review", "verdict"];
  expect(result.tools.length + folderTools.length).toBeLessThanOrEqual(40);
  expect(JSON.stringify(result).length + folderTools.length * 500).toBeLessThan(25_000);
  expect((await client.call("describe_server")).structuredContent).toMatchObject({ is_read_only: false });
});

const hints = (...[isReadOnly, isDestructive, isIdempotent, isOpen]: readonly boolean[]) => ({
  ...{ readOnlyHint: isReadOnly, destructiveHint: isDestructive, idempotentHint: isIdempotent },
  ...{ openWorldHint: isOpen, title: undefined },
});

test("an unknown tool, prompt or resource is an error of the protocol, with the nearest name", async () => {
  const { client } = await openServer();
  const messageOf = async (method: string, params: object) =>
    (await client.ask(method, params)).error?.message;
  expect(await messageOf("tools/call", { name: "list_object" })).toBe(
    'Unknown tool "list_object"; did you mean "list_objects"?',
  );
  expect(await messageOf("prompts/get", { name: "review_pla" })).toBe(
    'Unknown prompt "review_pla"; did you mean "review_plan"?',
  );
  expect(await messageOf("resources/read", { uri: "kcloud://docs/none" })).toMatch(/not found/i);
  expect(await messageOf("resources/read", { uri: "file:///etc/passwd" })).toMatch(/not found/i);
  expect(await messageOf("resources/list", { cursor: "x" })).toBe("The cursor is not valid");
});

test("wrong arguments are an error of the tool, which names all of them", async () => {
  const { client } = await openServer();
  const { isError, structuredContent } = await client.call("list_objects", { knd: "vpc", limit: 0 });
  expect([isError, structuredContent]).toEqual([
    true,
    {
      error:
        'list_objects: unknown parameter "knd"; did you mean "kind"?\nmissing: kind\nlimit must be a whole number from 1 to 200',
    },
  ]);
});

test("pages and schemas are resources, in pages", async () => {
  const { client } = await openServer();
  const { result: first } = await client.ask("resources/list");
  const uris: string[] = first.resources.map(({ uri }: { uri: string }) => uri);
  for (let cursor = first.nextCursor; cursor !== undefined; ) {
    const { result } = await client.ask("resources/list", { cursor });
    uris.push(...result.resources.map(({ uri }: { uri: string }) => uri));
    cursor = result.nextCursor;
  }
  expect(uris).toEqual(
    expect.arrayContaining(["kcloud://docs/resources/volume", "kcloud://schema/resource/volume"]),
  );
  expect(new Set(uris).size).toBe(uris.length);
  const read = async (uri: string) => (await client.ask("resources/read", { uri })).result.contents[0];
  expect(await read("kcloud://docs/guides/secrets.md")).toMatchObject({ mimeType: "text/markdown" });
  const { text } = await read("kcloud://schema/resource/volume");
  expect(JSON.parse(text)).toMatchObject({ title: "kcloud_volume" });
  expect((await client.ask("resources/templates/list")).result.resourceTemplates).toHaveLength(2);
});

test("the prompt asks for a review", async () => {
  const { client } = await openServer();
  expect((await client.ask("prompts/list")).result.prompts).toMatchObject([{ name: "review_plan" }]);
  const { result } = await client.ask("prompts/get", { name: "review_plan", arguments: { plan: "x" } });
  expect(result.messages[0].content.text).toContain(notice);
});

test("kinds are listed and described without a request to the cloud", async () => {
  const { client, cloud } = await openServer();
  const { structuredContent: all } = await client.call("list_kinds");
  expect(all.kinds).toContainEqual({
    kind: "vpc",
    about: expect.any(String),
    tools: ["list_objects", "get_object"],
    is_managed: true,
  });
  for (const { kind } of all.kinds) {
    const { structuredContent } = await client.call("describe_kind", { kind });
    expect(structuredContent.pages.length).toBeGreaterThan(0);
  }
  const { structuredContent: volume } = await client.call("describe_kind", { kind: "volume" });
  expect(volume).toMatchObject({
    resource: { title: "kcloud_volume" },
    list_objects: { required: ["vpc_id"] },
    get_object: { attributes: { id: {}, vpc_id: {} } },
    pages: ["resources/volume", "data-sources/volume", "data-sources/volumes"],
  });
  expect((await client.call("describe_server")).structuredContent).toMatchObject({ is_read_only: true });
  expect(cloud.emulator.log.entries()).toEqual([]);
});

/** Tool that reports, logs, and waits until its call ends. */
const waiting = (ended: (reason: unknown) => void): Tool => ({
  ...{ name: "wait", title: "Wait", about: "Waits.", parameters: {}, isOpen: false },
  async run(_, call: Call) {
    call.report("one", { done: 3, total: 9 });
    call.report("two");
    call.log("info", "careful");
    call.log("warning", "more careful");
    await new Promise((resolve) => call.signal.addEventListener("abort", resolve, { once: true }));
    ended(call.signal.reason);
    throw call.signal.reason;
  },
});

const until = async (isDone: () => boolean) => {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve));
};

test("a call reports its progress and its log, and ends when the client cancels it", async () => {
  const reasons: unknown[] = [];
  const { client } = await openServer(undefined, {
    folderTools: [waiting((reason) => reasons.push(reason))],
  });
  await client.ask("logging/setLevel", { level: "warning" });
  void client.ask("tools/call", { name: "wait", arguments: {}, _meta: { progressToken: "p" } });
  await until(() => client.notified.length === 3);
  expect(client.notified.map(({ method, params }) => [method, params])).toEqual([
    ["notifications/progress", { progressToken: "p", progress: 3, total: 9, message: "one" }],
    ["notifications/progress", { progressToken: "p", progress: 4, message: "two" }],
    ["notifications/message", { level: "warning", logger: "kcloud", data: "more careful" }],
  ]);
  await client.tell("notifications/cancelled", { requestId: client.lastId() });
  await until(() => reasons.length === 1);
});

test("all calls end when the client leaves, and when the process ends", async () => {
  const reasons: unknown[] = [];
  const folderTools = [waiting((reason) => reasons.push(reason))];
  const { client } = await openServer(undefined, { folderTools });
  void client.call("wait").catch(() => {});
  void client.call("wait").catch(() => {});
  await until(() => client.notified.length >= 2);
  await client.close();
  await until(() => reasons.length === 2);
  const stop = new AbortController();
  const second = await openServer(undefined, { folderTools, stop: stop.signal });
  const running = second.client.call("wait");
  await until(() => second.client.notified.length >= 1);
  stop.abort();
  expect((await running).structuredContent).toEqual({ error: "The call was cancelled." });
});

test("more calls at once than the maximum are refused", async () => {
  const stop = new AbortController();
  const { client } = await openServer(undefined, { folderTools: [waiting(() => {})], stop: stop.signal });
  const running = Array.from({ length: 16 }, () => client.call("wait"));
  await until(() => client.notified.length >= 32);
  expect((await client.call("list_kinds")).structuredContent).toEqual({
    error: "At most 16 calls run at once: wait for one of them.",
  });
  stop.abort();
  await Promise.all(running);
  expect((await client.call("list_kinds")).isError).toBeUndefined();
});

test("an error of the program is logged and returned without the key", async () => {
  const lines: string[] = [];
  const failing: Tool = {
    ...{ name: "fail", title: "Fail", about: "Fails.", parameters: {}, isOpen: false },
    run: () => Promise.reject(new Error("broken at emulator-key")),
  };
  const { client } = await openServer(undefined, { folderTools: [failing], log: (line) => lines.push(line) });
  await client.call("list_objects", { kind: "region" });
  expect((await client.call("fail")).structuredContent).toEqual({ error: "Internal error: broken at ***" });
  expect(lines).toEqual(["fail failed: broken at ***"]);
});

/** Returns JSON in which each list with a row of that name has a copy of the row for each text. */
function expanded(value: unknown, name: string, texts: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const row = value.find((one) => JSON.stringify(one)?.includes(`"${name}"`) && !Array.isArray(one));
    if (row === undefined) return value.map((one) => expanded(one, name, texts));
    return texts.map((text, index) =>
      JSON.parse(JSON.stringify(row), (_, one) =>
        one === name || one === "about"
          ? text
          : typeof one === "string"
            ? one.replace(/[\da-f]{12}$/, String(index).padStart(12, "0"))
            : one,
      ),
    );
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expanded(one, name, texts)]));
}

test("500 hostile names and descriptions do not leave their place", async () => {
  const texts = drawnTexts(500);
  let isHostile = false;
  const wrap = changing((reply) => {
    if (!isHostile || !reply.body.includes('"seed"')) return reply;
    return { ...reply, body: JSON.stringify(expanded(JSON.parse(reply.body), "seed", texts)) };
  });
  const cloud = openCloud({ taskMs: 0 }, {}, { wrap });
  const { id: vpcId = "" } = await cloud.run(cloud.create("vpc", { name: "net" }));
  const metadata = { about: "about" };
  await cloud.run(cloud.create("volume", { vpcId, name: "seed", sizeGb: 1, volumeType: "ssd", metadata }));
  isHostile = true;
  const client = await connect(createServer(offerIn({ session: cloud.reopen() })));
  const { structuredContent: nets } = await cloud.run(client.call("list_objects", { kind: "vpc" }));
  const attributes = { vpc_id: nets.objects[0].id };
  let shown = 0;
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const args = { kind: "volume", attributes, limit: 200, ...(cursor === undefined ? {} : { cursor }) };
    const { content, structuredContent, isError } = await cloud.run(client.call("list_objects", args));
    expect([isError, content.length]).toEqual([undefined, 1]);
    expectInPlace(content[0]?.text ?? "", structuredContent);
    expect(content[0]?.text.length).toBeLessThan(250_000);
    expect(structuredContent.count).toBe(500);
    shown += structuredContent.objects.length;
    cursor = structuredContent.next_cursor;
  }
  expect(shown).toBe(500);
});

test("hostile error texts of the cloud do not leave their place", async () => {
  const texts = drawnTexts(60);
  let next = 0;
  const wrap = changing((reply) => ({
    ...reply,
    status: 400,
    body: JSON.stringify({ message: texts[next++ % texts.length] }),
  }));
  const cloud = openCloud({ taskMs: 0 }, {}, { wrap });
  const client = await connect(createServer(offerIn(cloud)));
  for (const kind of ["vpc", "instance-type", "image", "bucket", "inference-task", "access-key"])
    for (let round = 0; round < 10; round++) {
      const { content, structuredContent, isError } = await cloud.run(client.call("list_objects", { kind }));
      expect(isError).toBe(true);
      expectInPlace(content[0]?.text ?? "", structuredContent);
    }
  expect(next).toBeGreaterThanOrEqual(50);
});

test("a masked value is text, too", () => {
  expect(textOf({ a: sensitive })).toContain("(sensitive)");
});
