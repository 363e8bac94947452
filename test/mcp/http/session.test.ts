import { expect, test } from "@jest/globals";
import { createSessions } from "../../../mcp/http/session.ts";
import { createServer } from "../../../mcp/server.ts";
import { openCloud } from "../../support/cloud.ts";
import { offerIn } from "../client.ts";

const offer = offerIn(openCloud());
const idOf = (session: { transport: { sessionId?: string } } | undefined): string =>
  session?.transport.sessionId ?? "";

/** Opens a session, and sends its `initialize` request. */
async function opened(sessions: ReturnType<typeof createSessions>, owner: string) {
  const session = await sessions.open(owner, createServer(offer));
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const response = await session?.transport.handleRequest(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    }),
  );
  await response?.text();
  return session;
}

test("a session is found with its key only, and ends when it was idle for too long", async () => {
  let time = 0;
  const sessions = createSessions({ most: 5, mostPerKey: 5, idleMs: 100, now: () => time });
  const session = await opened(sessions, "a");
  const id = idOf(session);
  expect(id).toMatch(/^[\da-f-]{36}$/);
  expect(sessions.find(id, "a")).toBe(session);
  expect(sessions.find(id, "b")).toBeUndefined();
  expect(sessions.find("none", "a")).toBeUndefined();
  time = 90;
  sessions.find(id, "a");
  time = 180;
  sessions.sweep();
  expect(sessions.find(id, "a")).toBe(session);
  time = 300;
  sessions.sweep();
  expect(sessions.find(id, "a")).toBeUndefined();
});

test("a key with too many sessions loses the oldest one, and too many of all keys are refused", async () => {
  let time = 0;
  const sessions = createSessions({ most: 3, mostPerKey: 2, idleMs: 100, now: () => time });
  const first = idOf(await opened(sessions, "a"));
  time = 1;
  const second = await opened(sessions, "a");
  time = 2;
  sessions.find(first, "a");
  const third = idOf(await opened(sessions, "a"));
  expect(sessions.find(idOf(second), "a")).toBeUndefined();
  expect(sessions.find(first, "a")).toBeDefined();
  const last = await opened(sessions, "b");
  expect(await opened(sessions, "c")).toBeUndefined();
  await last?.transport.handleRequest(
    new Request("http://localhost/mcp", { method: "DELETE", headers: { "mcp-session-id": idOf(last) } }),
  );
  expect(await opened(sessions, "c")).toBeDefined();
  await sessions.close();
  expect(sessions.find(third, "a")).toBeUndefined();
});
