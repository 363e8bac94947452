import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "@jest/globals";
import type { Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { resource } from "../../support/cloud.ts";
import { publicKey } from "../public-key.ts";

const sshKey = resource("ssh-key");

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
