import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { notImplemented } from "../../emulator/model/not-implemented.ts";
import { listOperations } from "../../emulator/operation-list.ts";
import { at, cloud, makeVpc, region, vpcBody } from "./client.ts";

const createVpc = "POST /v1/highlvlvpc/create_vpc_async";
const list = "GET /v1/highlvlvpc/get_vpc_list";

test("a path outside the contract is a 404 in JSON", async () => {
  const reply = await cloud().call("GET /v1/nothing");
  expect(reply.status).toBe(404);
  expect(reply.body).toEqual({
    status: "failed",
    message: "no operation of the contract is GET /v1/nothing",
    detail: {},
  });
});

test("a request of a route with several operations that selects none is a 400 with the choices", async () => {
  const { status, body } = await cloud().call("POST /kbs/v1/volumes/vol/action", { body: {} });
  expect([status, JSON.stringify(body)]).toEqual([
    400,
    expect.stringContaining("query: one of op=extend, op=attach, op=detach is required"),
  ]);
});

test("every operation that is not implemented returns 501 with its name and contract section", async () => {
  const emulator = cloud();
  for (const { name, method, path, section, select } of notImplemented) {
    const query = select ? `?${new URLSearchParams(select)}` : "";
    const reply = await emulator.call(`${method} ${path.replaceAll(/[{}]/g, "")}${query}`);
    expect([reply.status, at(reply.body, "detail")]).toEqual([501, { operation: name, section }]);
  }
});

test("the list of operations names each once and covers every section of the contract that has any", () => {
  const operations = listOperations();
  const names = operations.map(({ name }) => name);
  const requests = operations.map(({ method, path, select }) => JSON.stringify([method, path, select]));
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(requests).size).toBe(requests.length);
  const sections = [...new Set(operations.map(({ section }) => section))];
  expect(sections.join(" ")).toBe("1.2 2.1 2.2 2.3 3 4 5 6 7 8 9.1 9.2 9.3 9.4 9.5 10 11 12 13 14 18");
});

test.each([
  ["no credential", "", "missing bearer token"],
  ["another scheme", "Basic emulator-key", "invalid API key; the emulator accepts only its own"],
  ["another key", "Bearer real-key", "invalid API key; the emulator accepts only its own"],
  ["a doubled scheme", "Bearer Bearer emulator-key", "invalid API key; the emulator accepts only its own"],
])("%s is a 401", async (_, authorization, message) => {
  const reply = await cloud().call(list, { headers: { authorization } });
  expect([reply.status, at(reply.body, "message")]).toEqual([401, message]);
});

test("the API key is configurable", async () => {
  const emulator = cloud({ apiKey: "mine" });
  expect((await emulator.call(list)).status).toBe(401);
  expect((await emulator.call(list, { headers: { authorization: "bearer mine" } })).status).toBe(200);
});

test.each([
  ["a list for an object", [], "body: must be of type object"],
  ["null", null, "body: must be of type object"],
  [
    "several faults at once",
    { vpc: { name: 1 }, network: {}, subnet: {} },
    "vpc.name: must be of type string; network.name: required",
  ],
])("a body with %s is a 400 that names it", async (_, body, message) => {
  const emulator = cloud();
  const reply = await emulator.call(createVpc, { body });
  expect([reply.status, at(reply.body, "message")]).toEqual([400, message]);
  expect(emulator.inventory.list()).toEqual([]);
});

test("a missing body, or one that is not JSON, is a 400", async () => {
  const emulator = cloud();
  expect(at((await emulator.call(createVpc)).body, "message")).toBe("body: required");
  expect(at((await emulator.call(createVpc, { text: "{" })).body, "message")).toBe("body: not valid JSON");
});

test("a body is decoded as JSON, even with another content type", async () => {
  const reply = await cloud().call(createVpc, { body: vpcBody(), headers: { "content-type": "text/plain" } });
  expect(reply.status).toBe(202);
});

test("a missing or malformed region is a 400", async () => {
  const emulator = cloud();
  const missing = await emulator.call(list, { headers: { "x-region": "" } });
  expect([missing.status, at(missing.body, "message")]).toEqual([400, "header x-region: required"]);
  emulator.configure({ assume: { regions: [] } });
  const malformed = await emulator.call(list, { headers: { "x-region": "a b" } });
  expect(at(malformed.body, "message")).toBe("header x-region: must be a region name such as In-Bangalore-1");
});

test("the two documented regions exist, and with an empty switch every well-formed one", async () => {
  const headers = { "x-region": "colo-1" };
  expect((await cloud({ assume: { regions: [] } }).call(list, { headers })).status).toBe(200);
  const reply = await cloud().call(list, { headers });
  expect([reply.status, at(reply.body, "message")]).toEqual([
    404,
    "header x-region: no region colo-1; there are In-Bangalore-1, In-Hyderabad-1",
  ]);
});

