import { expect, test } from "@jest/globals";
import fc from "fast-check";
import * as z from "zod/mini";
import { type ManualClock, manualClock } from "../../emulator/emulator.ts";
import { createApi } from "../../provider/client/client.ts";
import { userAgent } from "../../provider/client/user-agent.ts";
import { gatherSettings } from "../../provider/config/config.ts";
import type { Given } from "../../provider/config/setting.ts";
import { CloudError, StopError } from "../../provider/core/error.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import type { RequestTracker } from "../../provider/definition/api.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { openSession, readOnly } from "../../provider/engine/session.ts";
import type { Reply, WireRequest } from "../../provider/platform/ports.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";

const body = z.object({ ok: z.boolean() });

const read = endpoint("read", "POST /things/read", body);

const create = endpoint("create", "POST /things", body);

const change = endpoint("update", "PUT /things/{thing}", body);

const global = endpoint("read", "GET /global", body, { region: false });

const answer = (status: number, json: unknown, headers: Record<string, string> = {}): Reply => ({
  kind: "answer",
  status,
  headers,
  body: JSON.stringify(json),
  cut: false,
});

const ok = answer(200, { ok: true });

const lost: Reply = { kind: "lost", reason: "the connection was closed before the response" };

const unsent: Reply = { kind: "unsent", reason: "the host api.example refused the connection" };

const silence = "no answer, ever";

/** Opens a client whose transport answers from a script; the last entry repeats. */
function world(script: readonly (Reply | typeof silence)[], given: Given = {}) {
  const manual = manualClock();
  const began = manual.now();
  const sent: { request: WireRequest; at: number }[] = [];
  const log: string[] = [];
  const clock = { monotonic: () => manual.now() - began, wall: () => manual.now(), sleep: manual.sleep };
  const transport = {
    send(request: WireRequest, signal: AbortSignal): Promise<Reply> {
      const reply = script[Math.min(sent.length, script.length - 1)] ?? ok;
      sent.push({ request, at: clock.monotonic() });
      if (reply !== silence) return Promise.resolve(reply);
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
      );
    },
  };
  const session = openSession(
    { baseUrl: "https://cloud.example/api", apiKey: "the-key", maxRequestsPerSecond: 0, ...given },
    { ...realPorts, clock, transport, random: { next: () => 0.5 } },
    (_, message, facts) => log.push(`${inWordsOf("terraform", message)} ${JSON.stringify(facts)}`),
  );
  const stop = new AbortController();
  const tracker: RequestTracker = { sent: false };
  const api = createApi(session, { region: "In-Bangalore-1", signal: stop.signal, tracker });
  return { manual, sent, log, session, api, stop, tracker, elapsed: () => clock.monotonic() };
}

async function finish<T>(manual: ManualClock, work: Promise<T>): Promise<T> {
  let done = false;
  const end = () => {
    done = true;
  };
  work.then(end, end);
  while (!done) await manual.advance(100);
  return work;
}

