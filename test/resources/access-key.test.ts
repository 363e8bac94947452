import { expect, test } from "@jest/globals";
import type { Given } from "../../provider/config/setting.ts";
import { explain } from "../../provider/core/error.ts";
import { reveal, type Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, failure, kept, live, openCloud, requests, resource } from "../support/cloud.ts";

const accessKey = resource("access-key");

/** Opens a cloud in which `otp_command` prints the result of `print`. */
function open(
  options: Parameters<typeof openCloud>[0] = {},
  given: Given = {},
  print: (cloud: Cloud) => string = ({ emulator }) => emulator.password(),
) {
  const cloud: Cloud = openCloud(
    options,
    { accountId: "000000000000", otpCommand: "print one", settleSeconds: 5, ...given },
    { command: async () => ({ status: 0, output: print(cloud) }) },
  );
  const make = (written: Values) => cloud.run(cloud.create("access-key", written));
  return { cloud, make };
}

test("a key is created with its secret, which stays in the state although the API returns it only once", async () => {
  const { cloud, make } = open();
  const state = await make({ name: "backup" });
  expect(state.id).toMatch(/^AK[0-9A-F]{18}$/);
  expect(reveal(state.values.secretKey ?? null)).toMatch(/^emulator-secret-/);
  expect(state.values.encryptedSecretKey).toBeNull();
  expect(await cloud.run(engine.read(cloud.session, accessKey, state, cloud.call))).toEqual(state);
  expect(
    engine.plan(accessKey, state, engine.check(accessKey, { name: "backup" }).inputs, cloud.session).action,
  ).toBe("none");
});

test("a rotation creates another key and deletes the old one with a one-time password, requested once", async () => {
  const { cloud, make } = open();
  const state = await make({ name: "backup", rotateWhenChanged: { month: "1" } });
  const { inputs } = engine.check(accessKey, { name: "backup", rotateWhenChanged: { month: "2" } });
  const plan = engine.plan(accessKey, state, inputs, cloud.session);
  expect([plan.action, inWordsOf("terraform", plan.changes[0]?.reason ?? "")]).toEqual([
    "replace",
    // `otp_command` prints the password, so the plan does not ask for one.
    "Clients of the old key must switch to the new key before the old key is deleted.",
  ]);
  const next = await make({ name: "backup", rotateWhenChanged: { month: "2" } });
  expect(next.id).not.toBe(state.id);
  await cloud.run(engine.delete(cloud.session, accessKey, state, cloud.call));
  expect(live(cloud, "access_key").map(({ name }) => name)).toEqual([next.id]);
});

test("the error about a key whose create was executed and answered 409 names the key, since its secret is lost", async () => {
  const { cloud } = open();
  cloud.emulator.faults.add({ target: "create_access_key", kind: "409", when: "after", times: 1 });
  const failed = await cloud.run(failure(cloud.create("access-key", { name: "backup" })));
  const [lost] = live(cloud, "access_key");
  expect([failed.step, failed.existence]).toEqual([
    "the response with the secret of the new object is lost",
    { is: "may exist" },
  ]);
  expect(failed.next).toBe(
    `Delete these objects, whose secret is lost, unless somebody else created them or a state contains them: '${lost?.name}'. The next run creates another`,
  );
});

test("the error about a key whose create was answered 409 and not executed names no key to delete", async () => {
  const { cloud } = open();
  cloud.emulator.faults.add({ target: "create_access_key", kind: "409", when: "before", times: 1 });
  const failed = await cloud.run(failure(cloud.create("access-key", { name: "backup" })));
  expect([failed.step, failed.existence, failed.next]).toEqual([
    "the object conflicts with an existing one or is in use",
    { is: "not listed", seconds: 5 },
    "Choose another value, or remove the conflicting object or wait until its operation has finished, then run again. If it appears later, delete it in the cloud's console",
  ]);
});

test("the error about a key with a lost response names the key and its remedy, and the key is never adopted", async () => {
  const { cloud, make } = open();
  await make({ name: "other" });
  cloud.emulator.faults.add({ target: "create_access_key", kind: "reset", when: "after" });
  const error = await failure(make({ name: "backup" }));
  const [, lost] = live(cloud, "access_key");
  expect(explain(error)).toEqual({
    summary: 'Creating the access key "backup" failed',
    detail: [
      "The response with the secret of the new object is lost.",
      "The connection was closed before the response. (POST /kos/v1/access_keys)",
      "The object may exist.",
      `Delete these objects, whose secret is lost, unless somebody else created them or a state contains them: '${lost?.name}'. The next run creates another.`,
    ].join("\n"),
  });
  expect(requests(cloud, "create_access_key")).toHaveLength(2);
});

test("a key that was created but not listed keeps its secret when the next run resumes it", async () => {
  const { cloud, make } = open();
  cloud.emulator.faults.add({ target: "list_access_keys", kind: "400", from: 2, times: 1 });
  const state = kept(await failure(make({ name: "backup" })));
  const secret = reveal(state.values.secretKey ?? null);
  expect(secret).toMatch(/^emulator-secret-/);
  const { inputs } = engine.check(accessKey, { name: "backup" });
  const resumed = await cloud.run(engine.update(cloud.session, accessKey, state, inputs, cloud.call));
  expect([resumed.id, reveal(resumed.values.secretKey ?? null)]).toEqual([state.id, secret]);
});

test("a new key whose delete was lost before its execution stays in the state, even if no listing shows the key yet", async () => {
  const { cloud, make } = open({}, { settleSeconds: 120 });
  const state = await make({ name: "backup" });
  cloud.emulator.configure({ listingLagMs: 60_000 });
  cloud.emulator.faults.add({ target: "delete_access_key", kind: "408", when: "before", times: 1 });
  const failed = await failure(cloud.run(engine.delete(cloud.reopen(), accessKey, state, cloud.call)));
  expect(failed.existence.is).toBe("may exist");
  expect(live(cloud, "access_key")).toHaveLength(1);
});

test("a key that no listing shows settle_seconds after its create leaves the state with a warning that names the import", async () => {
  const { cloud, make } = open({}, { settleSeconds: 120 });
  const state = await make({ name: "backup" });
  cloud.emulator.configure({ listingLagMs: 300_000 });
  cloud.emulator.faults.add({ target: "delete_access_key", kind: "408", when: "before", times: 1 });
  await cloud.run(engine.delete(cloud.reopen(), accessKey, state, cloud.call));
  const [warning] = cloud.warnings.slice(-1);
  expect(warning?.detail).toContain(`terraform import kcloud_access_key.NAME '${state.id}'`);
});

const withAnother =
  "with a new one-time password (SERVICE_OTP for one delete, otp_command for each): the one that was sent cannot be used again";

test.each([
  ["401", `Correct what the API rejected, then run again ${withAnother}`],
  ["403", `Correct what the API rejected, then run again ${withAnother}`],
  ["429", `Run again ${withAnother}. To send fewer requests, set a lower max_requests_per_second`],
])(
  "the error of a delete with a password that is answered %s asks for a new password",
  async (kind, next) => {
    const { cloud, make } = open();
    const state = await make({ name: "backup" });
    cloud.emulator.faults.add({ target: "delete_access_key", kind });
    const failed = await cloud.run(failure(engine.delete(cloud.session, accessKey, state, cloud.call)));
    expect(inWordsOf("terraform", failed.next)).toBe(next);
  },
);
