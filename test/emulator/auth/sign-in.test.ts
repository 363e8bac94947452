import { expect, test } from "@jest/globals";
import { at, type Cloud, cloud, refusal, textAt } from "../client.ts";

const root = "POST /iam/v1/signInAsRootUser";
const user = "POST /iam/v1/signInAsIAMUser";
const programmatic = "POST /iam/v1/signinProgrammaticUser";
const list = "GET /v1/highlvlvpc/get_vpc_list";

const password = { email: "user@example.com", password: "emulator-password" };
const account = { accountId: "000000000000" };
const keys = { ...account, accessKey: "emulator-access-key", secretKey: "emulator-secret-key" };
const open = { authorization: "", "x-region": "" };
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function token(emulator: Cloud): Promise<string> {
  return textAt((await emulator.call(root, { body: password, headers: open })).body, "access_token");
}

test.each([
  ["root", root, password],
  ["a user of the account", user, { ...password, ...account }],
])("%s signs in with e-mail and password, without any header", async (_, request, body) => {
  const emulator = cloud();
  const reply = await emulator.call(request, { body, headers: open });
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      message: "signed in",
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      mfaEnabled: 0,
    },
  ]);
  expect((await emulator.call(list, bearer(textAt(reply.body, "access_token")))).status).toBe(200);
});

test("a program signs in with its keys; the field of the token is a switch", async () => {
  const emulator = cloud();
  const first = await emulator.call(programmatic, { body: keys, headers: open });
  expect([first.status, first.body]).toEqual([200, { token: expect.any(String) }]);
  expect((await emulator.call(list, bearer(textAt(first.body, "token")))).status).toBe(200);
  emulator.configure({ assume: { programmaticToken: "access_token" } });
  const second = await emulator.call(programmatic, { body: keys, headers: open });
  expect(second.body).toEqual({ access_token: expect.any(String) });
});

test.each([
  [root, { ...password, password: "x" }, 401, "wrong e-mail or password"],
  [root, { ...password, email: "x" }, 401, "wrong e-mail or password"],
  [user, { ...password, ...account, password: "x" }, 401, "wrong e-mail or password"],
  [user, { ...password, accountId: "1" }, 401, "wrong account, e-mail or password"],
  [programmatic, { ...keys, secretKey: "x" }, 401, "wrong account, access key or secret key"],
  [user, password, 400, "accountId: required"],
  [root, { email: "x" }, 400, "password: required"],
])("%s with %j is a %i", async (request, body, status, message) => {
  expect(await refusal(cloud(), request, { body, headers: open })).toEqual([status, message]);
});

test("a token is valid for five minutes", async () => {
  const emulator = cloud();
  const options = bearer(await token(emulator));
  await emulator.clock.advance(299_999);
  expect((await emulator.call(list, options)).status).toBe(200);
  await emulator.clock.advance(1);
  expect(await refusal(emulator, list, options)).toEqual([401, "the access token has expired"]);
  expect((await emulator.call(list, bearer(await token(emulator)))).status).toBe(200);
});

test("every sign-in returns a new token, and earlier ones stay valid", async () => {
  const emulator = cloud();
  const tokens = [await token(emulator), await token(emulator)];
  expect(tokens[0]).not.toBe(tokens[1]);
  for (const each of tokens) expect((await emulator.call(list, bearer(each))).status).toBe(200);
});

test("a forged or altered token is a 401", async () => {
  const emulator = cloud();
  const altered = (await token(emulator)).replace(/^token\.\d/, "token.9");
  expect(await refusal(emulator, list, bearer(altered))).toEqual([
    401,
    "invalid API key; the emulator accepts only its own",
  ]);
});

test("with a second factor, a sign-in returns no token", async () => {
  const emulator = cloud({ assume: { mfaEnabled: 1 } });
  expect((await emulator.call(root, { body: password, headers: open })).body).toEqual({
    message: "signed in",
    access_token: "",
    refresh_token: "",
    mfaEnabled: 1,
  });
});

test("the user can be set, and changed while tokens stay valid", async () => {
  const emulator = cloud({ email: "me@example.org", password: "first" });
  const body = { email: "me@example.org", password: "first" };
  const first = await emulator.call(root, { body, headers: open });
  emulator.configure({ password: "second" });
  expect((await emulator.call(root, { body, headers: open })).status).toBe(401);
  expect((await emulator.call(list, bearer(textAt(first.body, "access_token")))).status).toBe(200);
});

test("an API key is created with a token, works immediately, and its value is returned only once", async () => {
  const emulator = cloud();
  const request = { body: { apiKeyName: "ci" } };
  const reply = await emulator.call("POST /iam/v1/apikey", { ...request, ...bearer(await token(emulator)) });
  expect([reply.status, reply.body]).toEqual([201, { secretKey: expect.any(String) }]);
  const secret = textAt(reply.body, "secretKey");
  await emulator.clock.advance(3_600_000);
  expect((await emulator.call(list, bearer(secret))).status).toBe(200);
  expect(JSON.stringify(emulator.inventory.list())).not.toContain(secret);
  const [key] = emulator.inventory.list();
  emulator.inventory.remove(key?.krn ?? "");
  expect((await emulator.call(list, bearer(secret))).status).toBe(401);
});

test("an API key cannot create an API key", async () => {
  expect(await refusal(cloud(), "POST /iam/v1/apikey", { body: { apiKeyName: "ci" } })).toEqual([
    403,
    "an API key is created with an access token, not with an API key",
  ]);
});

test("sign-ins are counted, and the log contains neither password nor token", async () => {
  const emulator = cloud();
  const accessToken = await token(emulator);
  await emulator.call(list, bearer(accessToken));
  const counts = await emulator.call("GET /_emulator/log/counts");
  expect(at(counts.body, "sign_in_root")).toBe(1);
  const log = JSON.stringify(emulator.log.entries());
  expect(log).not.toContain("emulator-password");
  expect(log).not.toContain(accessToken);
});
