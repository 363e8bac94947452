import { expect, test } from "@jest/globals";
import { createSessions } from "../../../mcp/http/session.ts";
import { createServer } from "../../../mcp/server.ts";
import { openCloud } from "../../support/cloud.ts";
import { offerIn } from "../client.ts";

const offer = offerIn(openCloud());
const idOf = (session: { transport: { sessionId?: string } }): string => session.transport.sessionId ?? "";

/** Opens a session, and sends its `initialize` request. */
async function opened(sessions: ReturnType<typeof createSessions>, digest: string, isAccepted = true) {
  const session = await sessions.open({ digest, isAccepted: () => isAccepted }, createServer(offer));
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const response = await session.transport.handleRequest(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    }),
  );
  await response.text();
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

test("a key with too many sessions loses the one that was used the longest time ago, and so do all keys together", async () => {
  let time = 0;
  const sessions = createSessions({ most: 3, mostPerKey: 2, idleMs: 100, now: () => time });
  const open = async (owner: string) => {
    time += 1;
    return idOf(await opened(sessions, owner));
  };
  const [first, second] = [await open("a"), await open("a")];
  time += 1;
  sessions.find(first, "a");
  const third = await open("a");
  const isOpen = (id: string, owner: string) => sessions.find(id, owner) !== undefined;
  expect([isOpen(first, "a"), isOpen(second, "a"), isOpen(third, "a")]).toEqual([true, false, true]);
  const other = await open("b");
  time += 1;
  expect([isOpen(first, "a"), isOpen(other, "b")]).toEqual([true, true]);
  const last = await open("c");
  expect([isOpen(third, "a"), isOpen(other, "b"), isOpen(last, "c")]).toEqual([false, true, true]);
  await sessions.close();
  expect([isOpen(first, "a"), isOpen(last, "c")]).toEqual([false, false]);
});

test("sessions of keys that the API has not accepted end before those of the others", async () => {
  let time = 0;
  const sessions = createSessions({ most: 3, mostPerKey: 2, idleMs: 100, now: () => time });
  const open = async (owner: string, isAccepted: boolean) => {
    time += 1;
    return idOf(await opened(sessions, owner, isAccepted));
  };
  const first = await open("a", true);
  const invented = await open("x1", false);
  for (const owner of ["x2", "x3", "x4"]) await open(owner, false);
  expect([sessions.find(first, "a") !== undefined, sessions.find(invented, "x1")]).toEqual([true, undefined]);
  await sessions.close();
});

test("a session ends when its client asks for it", async () => {
  const sessions = createSessions({ most: 3, mostPerKey: 2, idleMs: 100, now: () => 0 });
  const session = await opened(sessions, "a");
  await session.transport.handleRequest(
    new Request("http://localhost/mcp", { method: "DELETE", headers: { "mcp-session-id": idOf(session) } }),
  );
  expect(sessions.find(idOf(session), "a")).toBeUndefined();
});
