import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { createAccounts } from "../../../mcp/account.ts";
import { type HttpServer, serveHttp } from "../../../mcp/http/http.ts";
import { openObjects } from "../../../mcp/object/object.ts";
import { createServer } from "../../../mcp/server.ts";
import { type Content, opening } from "../client.ts";

/** Changes over HTTP: the digest of a preview belongs to a session or, without sessions, to the key. */

const emulator = createEmulator({ taskMs: 0 });
const lines: string[] = [];
const log = (line: string) => void lines.push(line);
let cloud: Awaited<ReturnType<typeof emulator.listen>>;
let server: HttpServer;
let close = async () => {};

beforeAll(async () => {
  cloud = await emulator.listen();
  const accounts = createAccounts(
    { baseUrl: cloud.url, region: "In-Bangalore-1", accountId: "000000000000", maxRequestsPerSecond: 0 },
    { openObjects },
    { allowsWrites: true, log },
  );
  server = await serveHttp({
    ...{ host: "127.0.0.1", port: 0, tls: undefined, hostNames: [], accounts, log },
    serverOf: (account, previews) =>
      createServer({
        ...{ account, previews, about: async () => ({}), folderTools: [], log },
        stop: new AbortController().signal,
      }),
  });
  close = async () => {
    await server.close();
    await accounts.close();
    await cloud.close();
  };
});
afterAll(() => close());

const key = "emulator-key";

/** Sends a message. Calls \`got\` with each message of the response. */
async function send(
  headers: Readonly<Record<string, string>>,
  body: object,
  got: (message: Content) => void = () => {},
): Promise<{ readonly status: number; readonly session: string; readonly last: Content }> {
  const sent = request(server.url, {
    method: "POST",
    headers: {
      ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
      ...{ authorization: `Bearer ${key}`, ...headers },
    },
  });
  sent.end(JSON.stringify({ jsonrpc: "2.0", ...body }));
  const [response] = await once(sent, "response");
  let text = "";
  let last: Content;
  for await (const part of response) {
    text += part;
    const parts = text.split("\n");
    text = parts.pop() ?? "";
    for (const line of parts) {
      const [, data] = /^data: (.+)$/.exec(line) ?? [];
      if (data === undefined) continue;
      last = JSON.parse(data);
      got(last);
    }
  }
  if (text.startsWith("{")) last = JSON.parse(text);
  return { status: response.statusCode, session: String(response.headers["mcp-session-id"]), last };
}

/** Opens a session. Returns the function that calls a tool in it. */
async function session(capabilities: object = {}, answer?: (message: Content) => object) {
  const { session: id } = await send(
    {},
    { id: 1, method: "initialize", params: { ...opening, capabilities } },
  );
  const headers = { "mcp-session-id": id, "mcp-protocol-version": opening.protocolVersion };
  await send(headers, { method: "notifications/initialized" });
  let next = 1;
  return async (name: string, args: object): Promise<Content> => {
    next += 1;
    const { last } = await send(
      headers,
      { id: next, method: "tools/call", params: { name, arguments: args } },
      (message) => {
        if (message.method !== undefined && message.id !== undefined && answer !== undefined)
          void send(headers, { id: message.id, result: answer(message) });
      },
    );
    return last.result.structuredContent ?? last.result;
  };
}

/** Calls a tool without a session. */
async function stateless(
  name: string,
  args: object,
  more: object = {},
  capabilities: object = {},
): Promise<Content> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const { last } = await send(
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
    { id: 1, method: "tools/call", params: { name, arguments: args, _meta: meta, ...more } },
  );
  return last.result ?? last;
}

const bucketNamed = async (call: Awaited<ReturnType<typeof session>>, name: string) => {
  const { response } = await call("change", { operation: "create_bucket", parameters: { name } });
  await call("change", {
    ...{
      operation: "create_bucket_policy",
      parameters: { bucketId: response.krn, readWriteIps: ["10.0.0.0/8"] },
    },
  });
  return { operation: "delete_bucket_policy", parameters: { bucketId: response.krn } };
};
const removals = () => emulator.log.counts().delete_bucket_policy ?? 0;

