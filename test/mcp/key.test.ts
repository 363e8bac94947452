import { expect, test } from "@jest/globals";
import { credentialsIn, isAccessToken, typedKey } from "../../mcp/key.ts";

test.each([
  ["key", { key: "key", hasPrefix: false }],
  ["Bearer key", { key: "key", hasPrefix: true }],
  ["bearer   Bearer key", { key: "key", hasPrefix: true }],
  [" Bearer key ", { key: "key", hasPrefix: true }],
  ["BearerKey", { key: "BearerKey", hasPrefix: false }],
  ["Bearer ", { key: "", hasPrefix: true }],
  ["", { key: "", hasPrefix: false }],
])("the key in %j is used without the prefix of its header", (text, typed) => {
  expect(typedKey(text)).toEqual(typed);
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const token = `${part({ alg: "HS256" })}.${part({ sub: "u" })}.c2ln`;

test.each([
  [token, true],
  [`${part({ alg: "none" })}.${part({})}.`, true],
  ["a.b.c", false],
  [`${part({ alg: "HS256" })}.${part({ sub: "u" })}`, false],
  [`${token}.more`, false],
  [`${part("text")}.${part({})}.x`, false],
  ["sk_live_1.2.3", false],
])("%j: a JSON web token is no API key", (key, isToken) => {
  expect(isAccessToken(key)).toBe(isToken);
});

test("the credentials in settings are those that a text must not have", () => {
  const given = { apiKey: "k", baseUrl: "https://cloud.example", secretKey: "s", password: "", region: "r" };
  expect(credentialsIn(given)).toEqual(["k", "s"]);
});
