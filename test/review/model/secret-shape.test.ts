import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { hideSecrets, withoutCredentials } from "../../../review/model/secret-shape.ts";

/** Values that look like secrets, by their names and their form. */

const hidden = (values: Parameters<typeof hideSecrets>[0]): readonly unknown[] =>
  hideSecrets(values).paths.map((path) => path.at(-1));

const secrets = [
  "DB_PWD",
  "ENCRYPTION_KEY",
  "dbPassword",
  "clientSecret",
  "API_TOKEN",
  "pass",
  "privateKey",
  "JWT_SIGNING_KEY",
];
const others = [
  "bypass",
  "compass",
  "public_key",
  "SECRET_NAME",
  "passenger",
  "tokens_per_day",
  "keyName",
  "ssh_key",
];

test.each(secrets)("the entry %s is a secret", (name) => {
  expect(hidden({ tags: { [name]: "plain text" } })).toEqual([name]);
});

test.each(others)("the entry %s is no secret", (name) => {
  expect(hidden({ tags: { [name]: "plain text" } })).toEqual([]);
});

const digest = createHash("sha256").update("content").digest("base64");

test("a digest in a value that is named as one is no secret; elsewhere it looks random", () => {
  expect(hidden({ source_code_hash: digest, triggers: { program: digest }, note: digest })).toEqual(["note"]);
});

test("a credential in a value that is named as a digest is one", () => {
  expect(hidden({ checksum: "postgres://user:canary-pass@host/db" })).toEqual(["checksum"]);
});

test.each([
  '{"api_key":"canary-1"}',
  '{\\"token\\": \\"canary-1\\"}',
  "Authorization: Bearer canary-1",
  "authorization=Basic canary-1",
  "sent with bearer canary-1-abcdef",
  'password: "two canary words"',
  "secret = 'two canary words'",
  "AWS_SECRET_ACCESS_KEY=canary/K7MDENG",
  "client_secret=canary-1",
  "https://host/object?X-Amz-Signature=canary0123&sig=canary4567",
])("%s has a credential", (text) => {
  expect(hidden({ note: text })).toEqual(["note"]);
  expect(withoutCredentials(`Error: ${text}`)).not.toContain("canary");
});

test.each([
  "Bearer authentication is required by the API",
  "the token: $TOKEN of the environment",
  '{"secret": {"ref": "vault/canary"}}',
  "the password is missing",
  '{"token":""}',
  "signature = missing",
])("%s has none", (text) => {
  expect(hidden({ note: text })).toEqual([]);
});

test("the value of a pair is hidden whose name is that of a secret", () => {
  const env = [
    { name: "DB_PASSWORD", value: "hunter2" },
    { key: "apiToken", value: "hunter2" },
    { name: "STAGE", value: "live" },
    { name: "DB_PASSWORD", value: "" },
  ];
  const { values, paths } = hideSecrets({ env });
  expect(paths).toEqual([
    ["env", 0, "value"],
    ["env", 1, "value"],
  ]);
  expect(JSON.stringify(values.env)).not.toContain("hunter2");
});
