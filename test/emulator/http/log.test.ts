import { expect, test } from "@jest/globals";
import { createLog, maskSecrets } from "../../../emulator/http/log.ts";
import { cloud, region, vpcBody } from "../client.ts";

test("a request is logged with its operation, answer and time, and without its key", async () => {
  const lines: string[] = [];
  const emulator = cloud({ latencyMs: 30, write: (line) => lines.push(line) });
  const reply = emulator.call("POST /v1/highlvlvpc/create_vpc_async", { body: vpcBody() });
  await emulator.clock.advance(30);
  expect((await reply).headers.get("x-request-id")).toBe("request-1");
  expect(emulator.log.entries()).toEqual([
    {
      id: "request-1",
      at: "2026-01-01T00:00:00.000Z",
      operation: "create_vpc",
      method: "POST",
      path: "/v1/highlvlvpc/create_vpc_async",
      query: {},
      headers: { authorization: "***", "content-type": "text/plain;charset=UTF-8", "x-region": region },
      body: vpcBody(),
      executed: true,
      outcome: 202,
      fault: undefined,
      milliseconds: 30,
    },
  ]);
  expect(lines).toEqual([
    "2026-01-01T00:00:00.000Z request-1 POST /v1/highlvlvpc/create_vpc_async create_vpc 202 30 ms",
  ]);
});

test("secrets are masked by name at any depth, in paths and queries, and the key in any place", async () => {
  const lines: string[] = [];
  const emulator = cloud({ apiKey: "s3cret-key", write: (line) => lines.push(line) });
  const secrets = {
    password: "p1",
    otp: "p2",
    secretKey: "p3",
    nested: [{ accessToken: "p4", user_data: "p5" }],
    note: "my key is s3cret-key",
  };
  await emulator.call("POST /iam/v1/signInAsRootUser", { body: secrets, headers: { "x-account-id": "p6" } });
  await emulator.call("GET /kos/v1/sessions/status/p7?refresh_token=p8", { headers: { cookie: "p9" } });
  await emulator.call("GET /v1/s3cret-key");
  const everything = JSON.stringify([emulator.log.entries(), lines]);
  for (const secret of ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "s3cret-key"]) {
    expect([secret, everything.includes(secret)]).toEqual([secret, false]);
  }
  expect(everything).toContain("/kos/v1/sessions/status/***");
  expect(everything).toContain("my key is ***");
});

test("a body that is not JSON is not logged, since its secrets cannot be masked", async () => {
  const emulator = cloud();
  await emulator.call("POST /v1/highlvlvpc/get_vpc", { text: "password=hunter2" });
  expect(emulator.log.entries()[0]?.body).toBe("16 bytes that are not JSON");
});

test("the log keeps the newest entries and counts all", () => {
  const log = createLog([], undefined, 2);
  const request = { operation: "x", method: "GET", template: "/", path: {}, query: {}, headers: {} };
  for (let n = 0; n < 3; n += 1) log.begin({ ...request, body: new Uint8Array() }, 0);
  expect(log.entries().map(({ id }) => id)).toEqual(["request-2", "request-3"]);
  expect(log.counts()).toEqual({ x: 3 });
  log.clear();
  expect([log.count(), log.counts()]).toEqual([0, {}]);
});

test("the log is filtered by operation and method", async () => {
  const emulator = cloud();
  await emulator.call("GET /v1/highlvlvpc/get_vpc_list");
  await emulator.call("POST /v1/highlvlvpc/get_vpc", { body: {} });
  expect(emulator.log.count({ operation: "get_vpc" })).toBe(1);
  expect(emulator.log.entries({ method: "GET" }).map(({ operation }) => operation)).toEqual(["get_vpc_list"]);
});

test("values that are not secret are unchanged", () => {
  const value = { name: "a", size: 1, task_id: "t", list: [null, true, { key_name: "k" }] };
  expect(maskSecrets(value, ["zzz"])).toEqual(value);
});
