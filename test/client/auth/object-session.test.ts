import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/emulator.ts";
import { createApi } from "../../../provider/client/client.ts";
import type { Given } from "../../../provider/config/setting.ts";
import { explain, SignInError, StopError } from "../../../provider/core/error.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { endpoint } from "../../../provider/definition/endpoint.ts";
import { engine, type Session } from "../../../provider/engine/engine.ts";
import { type Between, live, openCloud, requests, resource } from "../../support/cloud.ts";

const keys: Given = {
  accountId: "000000000000",
  accessKey: "emulator-access-key",
  secretKey: "emulator-secret-key",
};
const list = endpoint("read", "GET /kos/v1/buckets/{bucket}/objects", undefined, {
  region: "x-region-id",
  account: true,
  objectSession: true,
});

async function open(options: EmulatorOptions = {}, given: Given = {}, between: Between = {}) {
  const cloud = openCloud(options, { ...keys, ...given }, between);
  const bucket = String((await cloud.run(cloud.create("bucket", { name: "data" }))).id);
  const never = new AbortController().signal;
  /** Sends a request that needs an object session, as a separate operation. */
  const ask = (session = cloud.session, signal = never) =>
    cloud.run(createApi(session, { region: "In-Bangalore-1", signal }).send(list, { path: { bucket } }));
  const refused = async (session = cloud.session): Promise<SignInError> => {
    const error = await ask(session).catch((error: unknown) => error);
    if (error instanceof SignInError) return error;
    throw new Error(`it ended with ${String(error)}`);
  };
  const count = (operation: string) => requests(cloud, operation).length;
  return { cloud, bucket, ask, refused, count };
}

test("a session is opened when it is first needed, serves concurrent requests, and is closed at the end", async () => {
  const { cloud, ask, count } = await open();
  expect(count("activate_session")).toBe(0);
  await Promise.all(Array.from({ length: 20 }, () => ask()));
  expect([count("activate_session"), count("list_objects")]).toEqual([1, 20]);
  await cloud.run(cloud.session.objectSession.end());
  await cloud.run(cloud.session.objectSession.end());
  expect(count("deactivate_session")).toBe(1);
  expect(cloud.emulator.inventory.list().map(({ kind }) => kind)).toEqual(["bucket"]);
});

test("a session is refreshed before it expires instead of being activated again", async () => {
  const { cloud, ask, count } = await open({ assume: { sessionMs: 300_000 } });
  for (let minute = 0; minute < 20; minute++) {
    await ask();
    await cloud.run(cloud.session.ports.clock.sleep(60_000));
  }
  expect([count("activate_session"), count("refresh_session")]).toEqual([1, 4]);
});

test("an expired session is replaced by another one without a refresh", async () => {
  const { cloud, ask, count } = await open({ assume: { sessionMs: 300_000 } });
  await ask();
  await cloud.run(cloud.session.ports.clock.sleep(300_000));
  await ask();
  expect([count("activate_session"), count("refresh_session")]).toEqual([2, 0]);
});

test("a session whose refresh fails is replaced by another one", async () => {
  const { cloud, ask, count } = await open({ assume: { sessionMs: 300_000 } });
  await ask();
  cloud.emulator.faults.add({ target: "refresh_session", kind: "reset", when: "after" });
  await cloud.run(cloud.session.ports.clock.sleep(250_000));
  await ask();
  expect([count("activate_session"), count("refresh_session")]).toEqual([2, 3]);
});

const parts = (bucketId: string, run: string) =>
  Array.from({ length: 20 }, (_, nth) => ({ bucketId, key: `${run}/${nth}.txt`, content: `${nth}` }));

test("two runs with one access key write twenty objects each, and none of them fails", async () => {
  const { cloud, bucket, count } = await open({ latencyMs: 200 });
  const writing = (session: Session, run: string) =>
    parts(bucket, run).map((written) =>
      engine.create(
        session,
        resource("object"),
        engine.check(resource("object"), written).inputs,
        cloud.call,
      ),
    );
  const results = await cloud.run(
    Promise.allSettled([...writing(cloud.session, "plan"), ...writing(cloud.reopen(), "apply")]),
  );
  expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
  expect(live(cloud, "object")).toHaveLength(40);
  expect(count("activate_session")).toBeGreaterThan(2);
  expect(count("activate_session")).toBeLessThanOrEqual(8);
});

