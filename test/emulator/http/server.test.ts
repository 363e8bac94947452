import { type IncomingMessage, request } from "node:http";
import { afterAll, expect, test } from "@jest/globals";
import { parseFault } from "../../../emulator/fault/notation.ts";
import { cloud, region, vpcBody } from "../client.ts";

const emulator = cloud();
const server = await emulator.listen();
afterAll(() => server.close());

const headers = { authorization: "Bearer emulator-key", "x-region": region };
const list = "/v1/highlvlvpc/get_vpc_list";

function status(path: string, more: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(server.url);
    const options = { host: "127.0.0.1", port, path, headers: { ...headers, ...more } };
    const outgoing = request(options, (reply: IncomingMessage) => {
      reply.resume();
      reply.on("end", () => resolve(reply.statusCode));
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/** Returns the code of a connection error, which `fetch` has in the error's cause. */
async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    return (error as { cause: { code: unknown } }).cause.code;
  }
}

function post(spec: string): Promise<Response> {
  emulator.faults.clear();
  emulator.faults.add(parseFault(`create_vpc=${spec}`));
  return fetch(`${server.url}/v1/highlvlvpc/create_vpc_async`, {
    method: "POST",
    headers,
    body: JSON.stringify(vpcBody()),
  });
}

test("the server listens on the loopback address and returns the responses of fetch", async () => {
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const reply = await fetch(`${server.url}${list}`, { headers });
  expect([reply.status, reply.headers.get("content-type"), await reply.text()]).toEqual([
    200,
    "application/json",
    "[]",
  ]);
});

test("a Host that is not this machine is rejected, which prevents DNS rebinding", async () => {
  const { port } = new URL(server.url);
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example", "10.0.0.1", "a b"]) {
    expect([host, await status(list, { host })]).toEqual([host, 403]);
    expect([host, await status("/_emulator/health", { host })]).toEqual([host, 403]);
  }
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, "[::1]", "LOCALHOST"]) {
    expect([host, await status(list, { host })]).toEqual([host, 200]);
  }
});

test("an absolute address in the request line names the host too", async () => {
  expect(await status("http://evil.example/x")).toBe(403);
});

test("a request of a page from another site is rejected, one of this machine is not", async () => {
  expect(await status("/_emulator/health", { origin: "https://evil.example" })).toBe(403);
  expect(await status("/_emulator/health", { origin: "null" })).toBe(403);
  expect(await status("/_emulator/health", { origin: "http://localhost:3000" })).toBe(200);
});

test("a body above the limit is a 413", async () => {
  const body = "x".repeat(16 * 1024 * 1024 + 1);
  const reply = await fetch(`${server.url}/kbs/v1/volumes`, { method: "POST", headers, body });
  expect([reply.status, await reply.json()]).toEqual([
    413,
    { status: "failed", message: "a body of more than 16777216 bytes" },
  ]);
});

test("connections break over sockets as they do in fetch", async () => {
  expect(await failure(post("after-reset"))).toBe("ECONNRESET");
  expect(await failure(post("before-fin"))).toBe("UND_ERR_SOCKET");
  for (const kind of ["cut-length", "cut-chunked"]) {
    const reply = await post(kind);
    expect(reply.status).toBe(202);
    expect(await failure(reply.text())).toBe("UND_ERR_SOCKET");
  }
});

test("a response that is never sent, or never ends, lasts until the client disconnects", async () => {
  const leave = new AbortController();
  const slow = await post("slow-loris");
  expect(slow.status).toBe(202);
  emulator.faults.add(parseFault("get_vpc_list=hang"));
  const silent = fetch(`${server.url}${list}`, { headers, signal: leave.signal });
  leave.abort(new Error("given up"));
  await expect(silent).rejects.toThrow("given up");
  await slow.body?.cancel();
});

test("unusual responses pass through the sockets unchanged", async () => {
  expect((await post("no-content")).status).toBe(204);
  expect(await (await post("empty-200")).text()).toBe("");
  expect((await (await post("oversize")).bytes()).length).toBeGreaterThan(32 * 1024 * 1024);
  expect(await failure((await post("bad-gzip")).text())).toBe("Z_DATA_ERROR");
  const html = await post("html-403");
  expect(html.headers.get("content-type")).toBe("text/html; charset=utf-8");
});

test("closing ends hanging connections", async () => {
  const other = cloud({ latencyMs: 1000 });
  other.faults.add(parseFault("get_vpc=hang"));
  const { url, close } = await other.listen();
  const hanging = failure(fetch(`${url}/v1/highlvlvpc/get_vpc`, { method: "POST", headers, body: "{}" }));
  const waiting = failure(fetch(`${url}${list}`, { headers }));
  await fetch(`${url}/_emulator/health`);
  await close();
  // The error code depends on how far the request had progressed.
  const broken = expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET)$/);
  expect([await hanging, await waiting]).toEqual([broken, broken]);
  expect(await failure(fetch(`${url}${list}`))).toBe("ECONNREFUSED");
});

test("a port in use is an error", async () => {
  const port = Number(new URL(server.url).port);
  await expect(cloud().listen({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});