async function failure(manual: ManualClock, work: Promise<unknown>): Promise<CloudError> {
  try {
    await finish(manual, work);
  } catch (error) {
    if (error instanceof CloudError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

test("a request has the key, the region, its body and no other headers", async () => {
  const { api, sent } = world([ok]);
  await api.send(create, { body: { name: "a" }, headers: { "K-Tenant-ID": "t", none: undefined } });
  expect(sent[0]?.request).toStrictEqual({
    method: "POST",
    url: "https://cloud.example/api/things",
    headers: {
      accept: "application/json",
      "user-agent": expect.stringMatching(/^kcloud\/\d+\.\d+\.\d+$/),
      "content-type": "application/json",
      "x-region": "In-Bangalore-1",
      "K-Tenant-ID": "t",
      authorization: "Bearer the-key",
    },
    body: '{"name":"a"}',
  });
});

test("a read-only session sends reads, and refuses a request that may change something before it is sent", async () => {
  const { session, sent, stop } = world([ok]);
  const api = createApi(readOnly(session), { region: "In-Bangalore-1", signal: stop.signal });
  await api.send(read);
  const refused = "POST /things is no read, and the session is read-only";
  await expect(api.send(create, { body: { name: "a" } })).rejects.toThrow(refused);
  await expect(api.find(change, { path: { thing: "1" } })).rejects.toThrow("is no read");
  expect(sent.map(({ request }) => request.url)).toEqual(["https://cloud.example/api/things/read"]);
});

test("a session for reads only sends the request that it accepts, and no other", async () => {
  const { session, stop, sent } = world([ok]);
  const accepted = { body: { name: "a" } };
  const accepts = (wanted: unknown, call: unknown) => wanted === create && call === accepted;
  const client = { ...readOnly(session), accepts };
  const api = createApi(client, { region: "In-Bangalore-1", signal: stop.signal });
  await api.send(create, accepted);
  await expect(api.send(create, { body: { name: "a" } })).rejects.toThrow("is no read");
  await expect(api.send(change, { path: { thing: "1" } })).rejects.toThrow("is no read");
  expect(sent).toHaveLength(1);
});

test("a route without a region sends none, a call without a body sends none", async () => {
  const { api, sent } = world([ok]);
  await api.send(global, { query: { a: "1 2", b: undefined, c: 0 } });
  expect(sent[0]?.request).toEqual({
    method: "GET",
    url: "https://cloud.example/api/global?a=1+2&c=0",
    headers: { accept: "application/json", "user-agent": userAgent(), authorization: "Bearer the-key" },
  });
});

test("a body with streamed content is sent as JSON", async () => {
  const { api, sent } = world([ok]);
  const bytes = { size: 0, async *read() {} };
  for (const call of [{}, { body: { name: "a" } }]) {
    await api.send(create, { ...call, content: { field: "data", bytes } });
    expect(sent.at(-1)?.request.headers["content-type"]).toBe("application/json");
    expect(sent.at(-1)?.request.stream?.size).toBeGreaterThan(0);
  }
});

test("an id is always one path segment, for any characters", async () => {
  const { api, sent } = world([ok]);
  await api.send(change, { path: { thing: "krn:vpc:a/b?c#d" } });
  expect(sent[0]?.request.url).toBe("https://cloud.example/api/things/krn:vpc:a%2Fb%3Fc%23d");
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1 }), async (id) => {
      fc.pre(id !== "." && id !== "..");
      await api.send(change, { path: { thing: id } });
      const { pathname, search, hash } = new URL(sent.at(-1)?.request.url ?? "");
      const parts = pathname.split("/");
      expect([parts.length, search, hash]).toEqual([4, "", ""]);
      expect(decodeURIComponent(parts.at(-1) ?? "")).toBe(id);
    }),
  );
  for (const thing of ["", ".", ".."])
    await expect(api.send(change, { path: { thing } })).rejects.toThrow("an empty or relative ID in a path");
  // @ts-expect-error a path without its parameter
  await expect(api.send(change, {})).rejects.toThrow("an empty or relative ID in a path");
});

test.each([
  ["a lost response", lost],
  ["a 500", answer(500, {})],
  ["a 503", answer(503, {})],
  ["a response of another shape", answer(200, { ok: "yes" })],
  ["a redirect", answer(307, {}, { location: "https://other.example" })],
])("a read is sent three times after %s, then the error is reported", async (_, reply) => {
  const { api, sent, manual } = world([reply]);
  await failure(manual, api.send(read));
  expect(sent).toHaveLength(3);
  const again = world([reply, ok]);
  expect(await finish(again.manual, again.api.send(read))).toEqual({ ok: true });
  expect(again.sent).toHaveLength(2);
});

test.each([
  ["a lost response", lost, "ambiguous"],
  ["a 500", answer(500, {}), "ambiguous"],
  ["a 408", answer(408, {}), "ambiguous"],
  ["a redirect", answer(307, {}), "ambiguous"],
  ["a response of another shape", answer(201, {}), "unreadable"],
  ["a 409", answer(409, {}), "conflict"],
  ["a 400", answer(400, {}), "rejected"],
  ["a 404", answer(404, {}), "rejected"],
  ["a 401", answer(401, {}), "auth"],
] as const)("a create and a change are never sent again after %s", async (_, reply, kind) => {
  for (const route of [create, change]) {
    const { api, sent, manual } = world([reply]);
    expect(await failure(manual, api.send(route, { path: { thing: "a" } }))).toMatchObject({ failure: kind });
    expect(sent).toHaveLength(1);
  }
});

test("a request that was never sent is sent again, even a create", async () => {
  const { api, sent, manual } = world([unsent, unsent, ok]);
  expect(await finish(manual, api.send(create))).toEqual({ ok: true });
  expect(sent).toHaveLength(3);
  const never = world([unsent]);
  expect(await failure(never.manual, never.api.send(create))).toMatchObject({
    failure: "unsent",
    reason: "the host api.example refused the connection",
    route: "POST /things",
  });
});

test.each([
  ["7", 7_000],
  ["0", 750],
  ["999999", 300_000],
  ["soon", 750],
  ["-5", 750],
  [undefined, 750],
])("a 429 with Retry-After %p pauses all requests for %i ms", async (header, ms) => {
  const { api, session, sent, manual } = world([
    answer(429, {}, header === undefined ? {} : { "retry-after": header }),
    ok,
  ]);
  const other = createApi(session, { region: "In-Hyderabad-1", signal: new AbortController().signal });
  const first = api.send(create);
  await manual.advance(0);
  const work = Promise.all([first, other.send(read)]);
  await finish(manual, work);
  expect(sent.map(({ at }) => at >= ms)).toEqual([false, true, true]);
  expect(sent[1]?.at).toBeLessThan(ms + 1_000);
});