test.each([
  ["message", { status: "failed", message: "missing bearer token", detail: {} }],
  ["error-object", { error: { message: "missing bearer token", code: 401 } }],
  ["error", { error: "missing bearer token" }],
  ["detail", { detail: "missing bearer token" }],
  ["msg", { msg: "missing bearer token" }],
  ["text", "missing bearer token"],
] as const)("errors come in the shape %s if a switch is set", async (errorBody, body) => {
  const reply = await cloud({ assume: { errorBody } }).call(list, { headers: { authorization: "" } });
  expect(reply.body).toEqual(body);
});

test("the firewall rejects raw shell text with a web page if a switch is set", async () => {
  const emulator = cloud({ assume: { firewall: true } });
  const body = vpcBody("a", { vpc: { name: "a", description: "x && y" } });
  const reply = await emulator.call(createVpc, { body });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
  expect(String(reply.body)).toContain("Access Denied");
  expect(emulator.inventory.list()).toEqual([]);
});

test("a name can select a rejection with a status", async () => {
  const reply = await cloud().call(createVpc, { body: vpcBody("net-error-503") });
  expect([reply.status, at(reply.body, "message")]).toEqual([
    503,
    "refused because of the name net-error-503",
  ]);
});

test("requests above the rate limit get 429 with the seconds to wait, and succeed after that time", async () => {
  const emulator = cloud({ rateLimit: 2 });
  const statuses = async () => (await emulator.call(list)).status;
  expect([await statuses(), await statuses(), await statuses()]).toEqual([200, 200, 429]);
  expect((await emulator.call(list)).headers.get("retry-after")).toBe("1");
  await emulator.clock.advance(500);
  expect([await statuses(), await statuses()]).toEqual([200, 429]);
});

test("latency delays a request on the clock, and a client that disconnects does not stop it", async () => {
  const emulator = cloud({ latencyMs: 100 });
  const leave = new AbortController();
  const request = new Request("http://127.0.0.1/v1/highlvlvpc/create_vpc_async", {
    method: "POST",
    headers: { authorization: "Bearer emulator-key", "x-region": region },
    body: JSON.stringify(vpcBody()),
    signal: leave.signal,
  });
  const answer = emulator.fetch(request);
  await emulator.clock.advance(99);
  expect(emulator.inventory.list()).toEqual([]);
  leave.abort();
  await expect(answer).rejects.toThrow("This operation was aborted");
  await emulator.clock.advance(1);
  expect(emulator.inventory.list().map(({ kind }) => kind)).toEqual(["vpc", "network"]);
});

test("the same seed gives the same ids, another one others, and a reset restarts them", async () => {
  const [one, same, other] = [cloud({ seed: "a" }), cloud({ seed: "a" }), cloud({ seed: "b" })];
  const krn = await makeVpc(one);
  expect(await makeVpc(same)).toBe(krn);
  expect(await makeVpc(other)).not.toBe(krn);
  one.reset();
  expect(one.inventory.list()).toEqual([]);
  expect(one.log.count()).toBe(0);
  expect(await makeVpc(one)).toBe(krn);
});

test("ids are KRNs of a fictional account", async () => {
  expect(await makeVpc(cloud())).toBe(
    "krn:vpc:In-Bangalore-1:000000000000:00000000-0000-4000-8000-000000000000:vpc:5070ef53-16af-4bc0-8bc5-93a7dbfd69f0",
  );
});

test("a masked id is rejected with the opaque error of the service", async () => {
  const krn = (await makeVpc(cloud())).replace("00000000-0000-4000-8000-000000000000", "***");
  const reply = await cloud().call("POST /v1/highlvlvpc/get_vpc", { body: { vpc_id: krn } });
  expect([reply.status, at(reply.body, "message")]).toEqual([400, "invalid krn"]);
});

test("the settings can be changed while the emulator runs, and an invalid one changes nothing", async () => {
  const emulator = cloud();
  emulator.configure({ taskMs: 5, assume: { equalNames: false } });
  emulator.configure({ latencyMs: 7 });
  expect(emulator.settings()).toMatchObject({ taskMs: 5, latencyMs: 7, assume: { equalNames: false } });
  expect(() => emulator.configure({ taskMs: -1 })).toThrow();
  expect(emulator.settings().taskMs).toBe(5);
});

test("the emulator uses time in one file only", () => {
  const folder = new URL("../../emulator/", import.meta.url);
  const time = /\bDate\b|setTimeout|setInterval|setImmediate|performance|Math\.random|randomUUID|randomBytes/;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .filter((name) => time.test(readFileSync(new URL(name, folder), "utf8")));
  expect(files).toEqual(["state/clock.ts"]);
});
