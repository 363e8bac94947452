import { expect, test } from "@jest/globals";
import { FaultError } from "../../../emulator/fault/fault.ts";
import { parseFault } from "../../../emulator/fault/notation.ts";
import { type Cloud, cloud, region, vpcBody } from "../client.ts";

const create = "POST /v1/highlvlvpc/create_vpc_async";
const list = "GET /v1/highlvlvpc/get_vpc_list";

function faulty(...specs: string[]): Cloud {
  const emulator = cloud();
  for (const spec of specs) emulator.faults.add(parseFault(spec));
  return emulator;
}

const post = (emulator: Cloud) => emulator.call(create, { body: vpcBody() });
const objects = (emulator: Cloud) => emulator.inventory.list().length;

test.each([300, 400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504])(
  "status %i applies before or after the operation is executed",
  async (status) => {
    const before = faulty(`create_vpc=${status}`);
    expect([(await post(before)).status, objects(before)]).toEqual([status, 0]);
    const after = faulty(`create_vpc=after-${status}`);
    expect([(await post(after)).status, objects(after)]).toEqual([status, 2]);
  },
);

test("a status has a JSON error, a given body, or a web page", async () => {
  expect((await faulty("create_vpc=503").call(create)).body).toEqual({
    status: "failed",
    message: "injected fault",
    detail: {},
  });
  expect((await faulty('create_vpc=503,body={"a":[1,2]}').call(create)).body).toEqual({ a: [1, 2] });
  expect((await faulty("create_vpc=503,body=out, sorry").call(create)).body).toBe("out, sorry");
  const page = await faulty("create_vpc=html-403").call(create);
  expect([page.status, page.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
  expect(String(page.body)).toContain("<h1>Access Denied</h1>");
});

test("429 and 503 have the configured Retry-After, and a redirect has its location", async () => {
  for (const hint of ["2", "0", "-5", "soon", "Sun, 06 Nov 1994 08:49:37 GMT"]) {
    const emulator = cloud();
    emulator.faults.add({ target: "create_vpc", kind: "429", retryAfter: hint });
    expect((await post(emulator)).headers.get("retry-after")).toBe(hint);
  }
  expect((await faulty("create_vpc=429").call(create)).headers.get("retry-after")).toBeNull();
  expect((await faulty("create_vpc=307").call(create)).headers.get("location")).toBe("/sign-in");
  const reply = await faulty("create_vpc=302,location=https://other.example/").call(create);
  expect(reply.headers.get("location")).toBe("https://other.example/");
});

test.each([
  ["before-reset", "ECONNRESET", 0],
  ["after-reset", "ECONNRESET", 2],
  ["before-fin", "UND_ERR_SOCKET", 0],
  ["after-fin", "UND_ERR_SOCKET", 2],
])("%s breaks the connection as fetch reports it", async (kind, code, created) => {
  const emulator = faulty(`create_vpc=${kind}`);
  await expect(post(emulator)).rejects.toMatchObject({ message: "fetch failed", cause: { code } });
  expect(objects(emulator)).toBe(created);
});

test("a hang sends no response until the caller aborts", async () => {
  const emulator = faulty("create_vpc=after-hang");
  const leave = new AbortController();
  const answer = emulator.fetch("http://127.0.0.1/v1/highlvlvpc/create_vpc_async", {
    method: "POST",
    headers: { authorization: "Bearer emulator-key", "x-region": region },
    body: JSON.stringify(vpcBody()),
    signal: leave.signal,
  });
  await emulator.clock.advance(3_600_000);
  expect(objects(emulator)).toBe(2);
  leave.abort(new Error("given up"));
  await expect(answer).rejects.toThrow("given up");
});

test.each([
  ["empty-200", undefined],
  ["no-content", undefined],
  ["cut-json", '{"message":"VPC creation accepted","status":"accepted"'],
  ["error-in-200", { error: { message: "internal failure", code: 500 } }],
  ["wrong-types", { message: 42, status: 42, task_id: 42 }],
  ["missing-field", { status: "accepted", task_id: expect.any(String) }],
  ["missing-field,field=task_id", { message: "VPC creation accepted", status: "accepted" }],
  ["unknown-status", { message: "VPC creation accepted", status: "MYSTERY", task_id: expect.any(String) }],
  ["unknown-status,word=ERROR", expect.objectContaining({ status: "ERROR" })],
  ["extra-fields", expect.objectContaining({ status: "accepted", x_unknown: { nested: [1, null] } })],
  ["json-in-string", expect.stringMatching(/^\{"message"/)],
  ["html-200", expect.stringContaining("<h1>Sign in</h1>")],
])("%s changes the response of the executed operation", async (kind, body) => {
  const emulator = faulty(`create_vpc=${kind}`);
  const reply = await post(emulator);
  if (kind === "cut-json") expect(String(reply.body)).toMatch(/^\{"message":"VPC creation accepted","sta/);
  else expect(reply.body).toEqual(body);
  expect(reply.status).toBe(kind === "no-content" ? 204 : 202);
  expect(objects(emulator)).toBe(2);
});

test.each([
  ["before-empty-200", 200, undefined],
  ["before-no-content", 204, undefined],
  ["before-html-200", 200, expect.stringContaining("<h1>Sign in</h1>")],
  ["before-cut-json", 200, '{"message":'],
  ["before-error-in-200", 200, { error: { message: "internal failure", code: 500 } }],
  ["refusal-in-200", 200, { status: "failed", message: "refused" }],
  ["refusal-in-200,word=quota", 200, { status: "failed", message: "quota" }],
])("%s answers %i for an operation that is not executed", async (kind, status, body) => {
  const emulator = faulty(`create_vpc=${kind}`);
  expect(await post(emulator)).toMatchObject({ status, body });
  expect(objects(emulator)).toBe(0);
});

test("a fault with an id applies only to requests that contain it in path, query or body", async () => {
  const id = "krn:vpc:a b";
  const emulator = faulty(`*=404,naming=${id}`);
  const statusOf = async (path: string, body?: string) => {
    const init = {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: "Bearer emulator-key" },
    };
    const url = `http://127.0.0.1/v1/highlvlvpc/${path}`;
    await (await emulator.fetch(url, body === undefined ? init : { ...init, body })).text();
    return emulator.faults.list()[0]?.hits;
  };
  expect(await statusOf("get_vpc_list")).toBe(0);
  expect(await statusOf(`search_vpc?krn=${encodeURIComponent(id)}`)).toBe(1);
  expect(await statusOf(`get_vpc/${encodeURIComponent(id)}`)).toBe(2);
  expect(await statusOf("create_vpc_async", JSON.stringify({ id }))).toBe(3);
  expect(await statusOf("create_vpc_async", JSON.stringify({ id: "krn:vpc:c" }))).toBe(3);
});

test("prototype keys, big integers, invalid bytes and another content type reach the client unchanged", async () => {
  const raw = async (kind: string) => {
    const emulator = faulty(`search_vpc=${kind}`);
    const url = "http://127.0.0.1/v1/highlvlvpc/search_vpc";
    return emulator.fetch(url, { headers: { authorization: "Bearer emulator-key" } });
  };
  expect(await (await raw("proto-keys")).text()).toMatch(/^\{"__proto__":\{"polluted":true\},"vpcs":\[\]/);
  expect(await (await raw("big-int")).text()).toContain('"total_count":9007199254740993');
  expect((await (await raw("bad-utf8")).bytes()).subarray(0, 4)).toEqual(
    new Uint8Array([0xef, 0xbb, 0xbf, 0xff]),
  );
  expect((await raw("text-plain")).headers.get("content-type")).toBe("text/plain");
  expect((await raw("bad-gzip")).headers.get("content-encoding")).toBe("gzip");
  expect((await (await raw("oversize")).bytes()).length).toBeGreaterThan(32 * 1024 * 1024);
});

test.each(["cut-length", "cut-chunked"])("%s ends the connection within the body", async (kind) => {
  const emulator = faulty(`create_vpc=${kind}`);
  await expect(post(emulator)).rejects.toMatchObject({ cause: { code: "UND_ERR_SOCKET" } });
  expect(objects(emulator)).toBe(2);
});

test("a response that never ends is ended by the caller's timeout", async () => {
  const emulator = faulty("create_vpc=slow-loris");
  const leave = new AbortController();
  const response = await emulator.fetch("http://127.0.0.1/v1/highlvlvpc/create_vpc_async", {
    method: "POST",
    headers: { authorization: "Bearer emulator-key", "x-region": region },
    body: JSON.stringify(vpcBody()),
    signal: leave.signal,
  });
  expect(response.status).toBe(202);
  const text = response.text();
  leave.abort(new Error("given up"));
  await expect(text).rejects.toThrow("given up");
});

test("a delay postpones the request on the clock, before the effect or after it", async () => {
  for (const [when, created] of [
    ["before", 0],
    ["after", 2],
  ] as const) {
    const emulator = faulty(`create_vpc=${when}-delay,delay-ms=500`);
    const reply = post(emulator);
    await emulator.clock.advance(499);
    expect(objects(emulator)).toBe(created);
    await emulator.clock.advance(1);
    expect((await reply).status).toBe(202);
  }
});

test("a fault applies to the calls of its range only", async () => {
  const statuses = async (spec: string) => {
    const emulator = faulty(spec);
    const delays: number[] = [];
    for (let call = 0; call < 5; call += 1) delays.push((await emulator.call(list)).status);
    return delays;
  };
  expect(await statuses("get_vpc_list=500")).toEqual([500, 500, 500, 500, 500]);
  expect(await statuses("get_vpc_list#2=500")).toEqual([200, 500, 200, 200, 200]);
  expect(await statuses("get_vpc_list#2-3=500")).toEqual([200, 500, 500, 200, 200]);
  expect(await statuses("get_vpc_list#4+=500")).toEqual([200, 200, 200, 500, 500]);
  expect(await statuses("get_vpc_list#1-4~0=500")).toEqual([200, 200, 200, 200, 200]);
});

test("a probability is drawn from the seed: the same calls fail each time", async () => {
  const run = async (seed: string) => {
    const emulator = cloud({ seed });
    emulator.faults.add(parseFault("*~0.3=500"));
    let calls = "";
    for (let call = 0; call < 200; call += 1) calls += (await emulator.call(list)).status === 500 ? "x" : ".";
    return calls;
  };
  const first = await run("a");
  expect(await run("a")).toBe(first);
  expect(await run("b")).not.toBe(first);
  const hits = first.replaceAll(".", "").length;
  expect(hits).toBeGreaterThan(40);
  expect(hits).toBeLessThan(80);
});

test.each([
  ["*", 503],
  ["get_vpc_list", 503],
  ["/v1/highlvlvpc/*", 503],
  ["GET /v1/*_list", 503],
  ["POST /v1/highlvlvpc/*", 200],
  ["/v1/highlvlvpc", 200],
  ["create_vpc", 200],
])("a fault with the target %s gives the listing the status %i", async (target, status) => {
  expect((await faulty(`${target}=503`).call(list)).status).toBe(status);
});

test("the first matching fault applies, and each one counts its calls", async () => {
  const emulator = faulty("get_vpc_list#2=500", "*=404");
  expect((await emulator.call(list)).status).toBe(404);
  expect((await emulator.call(list)).status).toBe(500);
  expect(emulator.faults.list()).toMatchObject([
    { id: "fault-1", calls: 2, hits: 1 },
    { id: "fault-2", calls: 2, hits: 1 },
  ]);
  expect(emulator.faults.remove("fault-2")).toBe(true);
  expect(emulator.faults.remove("fault-2")).toBe(false);
  expect((await emulator.call(list)).status).toBe(200);
});

test("a fault applies before the credential is checked, as at the edge", async () => {
  const reply = await faulty("*=503").call(list, { headers: { authorization: "" } });
  expect(reply.status).toBe(503);
});

test.each([
  ["create_vp=503", "no operation is called create_vp; `kcloud emulator --operations` lists them"],
  ["create_vpc=teapot", "unknown fault kind teapot"],
  ["create_vpc=200", "unknown fault kind 200"],
  [
    "search_port=after-ignored-page",
    "ignored-page changes the request, so it can only apply before the operation is executed",
  ],
  [
    "create_vpc=before-wrong-types",
    "wrong-types changes the response, so it can only apply after the operation was executed",
  ],
  ["create_vpc=delay", "the kind delay needs delay-ms"],
  ["create_vpc#0=503", "calls are counted from 1"],
  ["create_vpc#3-2=503", "a fault must apply to at least one call"],
  ["create_vpc~2=503", "a probability is a number from 0 to 1"],
])("the fault %s is rejected", (spec, message) => {
  expect(() => cloud().faults.add(parseFault(spec))).toThrow(new FaultError(message));
});

test.each([
  ["create_vpc", "a fault is written TARGET[#N|#N-M|#N+][~P]=[before-|after-]KIND[,NAME=VALUE]..."],
  [
    "a#b=503",
    "a#b is not a target; a fault is written TARGET[#N|#N-M|#N+][~P]=[before-|after-]KIND[,NAME=VALUE]...",
  ],
  [
    "a=503,retry=1",
    "retry=1 is not an option of a fault; the options are retry-after, location, field, word, naming, delay-ms, body",
  ],
  ["a=delay,delay-ms=x", "delay-ms is a whole number of milliseconds"],
])("the text %s is not a fault", (spec, message) => {
  expect(() => parseFault(spec)).toThrow(new FaultError(message));
});

test("every part of a fault's notation is parsed", () => {
  expect(parseFault("GET /kbs/*#2-4~0.5=after-503,retry-after=7,delay-ms=20,location=/x,body=a,b")).toEqual({
    target: "GET /kbs/*",
    from: 2,
    times: 3,
    probability: 0.5,
    when: "after",
    kind: "503",
    retryAfter: "7",
    delayMs: 20,
    location: "/x",
    body: "a,b",
  });
});

test("an executed request is in the log even if the client got no response", async () => {
  const emulator = faulty("create_vpc=after-reset");
  await expect(post(emulator)).rejects.toThrow("fetch failed");
  expect(emulator.log.entries()[0]).toMatchObject({
    operation: "create_vpc",
    executed: true,
    outcome: "reset",
    fault: "create_vpc=after-reset",
  });
  expect(emulator.log.counts()).toEqual({ create_vpc: 1 });
});
