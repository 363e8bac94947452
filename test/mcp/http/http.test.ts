import { request } from "node:http";
import { request as secureRequest } from "node:https";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createAccounts } from "../../../mcp/account.ts";
import { type HttpServer, serveHttp } from "../../../mcp/http/http.ts";
import { objectsIn } from "../../../mcp/object/object.ts";
import { createServer } from "../../../mcp/server.ts";
import type { Tool } from "../../../mcp/tool/tool.ts";
import { readOnly } from "../../../provider/engine/engine.ts";
import { makeCertificate } from "../../../provider/grpc/certificate.ts";
import { openCloud } from "../../support/cloud.ts";
import { opening } from "../client.ts";

const keys: string[] = [];
const lines: string[] = [];
const aborted: string[] = [];
const accounts = createAccounts(
  { baseUrl: "http://127.0.0.1:1" },
  {
    openObjects: ({ apiKey }) => {
      keys.push(String(apiKey));
      return objectsIn(readOnly(openCloud().session), [String(apiKey)]);
    },
  },
);

/** Tool that waits until its call ends. */
const wait: Tool = {
  ...{ name: "wait", title: "Wait", about: "Waits.", parameters: {}, isOpen: false },
  async run(_, { signal, report }) {
    report("waiting");
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    aborted.push("wait");
    throw signal.reason;
  },
};

let server: HttpServer;
beforeAll(async () => {
  server = await serveHttp({
    ...{ host: "127.0.0.1", port: 0, tls: undefined, hostNames: ["Tools.example"], accounts },
    serverOf: (account) =>
      createServer({
        account,
        about: async () => ({}),
        folderTools: [wait],
        previews: undefined,
        stop: new AbortController().signal,
        log: (line) => void lines.push(line),
      }),
    log: (line) => void lines.push(line),
  });
});
afterAll(async () => {
  await server.close();
  await accounts.close();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request with these headers; `Host` too, which `fetch` does not send. */
function send(
  headers: Readonly<Record<string, string>>,
  body?: unknown,
  { method = "POST", path = "/mcp" }: { readonly method?: string; readonly path?: string } = {},
): Promise<Answer> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: "127.0.0.1", port, method, path },
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          ...headers,
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  });
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const message = (method: string, params?: object, id = 1) => ({ jsonrpc: "2.0", id, method, params });
const initialize = message("initialize", opening);
/** Returns the message in an answer, which is JSON or an event stream. */
const messageIn = ({ text }: Answer) => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
const idIn = ({ headers }: Answer) => String(headers["mcp-session-id"]);

test("a request without a key is refused, and names no authorization server", async () => {
  for (const headers of [{}, { authorization: "Basic a2V5" }, { authorization: "Bearer " }]) {
    const { status, headers: answered, text } = await send(headers, initialize);
    expect([status, answered["www-authenticate"]]).toEqual([401, 'Bearer realm="kcloud"']);
    expect(JSON.parse(text).error.message).toBe(
      "The API key is missing: send the header Authorization: Bearer API_KEY.",
    );
  }
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.c2ln";
  const refused = await send(bearer(token), initialize);
  expect([refused.status, messageIn(refused).error.message]).toEqual([
    401,
    expect.stringContaining("a console access token is not accepted in place of the API key"),
  ]);
  const { status } = await send({}, undefined, {
    method: "GET",
    path: "/.well-known/oauth-protected-resource",
  });
  expect(status).toBe(404);
});

test("a session belongs to its key: under another one it does not exist", async () => {
  const opened = await send(bearer("key-1"), initialize);
  expect([opened.status, messageIn(opened).result.serverInfo.name]).toEqual([200, "kcloud"]);
  const id = idIn(opened);
  const list = (key: string) => send({ ...bearer(key), "mcp-session-id": id }, message("tools/list"));
  expect(messageIn(await list("key-1")).result.tools.length).toBeGreaterThan(5);
  const other = await list("key-2");
  expect([other.status, messageIn(other).error.message]).toEqual([
    404,
    "There is no such session: initialize a new one.",
  ]);
  const gone = await send({ ...bearer("key-1"), "mcp-session-id": id }, undefined, { method: "DELETE" });
  expect([gone.status, (await list("key-1")).status]).toEqual([200, 404]);
});

test("a client of the version without sessions sends its key with each request", async () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const answer = await send(
    {
      ...bearer("key-3"),
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "list_kinds",
    },
    message("tools/call", { name: "list_kinds", arguments: {}, _meta: meta }),
  );
  expect([answer.status, answer.headers["mcp-session-id"]]).toEqual([200, undefined]);
  expect(messageIn(answer).result.structuredContent.kinds.length).toBeGreaterThan(20);
});

