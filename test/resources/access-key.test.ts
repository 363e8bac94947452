import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { reveal } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, kept, live, openCloud, requests, resource } from "../support/cloud.ts";

const accessKey = resource("access-key");

const pair = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

function open(options: Parameters<typeof openCloud>[0] = {}) {
  const cloud = openCloud(
    options,
    { accountId: "000000000000", otpCommand: "print one", settleSeconds: 5 },
    {
      command: async () => ({ status: 0, output: cloud.emulator.password() }),
    },
  );
  const make = (written: Values) => cloud.run(cloud.create("access-key", written));
  return { cloud, make };
}

const problems = (written: Values) =>
  engine
    .check(accessKey, { name: "backup", ...written })
    .problems.map(({ path, problem }) => `${path.join(".")} ${inWordsOf("terraform", problem)}`);

test("a key is made with its secret, which is kept though nothing shows it again", async () => {
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

test("a secret for one recipient is kept encrypted alone", async () => {
  const { make } = open();
  const { values } = await make({ name: "backup", recipientPublicKey: pair.publicKey });
  expect(values.secretKey).toBeNull();
  const secret = privateDecrypt(
    { key: pair.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
    Buffer.from(String(values.encryptedSecretKey), "base64"),
  );
  expect(secret.toString()).toMatch(/^emulator-secret-/);
});

test("what cannot be a recipient's public key is refused, a private one without being shown", () => {
  const wrong =
    "recipientPublicKey must be an RSA public key of at least 2048 bits in PEM (-----BEGIN PUBLIC KEY-----)";
  const short = generateKeyPairSync("rsa", {
    modulusLength: 1024,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  expect(problems({ recipientPublicKey: "ssh-rsa AAAA" })).toEqual([wrong]);
  expect(problems({ recipientPublicKey: short.publicKey })).toEqual([wrong]);
  expect(problems({ recipientPublicKey: pair.privateKey })).toEqual([
    " recipient_public_key: a private key was given for the public one",
  ]);
  expect(problems({ recipientPublicKey: pair.publicKey })).toEqual([]);
});

test("a rotation makes another key; its old one goes against a one-time password, asked for once", async () => {
  const { cloud, make } = open();
  const state = await make({ name: "backup", rotateWhenChanged: { month: "1" } });
  const { inputs } = engine.check(accessKey, { name: "backup", rotateWhenChanged: { month: "2" } });
  const plan = engine.plan(accessKey, state, inputs, cloud.session);
  expect([plan.action, inWordsOf("terraform", String(plan.changes[0]?.reason))]).toEqual([
    "replace",
    "Clients of the old key must switch to the new key before the old key is deleted. Its delete takes a one-time password: SERVICE_OTP serves one delete of a run, otp_command each of them.",
  ]);
  const next = await make({ name: "backup", rotateWhenChanged: { month: "2" } });
  expect(next.id).not.toBe(state.id);
  await cloud.run(engine.delete(cloud.session, accessKey, state, cloud.call));
  expect(live(cloud, "access_key").map(({ name }) => name)).toEqual([next.id]);
});

test("a key whose create was executed and answered 409 is named, since its secret is lost", async () => {
  const { cloud } = open();
  cloud.emulator.faults.add({ target: "create_access_key", kind: "409", when: "after", times: 1 });
  const failed = await cloud.run(failure(cloud.create("access-key", { name: "backup" })));
  const [lost] = live(cloud, "access_key");
  expect([failed.step, failed.existence]).toEqual([
    "what its answer alone tells is lost",
    { is: "may exist" },
  ]);
  expect(failed.next).toBe(
    `Delete what was made in vain: '${lost?.name}', unless somebody else made it; then run again, which makes another`,
  );
});

test("a key whose create was answered 409 and not executed is nothing to delete", async () => {
  const { cloud } = open();
  cloud.emulator.faults.add({ target: "create_access_key", kind: "409", when: "before", times: 1 });
  const failed = await cloud.run(failure(cloud.create("access-key", { name: "backup" })));
  expect([failed.step, failed.existence, failed.next]).toEqual([
    "something is in the way",
    { is: "not listed", seconds: 5 },
    "Ask for another, or remove what it names or wait until it is done, then run again. If it appears later, delete it",
  ]);
});

test("a key whose answer was lost is named with what to do about it, and never taken for the one asked for", async () => {
  const { cloud, make } = open();
  await make({ name: "other" });
  cloud.emulator.faults.add({ target: "create_access_key", kind: "reset", when: "after" });
  const error = await failure(make({ name: "backup" }));
  const [, lost] = live(cloud, "access_key");
  expect(explain(error)).toEqual({
    summary: 'Creating the access key "backup" failed',
    detail: [
      "What its answer alone tells is lost.",
      "The connection broke before the answer was there. (POST /kos/v1/access_keys)",
      "It may exist: this could not be confirmed.",
      `Delete what was made in vain: '${lost?.name}', unless somebody else made it; then run again, which makes another.`,
    ].join("\n"),
  });
  expect(requests(cloud, "create_access_key")).toHaveLength(2);
});

test("a key that was made but not seen keeps its secret when the next run takes it up", async () => {
  const { cloud, make } = open();
  cloud.emulator.faults.add({ target: "list_access_keys", kind: "400", from: 2, times: 1 });
  const state = kept(await failure(make({ name: "backup" })));
  const secret = reveal(state.values.secretKey ?? null);
  expect(secret).toMatch(/^emulator-secret-/);
  const { inputs } = engine.check(accessKey, { name: "backup" });
  const taken = await cloud.run(engine.update(cloud.session, accessKey, state, inputs, cloud.call));
  expect([taken.id, reveal(taken.values.secretKey ?? null)]).toEqual([state.id, secret]);
});

test("a key whose answer is still on its way is not taken for one that was lost", async () => {
  const { cloud, make } = open();
  cloud.emulator.faults.add({ target: "create_access_key", kind: "reset", when: "before", times: 1 });
  const late = { kind: "delay", when: "after", delayMs: 2_000 } as const;
  cloud.emulator.faults.add({ target: "create_access_key", ...late, from: 2 });
  const ends = await Promise.allSettled(["one", "two"].map((name) => make({ name })));
  const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  expect(errors.map((error) => explain(error).detail.split("\n")[0])).toEqual([
    "No clear answer came, and a search finds nothing new.",
  ]);
});

const withAnother =
  "with a new one-time password: in SERVICE_OTP for one delete, or from otp_command for each";

test.each([
  ["401", `The password was tried once and is spent: correct what it names, then run again ${withAnother}`],
  ["403", `The password was tried once and is spent: correct what it names, then run again ${withAnother}`],
  ["429", `Run again later, or with a lower max_requests_per_second, ${withAnother}`],
])("a delete with a password that is answered %s says what to do about the password", async (kind, next) => {
  const { cloud, make } = open();
  const state = await make({ name: "backup" });
  cloud.emulator.faults.add({ target: "delete_access_key", kind });
  const failed = await cloud.run(failure(engine.delete(cloud.session, accessKey, state, cloud.call)));
  expect(inWordsOf("terraform", failed.next)).toBe(next);
});