test("a session that another run ended is activated again after a pause that grows", async () => {
  const { cloud, ask, count } = await open();
  const other = cloud.reopen();
  const pauses: number[] = [];
  await ask();
  for (let nth = 1; nth <= 4; nth++) {
    await cloud.run(other.objectSession.end());
    await ask(other);
    const before = cloud.elapsed();
    await ask();
    pauses.push(cloud.elapsed() - before);
  }
  expect(pauses).toEqual([2_250, 3_400, 5_100, 7_600]);
  expect(count("activate_session")).toBe(9);
});

test("a session that other runs repeatedly end finally fails, and the error has the reason", async () => {
  const { cloud, ask, count } = await open();
  const fault = cloud.emulator.faults.add({ target: "list_objects", kind: "401" });
  const error = await ask().catch((error: unknown) => error);
  expect(explain(error).detail).toContain("The object session or the API key was rejected: ");
  expect(count("activate_session")).toBe(9);
  cloud.emulator.faults.remove(fault);
  await ask();
  expect(count("activate_session")).toBe(9);
});

test("a session that served for two minutes makes the next pause short again", async () => {
  const { cloud, ask } = await open();
  const other = cloud.reopen();
  const lose = async () => {
    await cloud.run(other.objectSession.end());
    await ask(other);
    const before = cloud.elapsed();
    await ask();
    return cloud.elapsed() - before;
  };
  await ask();
  const early = [await lose(), await lose()];
  await cloud.run(cloud.session.ports.clock.sleep(120_000));
  expect([...early, await lose()]).toEqual([2_250, 3_400, 2_250]);
});

test("after too many activations, the next one is delayed but still sent", async () => {
  const { ask, refused, count, cloud } = await open({ assume: { sessionAttempts: 1 } });
  await cloud.run(cloud.session.objectSession.token("In-Bangalore-1", new AbortController().signal));
  const other = cloud.reopen();
  const errors = await Promise.all([refused(other), refused(other), refused(other)]);
  expect(new Set(errors.map(({ reason }) => reason))).toEqual(
    new Set(["the API reports: too many session activation attempts"]),
  );
  expect((await refused(other)).final).toBe(false);
  expect(count("activate_session")).toBe(2);
  await cloud.run(cloud.session.ports.clock.sleep(300_000));
  await ask(other);
  expect(count("activate_session")).toBe(3);
});

test.each(["503", "429"])(
  "a refresh that returns %s does not change the session, and is sent again",
  async (kind) => {
    const { cloud, ask, count } = await open({ assume: { sessionMs: 300_000 } });
    await ask();
    cloud.emulator.faults.add({ target: "refresh_session", kind, times: 1 });
    await cloud.run(cloud.session.ports.clock.sleep(245_000));
    await ask();
    await cloud.run(cloud.session.ports.clock.sleep(31_000));
    await ask();
    expect([count("activate_session"), count("refresh_session")]).toEqual([1, 2]);
  },
);

test("an operation that is stopped during the activation does not keep the next one from it", async () => {
  const { cloud, ask, count } = await open({ latencyMs: 200 });
  const stop = new AbortController();
  const stopped = ask(cloud.session, stop.signal).catch((error: unknown) => error);
  await cloud.run(cloud.session.ports.clock.sleep(100));
  stop.abort(new StopError("stop"));
  expect(await stopped).toMatchObject({ why: "stop" });
  await ask();
  expect(count("activate_session")).toBe(2);
});

test("a session whose operation is stopped during the status request is used by the next one", async () => {
  const { cloud, ask, count } = await open({ latencyMs: 200 });
  cloud.emulator.faults.add({ target: "activate_session", kind: "missing-field", field: "expiresAt" });
  const stop = new AbortController();
  const stopped = ask(cloud.session, stop.signal).catch((error: unknown) => error);
  while (count("get_session_status") === 0) await cloud.run(cloud.session.ports.clock.sleep(50));
  stop.abort(new StopError("stop"));
  expect(await stopped).toMatchObject({ why: "stop" });
  await ask();
  expect(count("activate_session")).toBe(1);
});

test("a wrong key pair is tried only once", async () => {
  const { refused, count } = await open({}, { secretKey: "wrong-secret-key" });
  expect((await refused()).reason).toBe(
    "the access key or the API key was rejected: wrong access key or secret key",
  );
  await refused();
  expect(count("activate_session")).toBe(1);
});

