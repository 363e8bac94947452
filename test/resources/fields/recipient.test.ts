import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { expect, test } from "@jest/globals";
import type { Given } from "../../../provider/config/setting.ts";
import type { Values } from "../../../provider/core/value.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { type Cloud, openCloud, resource } from "../../support/cloud.ts";

const accessKey = resource("access-key");

const pair = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

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

const problems = (written: Values) =>
  engine
    .check(accessKey, { name: "backup", ...written })
    .problems.map(({ path, problem }) => `${path.join(".")} ${inWordsOf("terraform", problem)}`);

test("the state has the secret for a recipient only in encrypted form", async () => {
  const { make } = open();
  const { values } = await make({ name: "backup", recipientPublicKey: pair.publicKey });
  expect(values.secretKey).toBeNull();
  const secret = privateDecrypt(
    { key: pair.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
    Buffer.from(String(values.encryptedSecretKey), "base64"),
  );
  expect(secret.toString()).toMatch(/^emulator-secret-/);
});

test("an invalid public key of a recipient is rejected, a private key without being shown", () => {
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
    " recipient_public_key: contains a private key: set the public key instead",
  ]);
  expect(problems({ recipientPublicKey: pair.publicKey })).toEqual([]);
});
