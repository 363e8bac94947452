import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, openCloud, resource } from "../support/cloud.ts";

const sshKey = resource("ssh-key");
const customer = "00000000-0000-4000-8000-000000000000";

/** Returns an OpenSSH public key: type, length-prefixed parts in base64, comment. */
function publicKey(seed: number, comment = "me@here", type = "ssh-ed25519"): string {
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const key = Buffer.concat([part(Buffer.from(type)), part(Buffer.alloc(32, seed))]);
  return `${type} ${key.toString("base64")} ${comment}`;
}

const written = { name: "deploy", publicKey: publicKey(1) };
const problems = (values: Values) =>
  engine.check(sshKey, values).problems.map(({ path, problem }) => [path.join("."), problem]);

test.each(["ssh-rsa", "ssh-ed25519", "ecdsa-sha2-nistp256", "sk-ssh-ed25519@openssh.com"])(
  "a public key of the kind %s is accepted, with or without a comment",
  (type) => {
    expect(problems({ name: "a", publicKey: publicKey(1, "", type) })).toEqual([]);
    expect(problems({ name: "a", publicKey: `${publicKey(1, "me at home", type)}\n` })).toEqual([]);
  },
);

test.each([
  ["", "nothing"],
  ["deploy", "a word"],
  [publicKey(1).split(" ")[1] ?? "", "a key without its kind"],
  [publicKey(1).replace("ssh-ed25519", "ssh-rsa"), "a key whose kind differs from its prefix"],
  [publicKey(1).slice(0, 30), "a key cut short"],
  [`${publicKey(1)}\n${publicKey(2)}`, "two keys"],
  ["-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----", "another form"],
])("an invalid public key is rejected: %j, %s", (text) => {
  expect(problems({ name: "a", publicKey: text })).toEqual([
    ["publicKey", "must be an OpenSSH public key such as ssh-ed25519 AAAA…"],
  ]);
});

const pem = (type: "pkcs1" | "pkcs8") =>
  generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ type, format: "pem" }).toString();

test.each([
  ["PKCS 1", pem("pkcs1")],
  ["PKCS 8", pem("pkcs8")],
  ["OpenSSH", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n"],
  ["bare OpenSSH", "ssh-ed25519 b3BlbnNzaC1rZXktdjEAAAAABG5vbmU"],
  ["PuTTY", "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n"],
])("a private key pasted as %s is reported as such, and neither the key nor its path is shown", (_, key) => {
  const found = problems({ name: "a", publicKey: key });
  // The path is empty, because an engine prints the value at a path: here the private key.
  expect(found).toEqual([["", "contains a private key: set the content of its .pub file instead"]]);
});

test("comment and spaces of a key are not a change, another key is, with a warning of the consequences", () => {
  const state = {
    id: "1",
    task: undefined,
    values: { ...written, krn: "krn", region: "In-Bangalore-1" },
    unread: [],
  };
  const plan = (key: string) => engine.plan(sshKey, state, { ...written, publicKey: key }, undefined);
  expect(plan(`  ${publicKey(1, "you")}\n`).action).toBe("none");
  expect(plan(publicKey(2))).toMatchObject({
    action: "replace",
    changes: [
      {
        path: ["publicKey"],
        reason: "Existing instances keep the old key: only new instances get the new one.",
      },
    ],
  });
});

test("a key is created, found by its exact name among those that contain it, and deleted by its UUID", async () => {
  const cloud = openCloud();
  for (const name of ["deploy-2", "my-deploy"])
    await cloud.run(cloud.create("ssh-key", { name, publicKey: publicKey(2) }));
  const state = await cloud.run(cloud.create("ssh-key", { ...written, publicKey: `${written.publicKey}\n` }));
  const [made] = live(cloud, "ssh_key").filter(({ name }) => name === "deploy");
  expect(state.id).toBe(made?.krn.split(":").at(-1));
  expect(state.values).toEqual({
    ...written,
    publicKey: `${written.publicKey}\n`,
    krn: made?.krn,
    region: "In-Bangalore-1",
  });
  expect(await cloud.run(engine.read(cloud.session, sshKey, state, cloud.call))).toEqual(state);
  await cloud.run(engine.delete(cloud.session, sshKey, state, cloud.call));
  expect(live(cloud, "ssh_key").map(({ name }) => name)).toEqual(["deploy-2", "my-deploy"]);
});

test("a key of another region is another key", async () => {
  const cloud = openCloud();
  await cloud.run(cloud.create("ssh-key", { ...written, region: "In-Hyderabad-1" }));
  await cloud.run(cloud.create("ssh-key", written));
  expect(live(cloud, "ssh_key").map(({ region }) => region)).toEqual(["In-Hyderabad-1", "In-Bangalore-1"]);
});

test("a name may contain spaces, also in an import", async () => {
  const cloud = openCloud();
  const state = await cloud.run(cloud.create("ssh-key", { ...written, name: "of the deployer" }));
  const work = engine.import(cloud.session, sshKey, `of the deployer,${state.id}`, cloud.call);
  expect(await cloud.run(work)).toEqual({ ...state, createdAt: undefined });
});

test("a key that differs only by its comment is adopted with adopt_existing", async () => {
  const cloud = openCloud();
  const { id } = await cloud.run(cloud.create("ssh-key", written));
  const key = resource("ssh-key");
  const { inputs } = engine.check(key, { ...written, publicKey: publicKey(1, "you") });
  const later = cloud.reopen({ adoptExisting: true });
  const again = await cloud.run(engine.create(later, key, inputs, cloud.call));
  expect(again.id).toBe(id);
});

test("the customer header is sent if it is configured", async () => {
  const cloud = openCloud({ assume: { sshKeyNeedsCustomer: true } }, { customerId: customer });
  await cloud.run(cloud.create("ssh-key", written));
  expect(live(cloud, "ssh_key")).toHaveLength(1);
});

test("the customer header is sent once a response contains the customer, and omitted before", async () => {
  const cloud = openCloud({ assume: { sshKeyNeedsCustomer: true } });
  const failed = await cloud.run(failure(cloud.create("ssh-key", written)));
  expect(explain(failed).detail).toContain("The API reports: header k-customer-id: required.");
  await cloud.run(cloud.create("vpc", { name: "net" }));
  await cloud.run(cloud.create("ssh-key", written));
  expect(live(cloud, "ssh_key")).toHaveLength(1);
});