test("after twenty consecutive 429 responses, the error is reported", async () => {
  const { api, sent, manual } = world([answer(429, { message: "slow down" })]);
  expect(await failure(manual, api.send(create))).toMatchObject({
    failure: "throttled",
    reason: "the API reports: slow down",
  });
  expect(sent).toHaveLength(20);
});

test("with an empty retry budget, a failure is reported immediately", async () => {
  const { api, session, sent, manual } = world([lost]);
  while (session.rateLimiter.spendRetry(5));
  await failure(manual, api.send(read));
  expect(sent).toHaveLength(1);
});

test("a 404 of the API means that the object does not exist, a 404 with a web page is not a response of the API", async () => {
  const missing = world([answer(404, { message: "not found" })]);
  expect(await missing.api.find(read)).toBeUndefined();
  const page: Reply = { kind: "answer", status: 404, headers: {}, body: "<html>", cut: false };
  const foreign = world([page]);
  expect(await failure(foreign.manual, foreign.api.find(read))).toMatchObject({ failure: "ambiguous" });
});

test("a request without a response for one minute has lost its response", async () => {
  const { api, manual, elapsed, sent } = world([silence]);
  expect(await failure(manual, api.send(create))).toMatchObject({
    failure: "ambiguous",
    reason: "no response within 60 s",
  });
  expect([elapsed(), sent.length]).toEqual([60_000, 1]);
});

test("a stop aborts a request in flight immediately, without leftover timers", async () => {
  const { api, stop, manual, tracker, elapsed } = world([silence]);
  const work = api.send(create);
  await manual.advance(0);
  stop.abort(new StopError("stop"));
  await expect(work).rejects.toThrow("the run was stopped");
  expect([tracker.sent, elapsed()]).toEqual([true, 0]);
});

test("a stop before the request is sent reports that nothing was sent", async () => {
  const { api, session, stop, tracker, sent, manual } = world([ok]);
  session.rateLimiter.pause(10_000);
  const work = api.send(create);
  await manual.advance(100);
  stop.abort(new StopError("stop"));
  await expect(work).rejects.toThrow("the run was stopped");
  expect([tracker.sent, sent.length]).toEqual([false, 0]);
});

test.each([
  ["executed", ok, create, true],
  ["lost", lost, create, true],
  ["in conflict", answer(409, {}), create, true],
  ["rejected", answer(400, {}), create, false],
  ["unsent", unsent, create, false],
  ["unauthorised", answer(401, {}), create, false],
  ["lost, but only a read", lost, read, false],
] as const)("a request that was %s counts as sent or not", async (_, reply, route, isSent) => {
  const { api, tracker, manual } = world([reply]);
  await finish(
    manual,
    api.send(route).catch(() => {}),
  );
  expect(tracker.sent).toBe(isSent);
});

test("a rejected key is reported with the message of the API", async () => {
  const { api, manual } = world([
    answer(401, { message: "the-key is not valid" }, { "x-request-id": "r-1" }),
  ]);
  expect(await failure(manual, api.send(read))).toMatchObject({
    failure: "auth",
    reason: "the API key was rejected: *** is not valid",
    status: 401,
    requestId: "r-1",
  });
});

test("the log has the route of every request and nothing of its content", async () => {
  const { api, log, manual } = world([answer(500, { message: "the-key" }, { "x-request-id": "r-1" }), ok]);
  await finish(manual, api.send(read, { body: { secret: "canary-1" }, query: { thing: "canary-2" } }));
  expect(log).toEqual([
    'request {"method":"POST","route":"/things/read","status":500,"outcome":"ambiguous","requestId":"r-1","ms":0}',
    'request {"method":"POST","route":"/things/read","status":200,"outcome":"executed","ms":0}',
  ]);
});

test.each(["SERVICE_", "KCLOUD_"])(
  "no text contains a secret of a variable with the prefix %s",
  async (prefix) => {
    const secrets = ["first-secret", "second-secret", "third-secret"];
    const [key, secret, password] = secrets;
    const environment = {
      [`${prefix}API_KEY`]: key,
      [`${prefix}ACCESS_KEY`]: "AK1",
      [`${prefix}SECRET_KEY`]: secret,
      [`${prefix}OTP`]: password,
    };
    const { api } = world([answer(401, { message: secrets.join(" ") })], gatherSettings({}, environment));
    await expect(api.send(read)).rejects.toMatchObject({ reason: "the API key was rejected: *** *** ***" });
  },
);
