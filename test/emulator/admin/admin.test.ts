import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { realClock } from "../../../emulator/state/clock.ts";
import { at, type Cloud, cloud, makeVolume, makeVpc, vpcBody } from "../client.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/emulator.md"), "utf8");
const list = "GET /v1/highlvlvpc/get_vpc_list";

async function message(emulator: Cloud, request: string, body?: unknown): Promise<unknown[]> {
  const reply = await emulator.call(request, body === undefined ? {} : { body });
  return [reply.status, at(reply.body, "message")];
}

test("health returns the status, the seed and the clock", async () => {
  const reply = await cloud({ seed: "x" }).call("GET /_emulator/health", { headers: { authorization: "" } });
  expect(reply.body).toEqual({
    status: "ok",
    seed: "x",
    clock: { kind: "manual", now: 1_767_225_600_000, time: "2026-01-01T00:00:00.000Z" },
  });
});

test("the page at / and the guide list the same routes, and each of them exists", async () => {
  const page = await createEmulator().fetch("http://127.0.0.1:4242/");
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const text = await page.text();
  expect(text).toMatch(
    /^An emulator of the API\. Its address for SERVICE_BASE_URL is http:\/\/127\.0\.0\.1:4242\n/,
  );
  const routes = [...text.matchAll(/^ {2}(\w+ \/_emulator\/\S+) +(\S.*)$/gm)].map(([, route, about]) => [
    route,
    about,
  ]);
  expect(routes.length).toBeGreaterThan(15);
  const rows = guide.matchAll(/^\| `(\w+ \/_emulator\/\S+)` +\| (.*?) +\|$/gm);
  expect([...rows].map(([, route, about = ""]) => [route, about.replaceAll("`", "")])).toEqual(routes);
  for (const [route = ""] of routes) {
    const { status } = await cloud().call(
      route.replace(/\{\w+\}/, "none"),
      route.startsWith("GET") ? {} : { body: {} },
    );
    expect([route, status === 405 || (status === 404 && !route.includes("{"))]).toEqual([route, false]);
  }
});

test("other methods of / are requests of the API", async () => {
  expect((await cloud().call("POST /")).status).toBe(404);
});

test("the manual clock is read and advanced", async () => {
  const emulator = cloud();
  const reply = await emulator.call("POST /_emulator/clock/advance", { body: { ms: 1500 } });
  expect(reply.body).toEqual({ kind: "manual", now: 1_767_225_601_500, time: "2026-01-01T00:00:01.500Z" });
  expect((await emulator.call("GET /_emulator/clock")).body).toEqual(reply.body);
  expect((await message(emulator, "POST /_emulator/clock/advance", { ms: -1 }))[0]).toBe(400);
});

test("the real clock cannot be advanced", async () => {
  const emulator = createEmulator({ clock: realClock() });
  const init = { method: "POST", body: '{"ms":1}' };
  const reply = await emulator.fetch("http://127.0.0.1/_emulator/clock/advance", init);
  expect([reply.status, await reply.json()]).toEqual([
    409,
    { message: "only a manual clock can be advanced; start the emulator with --clock manual" },
  ]);
});

test("faults are added in either form, listed, removed and cleared", async () => {
  const emulator = cloud();
  const first = await emulator.call("POST /_emulator/faults", { body: { spec: "get_vpc_list#1=503" } });
  expect([first.status, first.body]).toEqual([201, { id: "fault-1" }]);
  const fields = { target: "*", kind: "429", retryAfter: "3", from: 2, times: 1 };
  expect((await emulator.call("POST /_emulator/faults", { body: fields })).body).toEqual({ id: "fault-2" });
  expect((await emulator.call(list)).status).toBe(503);
  expect((await emulator.call(list)).headers.get("retry-after")).toBe("3");
  expect((await emulator.call("GET /_emulator/faults")).body).toMatchObject([
    { id: "fault-1", target: "get_vpc_list", kind: "503", when: "before", calls: 2, hits: 1 },
    { id: "fault-2", target: "*", kind: "429", calls: 2, hits: 1 },
  ]);
  expect((await emulator.call("DELETE /_emulator/faults/fault-1")).status).toBe(204);
  expect(await message(emulator, "DELETE /_emulator/faults/fault-1")).toEqual([404, "no fault fault-1"]);
  expect((await emulator.call("DELETE /_emulator/faults")).status).toBe(204);
  expect(emulator.faults.list()).toEqual([]);
});

test("an invalid fault is a 400 with the reason", async () => {
  const emulator = cloud();
  expect(await message(emulator, "POST /_emulator/faults", { spec: "nope=503" })).toEqual([
    400,
    "no operation is called nope; `kcloud emulator --operations` lists them",
  ]);
  expect((await message(emulator, "POST /_emulator/faults", { kind: "503" }))[0]).toBe(400);
});