test.each([{ kind: "reset" }, { kind: "reset", when: "after" }, { kind: "503" }] as const)(
  "an activation that fails once is sent again, and the request that waits for it succeeds: %j",
  async (fault) => {
    const { cloud, ask, count } = await open();
    cloud.emulator.faults.add({ target: "activate_session", times: 1, ...fault });
    await ask();
    expect(count("activate_session")).toBe(2);
  },
);

test("an activation without a response fails after three attempts, and the next one is sent 30 s later", async () => {
  const { cloud, ask, refused, count } = await open();
  cloud.emulator.faults.add({ target: "activate_session", kind: "503" });
  expect((await refused()).failure).toBe("unsent");
  expect((await refused()).failure).toBe("unsent");
  expect(count("activate_session")).toBe(3);
  cloud.emulator.faults.clear();
  await cloud.run(cloud.session.ports.clock.sleep(30_000));
  await ask();
  expect(count("activate_session")).toBe(4);
});

const untimed = { target: "activate_session", kind: "missing-field", field: "expiresAt" } as const;

test("if an activation does not return the lifetime of the session, the status request does", async () => {
  const { cloud, ask, count } = await open({ assume: { sessionMs: 300_000 } });
  cloud.emulator.faults.add(untimed);
  for (let minute = 0; minute < 10; minute++) {
    await ask();
    await cloud.run(cloud.session.ports.clock.sleep(60_000));
  }
  const counts = ["activate_session", "get_session_status", "refresh_session"].map(count);
  expect(counts).toEqual([1, 1, 2]);
});

test.each([{ kind: "503" }, { kind: "missing-field", field: "expiresAt" }] as const)(
  "a session without known expiry is used until the API reports that it has ended ($kind)",
  async (fault) => {
    const { cloud, ask, count } = await open();
    cloud.emulator.faults.add(untimed);
    cloud.emulator.faults.add({ target: "get_session_status", ...fault });
    await ask();
    await cloud.run(cloud.session.ports.clock.sleep(890_000));
    await ask();
    await cloud.run(cloud.session.ports.clock.sleep(60_000));
    await ask();
    expect([count("activate_session"), count("refresh_session")]).toEqual([2, 0]);
  },
);

test("no text and no log line contains a token or the secret", async () => {
  const said: string[] = [];
  const log: Between["log"] = (_, message, facts) =>
    said.push(`${inWordsOf("terraform", message)} ${JSON.stringify(facts)}`);
  const { cloud, ask } = await open({}, {}, { log });
  await ask();
  const token = await cloud.session.objectSession.token("In-Bangalore-1", new AbortController().signal);
  expect(cloud.session.redact(`a ${token} b emulator-secret-key c`)).toBe("a *** b *** c");
  expect(said.join("\n")).not.toContain(token);
});

test("an activation that is rate limited is sent again after Retry-After, at most twenty times", async () => {
  const { cloud, ask, refused, count } = await open();
  const began = cloud.elapsed();
  const refusal = { target: "activate_session", kind: "429", retryAfter: "5" };
  cloud.emulator.faults.add({ ...refusal, times: 6 });
  await ask();
  expect([count("activate_session"), cloud.elapsed() - began >= 30_000]).toEqual([7, true]);
  cloud.emulator.faults.add(refusal);
  await refused(cloud.reopen());
  expect(count("activate_session")).toBe(27);
});

test("an activation that is repeatedly rejected does not delay other requests", async () => {
  const { cloud } = await open();
  cloud.emulator.faults.add({ target: "activate_session", kind: "429", retryAfter: "60", times: 8 });
  const { objectSession, ports } = cloud.session;
  const never = new AbortController().signal;
  const buckets = endpoint("read", "GET /kos/v1/buckets", undefined, { account: true });
  const other = async () => {
    await ports.clock.sleep(190_000, never);
    const began = cloud.elapsed();
    await createApi(cloud.session, { region: "In-Bangalore-1", signal: never }).send(buckets);
    return cloud.elapsed() - began;
  };
  const [waited] = await cloud.run(Promise.all([other(), objectSession.token("In-Bangalore-1", never)]));
  expect(waited).toBe(0);
  expect(cloud.elapsed()).toBeGreaterThanOrEqual(480_000);
});

test("an activation that is rate limited without Retry-After is sent once", async () => {
  const { cloud, refused, count } = await open();
  cloud.emulator.faults.add({ target: "activate_session", kind: "429" });
  await refused();
  expect(count("activate_session")).toBe(1);
});
