import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/emulator.ts";
import { createApi } from "../../../provider/client/client.ts";
import type { Given } from "../../../provider/config/setting.ts";
import { explain, SignInError } from "../../../provider/core/error.ts";
import { endpoint } from "../../../provider/definition/endpoint.ts";
import { type Between, openCloud, requests } from "../../support/cloud.ts";

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
  /** Sends a request that needs an object session, as an operation of its own. */
  const ask = (session = cloud.session, signal = never) =>
    cloud.run(createApi(session, "In-Bangalore-1", signal).send(list, { path: { bucket } }));
  const refused = async (session = cloud.session): Promise<SignInError> => {
    const error = await ask(session).catch((error: unknown) => error);
    if (error instanceof SignInError) return error;
    throw new Error(`it ended with ${String(error)}`);
  };
  const count = (operation: string) => requests(cloud, operation).length;
  return { cloud, ask, refused, count };
}

test("no session is opened before one is needed, one serves all at once, and it ends when it is told to", async () => {
  const { cloud, ask, count } = await open();
  expect(count("activate_session")).toBe(0);
  await Promise.all(Array.from({ length: 20 }, () => ask()));
  expect([count("activate_session"), count("list_objects")]).toEqual([1, 20]);
  await cloud.run(cloud.session.objectSession.end());
  await cloud.run(cloud.session.objectSession.end());
  expect(count("deactivate_session")).toBe(1);
  expect(cloud.emulator.inventory.list().map(({ kind }) => kind)).toEqual(["bucket"]);
});

test("a session is refreshed before it ends, and never activated anew for that", async () => {
  const { cloud, ask, count } = await open({ assume: { sessionMs: 300_000 } });
  for (let minute = 0; minute < 20; minute++) {
    await ask();
    await cloud.run(cloud.session.ports.clock.sleep(60_000));
  }
  expect([count("activate_session"), count("refresh_session")]).toEqual([1, 4]);
});

test("a session that a refresh cannot save is followed by another", async () => {
  const { cloud, ask, count } = await open({ assume: { sessionMs: 300_000 } });
  await ask();
  cloud.emulator.faults.add({ target: "refresh_session", kind: "reset", when: "after" });
  await cloud.run(cloud.session.ports.clock.sleep(250_000));
  await ask();
  expect([count("activate_session"), count("refresh_session")]).toEqual([2, 1]);
});

test("a session that another run ended is activated once more, and not again within half a minute", async () => {
  const { cloud, ask, count } = await open();
  const other = cloud.reopen();
  await ask();
  await ask(other);
  await ask();
  expect(count("activate_session")).toBe(3);
  await ask(other);
  const error = await ask().catch((error: unknown) => error);
  expect(explain(error).detail).toContain(
    "The object session or the API key was refused: header x-session-token: the session is over",
  );
  expect(count("activate_session")).toBe(4);
});

test("too many activations stop at once, and for good", async () => {
  const { refused, count, cloud } = await open({ assume: { sessionAttempts: 1 } });
  await cloud.run(cloud.session.objectSession.token("In-Bangalore-1", new AbortController().signal));
  const other = cloud.reopen();
  const errors = await Promise.all([refused(other), refused(other), refused(other)]);
  expect(new Set(errors.map(({ said }) => said))).toEqual(
    new Set(["the cloud says: too many session activation attempts"]),
  );
  await refused(other);
  expect(count("activate_session")).toBe(2);
});

test("a wrong pair is tried once", async () => {
  const { refused, count } = await open({}, { secretKey: "wrong-secret-key" });
  expect((await refused()).said).toBe(
    "the access key or the API key was refused: wrong access key or secret key",
  );
  await refused();
  expect(count("activate_session")).toBe(1);
});

test("an activation without an answer is no unclear answer to what waits for it, and rests", async () => {
  const { cloud, ask, refused, count } = await open();
  cloud.emulator.faults.add({ target: "activate_session", kind: "503" });
  expect((await refused()).failure).toBe("unsent");
  expect((await refused()).failure).toBe("unsent");
  expect(count("activate_session")).toBe(1);
  cloud.emulator.faults.clear();
  await cloud.run(cloud.session.ports.clock.sleep(30_000));
  await ask();
  expect(count("activate_session")).toBe(2);
});

const untimed = { target: "activate_session", kind: "missing-field", field: "expiresAt" } as const;

test("where an activation does not tell how long its session lives, its status does", async () => {
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
  "a session whose times nothing tells serves until the cloud says that it is over ($kind)",
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

test("no text and no line of the log holds a token or the secret", async () => {
  const said: string[] = [];
  const log: Between["log"] = (_, message, facts) => said.push(`${message} ${JSON.stringify(facts)}`);
  const { cloud, ask } = await open({}, {}, { log });
  await ask();
  const token = await cloud.session.objectSession.token("In-Bangalore-1", new AbortController().signal);
  expect(cloud.session.redact(`a ${token} b emulator-secret-key c`)).toBe("a *** b *** c");
  expect(said.join("\n")).not.toContain(token);
});

test("an activation that is asked to come later comes then, three times at most", async () => {
  const { cloud, ask, refused, count } = await open();
  const began = cloud.elapsed();
  cloud.emulator.faults.add({ target: "activate_session", kind: "429", retryAfter: "5", times: 2 });
  await ask();
  expect([count("activate_session"), cloud.elapsed() - began >= 10_000]).toEqual([3, true]);
  cloud.emulator.faults.add({ target: "activate_session", kind: "429", retryAfter: "5" });
  await refused(cloud.reopen());
  expect(count("activate_session")).toBe(6);
});