test("the log is listed, filtered, counted and cleared; control requests are not in it", async () => {
  const emulator = cloud();
  await emulator.call(list);
  await emulator.call("POST /v1/highlvlvpc/get_vpc", { body: {} });
  const log = await emulator.call("GET /_emulator/log?operation=get_vpc_list");
  expect(log.body).toMatchObject([
    { operation: "get_vpc_list", outcome: 200, headers: { authorization: "***" } },
  ]);
  expect((await emulator.call("GET /_emulator/log/counts")).body).toEqual({ get_vpc_list: 1, get_vpc: 1 });
  expect((await emulator.call("DELETE /_emulator/log")).status).toBe(204);
  expect((await emulator.call("GET /_emulator/log")).body).toEqual([]);
});

test("the settings are read and changed", async () => {
  const emulator = cloud();
  const body = { taskMs: 1, assume: { vpcCreateAnswersEmpty: true } };
  expect((await emulator.call("PATCH /_emulator/settings", { body })).body).toMatchObject(body);
  expect((await emulator.call("GET /_emulator/settings")).body).toMatchObject({ ...body, listingLagMs: 0 });
  expect(await message(emulator, "PATCH /_emulator/settings", { speed: 1 })).toEqual([
    400,
    'Unrecognized key: "speed"',
  ]);
});

test("an object is read, changed and deleted without the API", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator);
  const volume = await makeVolume(emulator, vpc);
  const path = `/_emulator/state/${volume}`;
  expect((await emulator.call(`GET ${path}`)).body).toMatchObject({ kind: "volume", name: "disk", size: 10 });
  const change = { size: 11, name: "renamed", metadata: { by: "hand" } };
  expect((await emulator.call(`PATCH ${path}`, { body: change })).body).toMatchObject(change);
  expect((await emulator.call(`GET /kbs/v1/volumes/${volume}`)).body).toMatchObject(change);
  expect(await message(emulator, `PATCH ${path}`, { colour: "red" })).toEqual([
    400,
    "colour: no field that can be changed",
  ]);
  expect(await message(emulator, `PATCH ${path}`, { krn: "x" })).toEqual([
    400,
    "krn: no field that can be changed",
  ]);
  expect(await message(emulator, `PATCH ${path}`, { size: "11" })).toEqual([
    400,
    "size: must be of type number",
  ]);
  expect((await emulator.call(`DELETE ${path}`)).status).toBe(204);
  expect((await emulator.call(`GET /kbs/v1/volumes/${volume}`)).status).toBe(404);
  expect(await message(emulator, `GET ${path}`)).toEqual([404, `no object ${volume}`]);
  expect(await message(emulator, `DELETE ${path}`)).toEqual([404, `no object ${volume}`]);
});

test("deleting a VPC without the API also deletes its dependents", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator);
  await makeVolume(emulator, vpc);
  const kept = await makeVpc(emulator, "kept");
  await emulator.call(`DELETE /_emulator/state/${vpc}`);
  const rest = (await emulator.call("GET /_emulator/state")).body as { name: string }[];
  expect(rest.map(({ name }) => name)).toEqual(["kept", "kept-network"]);
  expect((await emulator.call(list)).body).toMatchObject([{ vpcId: kept }]);
});

test("a reset removes objects, faults and log, and keeps the settings", async () => {
  const emulator = cloud({ taskMs: 77 });
  await makeVpc(emulator);
  await emulator.call("POST /_emulator/faults", { body: { spec: "*=503" } });
  expect((await emulator.call("POST /_emulator/reset")).status).toBe(204);
  expect([emulator.inventory.list(), emulator.faults.list(), emulator.log.count()]).toEqual([[], [], 0]);
  expect(emulator.settings().taskMs).toBe(77);
});

test("the operations are listed with their implementation status and their kinds", async () => {
  const rows = (await cloud().call("GET /_emulator/operations")).body as {
    name: string;
    built: boolean;
    kind?: string;
  }[];
  expect(rows.find(({ name }) => name === "create_vpc")).toEqual({
    name: "create_vpc",
    method: "POST",
    path: "/v1/highlvlvpc/create_vpc_async",
    section: "2.1",
    source: "seed",
    kind: "vpc",
    built: true,
  });
  const { built, kind } = rows.find(({ name }) => name === "create_user") ?? {};
  expect([built, kind]).toEqual([false, undefined]);
});

test("unknown admin routes, wrong methods and invalid bodies are rejected with their reason", async () => {
  const emulator = cloud();
  expect(await message(emulator, "GET /_emulator/nothing")).toEqual([
    404,
    "no admin route /_emulator/nothing",
  ]);
  expect(await message(emulator, "PUT /_emulator/faults", {})).toEqual([
    405,
    "PUT is not allowed here; GET, POST, DELETE is",
  ]);
  const reply = await emulator.call("POST /_emulator/faults", { text: "{" });
  expect([reply.status, at(reply.body, "message")]).toEqual([400, "body: not valid JSON"]);
});

test("faults and limits do not apply to admin routes", async () => {
  const emulator = cloud({ rateLimit: 1 });
  await emulator.call("POST /_emulator/faults", { body: { spec: "*=reset" } });
  await expect(emulator.call("POST /v1/highlvlvpc/create_vpc_async", { body: vpcBody() })).rejects.toThrow();
  for (let call = 0; call < 5; call += 1)
    expect((await emulator.call("GET /_emulator/health")).status).toBe(200);
});