test("a key with the prefix of its header is used without it, which is said once", async () => {
  const opened = await send({ authorization: "Bearer Bearer Bearer key-4" }, initialize);
  const id = idIn(opened);
  const { status } = await send({ ...bearer("key-4"), "mcp-session-id": id }, message("tools/list"));
  await send({ authorization: "Bearer Bearer key-4" }, initialize);
  expect([status, lines.filter((line) => line.includes('"Bearer "'))]).toEqual([
    200,
    ['a client sends "Bearer " in front of its API key: the key is used without it'],
  ]);
});

test.each([
  [{ host: "evil.example" }],
  [{ host: "127.0.0.1.evil.example" }],
  [{ origin: "https://evil.example" }],
  [{ origin: "null" }],
  [{ origin: "javascript://localhost" }],
  [{ origin: "http://user@localhost" }],
  [{ host: "user@localhost" }],
  [{ host: "localhost/evil" }],
  [{ host: "localhost#evil" }],
  [{ host: "localhost:80:80" }],
  [{ host: "evil.example", origin: "http://localhost" }],
])("a request with %j is forbidden", async (headers) => {
  expect((await send({ ...bearer("key-1"), ...headers }, initialize)).status).toBe(403);
});

test.each([
  [{ host: "tools.example" }],
  [{ host: "localhost:9" }],
  [{ origin: "https://tools.example:8443" }],
])("a request with %j is accepted", async (headers) => {
  expect((await send({ ...bearer("key-5"), ...headers }, initialize)).status).toBe(200);
});

test("other paths, methods, bodies and messages without a session are refused", async () => {
  const key = bearer("key-1");
  expect((await send(key, initialize, { path: "/" })).status).toBe(404);
  expect((await send(key, undefined, { method: "OPTIONS" })).status).toBe(405);
  expect((await send(key, undefined, { method: "PUT" })).status).toBe(405);
  expect((await send(key, "x".repeat(1024 * 1024 + 1))).status).toBe(413);
  expect((await send(key, message("tools/list"))).status).toBe(400);
  for (const body of ["no JSON", "null", "[]", "1", '{"jsonrpc": "2.0"}'])
    expect((await send(key, body)).status).toBe(400);
  expect((await send(key, "body", { method: "GET" })).status).toBe(400);
  expect((await send(key, undefined, { method: "GET" })).status).toBe(400);
  expect((await send({ ...key, "mcp-session-id": "none" }, message("tools/list"))).status).toBe(404);
  expect((await send({ authorization: "Bearer a b" }, initialize)).status).toBe(401);
});

test("a call ends when its client closes the connection", async () => {
  const id = idIn(await send(bearer("key-6"), initialize));
  const { port } = new URL(server.url);
  const sent = request({
    ...{ host: "127.0.0.1", port, path: "/mcp", method: "POST" },
    headers: {
      ...bearer("key-6"),
      ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
      "mcp-session-id": id,
    },
  });
  sent.on("error", () => {});
  sent.on("response", (response) => response.once("data", () => sent.destroy()));
  const params = { name: "wait", arguments: {}, _meta: { progressToken: 1 } };
  sent.end(JSON.stringify(message("tools/call", params, 7)));
  while (aborted.length === 0) await new Promise((resolve) => setImmediate(resolve));
});

test("the key is in no line of the log, and reaches only the settings of its account", async () => {
  const id = idIn(await send(bearer("canary-key-7"), initialize));
  const params = { name: "list_objects", arguments: { kind: "vpc" } };
  const answer = await send(
    { ...bearer("canary-key-7"), "mcp-session-id": id },
    message("tools/call", params),
  );
  expect(answer.text).not.toContain("canary-key-7");
  expect(lines.join()).not.toContain("canary-key-7");
  expect(keys).toContain("canary-key-7");
});

test("a server with a certificate serves over TLS, and an address that is in use is an error", async () => {
  const { cert, key } = makeCertificate(Date.now());
  const options = {
    ...{ host: "127.0.0.1", port: 0, tls: { cert, key }, hostNames: [], accounts, log: () => {} },
    serverOf: () => {
      throw new Error("not called");
    },
  };
  const secure = await serveHttp(options);
  expect(secure.url).toMatch(/^https:/);
  const { port } = new URL(secure.url);
  const status = await new Promise((resolve, reject) => {
    secureRequest(
      {
        host: "127.0.0.1",
        port,
        path: "/mcp",
        method: "POST",
        ca: cert,
        checkServerIdentity: () => undefined,
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    )
      .on("error", reject)
      .end();
  });
  expect(status).toBe(401);
  await expect(serveHttp({ ...options, port: Number(port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await secure.close();
});