test("the digest of a session is unknown in another one, and to calls without a session", async () => {
  const [one, other] = [await session(), await session()];
  const target = await bucketNamed(one, "first");
  const { digest } = await one("preview_destruction", target);
  const unknown = /^The digest is that of no preview of this session/;
  expect((await other("destroy", { ...target, digest })).error).toMatch(unknown);
  expect((await stateless("destroy", { ...target, digest })).structuredContent.error).toMatch(unknown);
  expect(removals()).toBe(0);
  expect(await one("destroy", { ...target, digest })).toMatchObject({ result: "accepted" });
  expect(removals()).toBe(1);
});

test("without sessions, a digest is that of the key, and is used once", async () => {
  const target = await bucketNamed(await session(), "second");
  const { digest } = (await stateless("preview_destruction", target)).structuredContent;
  expect((await stateless("destroy", { ...target, digest })).structuredContent).toMatchObject({
    result: "accepted",
  });
  expect((await stateless("destroy", { ...target, digest })).structuredContent.error).toMatch(
    /^The digest was used/,
  );
});

test("the user of a session is asked in the middle of the call", async () => {
  const asked: Content[] = [];
  const typed = { action: "accept", content: { confirm: "" } };
  const call = await session({ elicitation: { form: {} } }, (message) => {
    asked.push(message.params);
    return typed;
  });
  const target = await bucketNamed(call, "third");
  const before = removals();
  const first = await call("preview_destruction", target);
  expect(first.confirmed_by).toBe("the user of the client, who is asked");
  expect((await call("destroy", { ...target, digest: first.digest })).error).toMatch(
    /^The user did not confirm/,
  );
  expect([asked.length, removals()]).toEqual([1, before]);
  typed.content.confirm = target.parameters.bucketId;
  const second = await call("preview_destruction", target);
  expect(await call("destroy", { ...target, digest: second.digest })).toMatchObject({ result: "accepted" });
  expect([asked.length, removals()]).toEqual([2, before + 1]);
});

test("without sessions, the user is asked by the result, and the call is sent again with the answer", async () => {
  const target = await bucketNamed(await session(), "fourth");
  const forms = { elicitation: { form: {} } };
  const preview = async () =>
    (await stateless("preview_destruction", target, {}, forms)).structuredContent.digest;
  const destroy = (digest: string, answer?: object) =>
    stateless(
      "destroy",
      { ...target, digest },
      answer === undefined ? {} : { inputResponses: { confirm: answer } },
      forms,
    );
  const accept = { action: "accept", content: { confirm: target.parameters.bucketId } };
  const before = removals();

  // An answer without a question is ignored.
  const early = await destroy(await preview(), accept);
  expect([early.resultType, removals()]).toEqual(["input_required", before]);

  const declined = await preview();
  expect(await destroy(declined)).toMatchObject({
    resultType: "input_required",
    inputRequests: { confirm: { method: "elicitation/create", params: { mode: "form" } } },
  });
  expect((await destroy(declined, { action: "decline" })).structuredContent.error).toMatch(
    /^The user did not confirm/,
  );
  expect((await destroy(declined, accept)).structuredContent.error).toMatch(/^The digest was used/);

  const digest = await preview();
  await destroy(digest);
  // The client that shows no form any more cannot go round the question.
  expect((await stateless("destroy", { ...target, digest })).structuredContent.error).toMatch(
    /^The digest is used by a call that waits for its user/,
  );
  expect(removals()).toBe(before);
  expect((await destroy(digest, accept)).structuredContent).toMatchObject({ result: "accepted" });
  expect(removals()).toBe(before + 1);
});

test("the log and the results have no key", () => {
  expect(lines.join("\n")).not.toContain(key);
});
