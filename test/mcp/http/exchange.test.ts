import { createServer, type IncomingMessage, type RequestListener, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { bodyOf, mostBytes, refusal, requestOf, sendResponse } from "../../../mcp/http/exchange.ts";

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closes.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

test("a request has its headers without the credential, and its body unless it is too large", async () => {
  const port = await listen(async (incoming, response) => {
    const body = await bodyOf(incoming);
    const { signal } = new AbortController();
    if (body === undefined) return void sendResponse(refusal(413, "too large"), response);
    const copied = requestOf(incoming, { url: "http://localhost/mcp", body, signal });
    const headers = Object.fromEntries(copied.headers);
    await sendResponse(Response.json({ body: await copied.text(), headers }), response);
  });
  const send = (body: string | ReadableStream) =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      headers: { authorization: "Bearer key", "x-other": "a" },
      body,
      duplex: "half",
    } as RequestInit);
  const { body, headers } = (await (await send("text")).json()) as { body: string; headers: object };
  expect([body, headers]).toEqual(["text", expect.objectContaining({ "x-other": "a" })]);
  expect(headers).not.toHaveProperty("authorization");
  expect((await send("x".repeat(mostBytes + 1))).status).toBe(413);
  const chunks = new ReadableStream({
    start(controller) {
      for (let part = 0; part < 18; part++) controller.enqueue(new Uint8Array(65_536));
      controller.close();
    },
  });
  expect((await send(chunks)).status).toBe(413);
});

test("the headers of a response do not wait for its body, which is complete when its end follows its part at once", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const port = await listen(({ url }, response) => {
    const body = new ReadableStream({
      async start(controller) {
        if (url === "/late") await released;
        controller.enqueue(new TextEncoder().encode("data: x"));
        controller.close();
      },
    });
    void sendResponse(new Response(body), response);
  });
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("data: x");
  const late = await fetch(`http://127.0.0.1:${port}/late`);
  release();
  expect(await late.text()).toBe("data: x");
});

test("the source of a body ends when the client leaves", async () => {
  let end = () => {};
  const cancelled = new Promise<void>((resolve) => {
    end = resolve;
  });
  const port = await listen((_, response) => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("first")),
      cancel: () => end(),
    });
    void sendResponse(new Response(body), response);
  });
  const client = request({ port, host: "127.0.0.1" }, (response: IncomingMessage) => {
    response.once("data", () => client.destroy());
  });
  client.on("error", () => {});
  client.end();
  await cancelled;
});
