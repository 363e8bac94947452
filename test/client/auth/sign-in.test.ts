import { expect, test } from "@jest/globals";
import { userAgent } from "../../../provider/client/user-agent.ts";
import type { Given } from "../../../provider/config/setting.ts";
import { explain } from "../../../provider/core/error.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Reply } from "../../../provider/platform/ports.ts";
import { failure, live, requests, resource } from "../../support/cloud.ts";
import { answer, type SignInProxy, withSignInProxy } from "../../support/sign-in-proxy.ts";

const net = { name: "net" };
const lost: Reply = { kind: "lost", reason: "the connection was closed before the response" };
const page = "<html>welcome</html>";

/** Runs a create that must fail with no POST at the emulator; returns the error text and the number of sign-ins. */
async function creating(proxy: SignInProxy): Promise<{ text: string; signIns: number }> {
  const before = requests(proxy.cloud, "create_vpc").length;
  const { summary, detail } = explain(await proxy.cloud.run(failure(proxy.cloud.create("vpc", net))));
  expect(requests(proxy.cloud, "create_vpc")).toHaveLength(before);
  return { text: `${summary}\n${detail}`, signIns: proxy.signIns.length };
}

test.each<[string, Given, string, object]>([
  ["the root user", {}, "signInAsRootUser", {}],
  ["the root user, whatever the account", { accountId: "42" }, "signInAsRootUser", {}],
  ["a user of the account", { accountUser: true, accountId: "42" }, "signInAsIAMUser", { accountId: "42" }],
])("%s signs in with only the required fields", async (_, given, route, more) => {
  const account = String(given.accountId ?? "000000000000");
  const { cloud, signIns, log } = withSignInProxy({ account }, given);
  await cloud.run(cloud.create("vpc", net));
  expect(signIns).toEqual([
    {
      method: "POST",
      url: `http://127.0.0.1:1/iam/v1/${route}`,
      headers: { accept: "application/json", "user-agent": userAgent(), "content-type": "application/json" },
      body: JSON.stringify({ email: "ops@cloud.example", password: "canary-password", ...more }),
    },
  ]);
  expect(log.slice(0, 2)).toEqual([
    `request {"method":"POST","route":"/iam/v1/${route}","status":200,"outcome":"executed","requestId":"r-1","ms":0}`,
    `signed in {"as":"${"accountId" in more ? "user of the account" : "root user"}"}`,
  ]);
});

/** Timeout in ms of tests on a manual clock. A busy machine only slows them down, so it is practically unlimited. */
const processorBound = 1_800_000;

/** Creates twenty volumes whose tasks take `taskMs`; returns the number of sign-ins. */
async function longWork(tokenMs: number, taskMs: number): Promise<number> {
  const { cloud, signIns } = withSignInProxy({ taskMs: 0 }, {}, tokenMs);
  const vpc = await cloud.run(cloud.create("vpc", net));
  cloud.emulator.configure({ taskMs });
  const creates = Array.from({ length: 20 }, (_, index) => {
    const written = { vpcId: String(vpc.id), name: `data-${index}`, sizeGb: 1, volumeType: "HNSS" };
    const { inputs } = engine.check(resource("volume"), written);
    return engine.create(cloud.session, resource("volume"), inputs, { ...cloud.call, timeout: 4_000 });
  });
  await cloud.run(Promise.all(creates));
  expect(live(cloud, "volume")).toHaveLength(20);
  expect(cloud.elapsed()).toBeGreaterThan(taskMs);
  return signIns.length;
}

test(
  "tokens that expire after one minute are renewed after each 401, and nothing fails",
  async () => {
    expect(await longWork(60_000, 900_000)).toBeLessThanOrEqual(16);
  },
  processorBound,
);

test("a token that expires while its request is queued is not sent", async () => {
  const { cloud, signIns, log } = withSignInProxy();
  await cloud.run(cloud.create("vpc", net));
  cloud.session.rateLimiter.pause(300_000);
  await cloud.run(cloud.create("vpc", { name: "other" }));
  expect(signIns).toHaveLength(2);
  expect(log.filter((line) => line.includes('"status":401'))).toEqual([]);
});

test("tokens that expired while the machine was suspended need one sign-in, and nothing is created twice", async () => {
  const { cloud, signIns, tokens } = withSignInProxy();
  await cloud.run(cloud.create("vpc", net));
  tokens.clear();
  const names = Array.from({ length: 40 }, (_, index) => `net-${index}`);
  await cloud.run(Promise.all(names.map((name) => cloud.create("vpc", { name }))));
  expect(signIns).toHaveLength(2);
  expect(live(cloud, "vpc")).toHaveLength(41);
});

test("a password that changed during a run is reported after one attempt, and removes nothing from the state", async () => {
  const proxy = withSignInProxy();
  const { cloud, signIns, tokens } = proxy;
  const made = await cloud.run(cloud.create("vpc", net));
  tokens.clear();
  proxy.answers = [answer(401, { message: "canary-password is wrong" })];
  const reading = () => failure(engine.read(cloud.session, resource("vpc"), made, cloud.call));
  for (const failed of await cloud.run(Promise.all([reading(), reading(), reading()])))
    expect(explain(failed)).toEqual({
      summary: 'Reading the VPC "net" failed',
      detail: [
        "The API rejected the sign-in.",
        "The sign-in was rejected: *** is wrong. (status 401, request id r-1, POST /iam/v1/signInAsRootUser)",
        "The state stays unchanged.",
        "Set a valid email and password (with account_user, also account_id), then run again.",
      ].join("\n"),
    });
  expect(signIns).toHaveLength(2);
});

test("a 404 of the sign-in does not mean that an object was deleted", async () => {
  const proxy = withSignInProxy();
  const { cloud } = proxy;
  const made = await cloud.run(cloud.create("vpc", net));
  proxy.tokens.clear();
  proxy.answers = [answer(404, { message: "no such user" })];
  const failed = await cloud.run(failure(engine.read(cloud.session, resource("vpc"), made, cloud.call)));
  expect([failed.step, failed.existence]).toEqual(["the API rejected the sign-in", { is: "unknown" }]);
  const deleted = await cloud.run(failure(engine.delete(cloud.session, resource("vpc"), made, cloud.call)));
  expect([deleted.step, deleted.existence]).toEqual(["the API rejected the sign-in", { is: "still exists" }]);
  expect(live(cloud, "vpc")).toHaveLength(1);
});

test.each([401, 403, 400, 404, 409, 422])(
  "a sign-in rejected with %i is never sent again",
  async (status) => {
    const proxy = withSignInProxy();
    proxy.answers = [answer(status, { message: "no" })];
    const said = status === 401 ? "no" : "the API reports: no";
    const expected = [
      'Creating the VPC "net" failed',
      "The API rejected the sign-in.",
      `The sign-in was rejected: ${said}. (status ${status}, request id r-1, POST /iam/v1/signInAsRootUser)`,
      "Nothing was created.",
      "Set a valid email and password (with account_user, also account_id), then run again.",
    ].join("\n");
    expect(await creating(proxy)).toEqual({ text: expected, signIns: 1 });
    await proxy.cloud.run(proxy.cloud.session.ports.clock.sleep(600_000));
    expect(await creating(proxy)).toEqual({ text: expected, signIns: 1 });
  },
);

test.each<[string, Reply, string]>([
  ["a lost response", lost, "the connection was closed before the response"],
  [
    "no connection",
    { kind: "unsent", reason: "the host api.example refused the connection" },
    "the host api.example refused the connection",
  ],
  ["a 500", answer(500, { message: "oops" }), "the API reports: oops"],
  ["a 503 with a page", answer(503, page), "the response is a web page"],
  ["a 408", answer(408, ""), "the API answered 408 without a message"],
  ["a 429", answer(429, { message: "slow down" }), "the API reports: slow down"],
  ["a truncated response", answer(200, '{"access_token": "abc'), "the response is not JSON"],
])("after %s, a sign-in is sent three times, then not for 30 s", async (_, reply, said) => {
  const proxy = withSignInProxy();
  proxy.answers = [reply];
  const { text, signIns } = await creating(proxy);
  expect(text.split("\n").map((line) => line.replace(/ \(.*\)$/, ""))).toEqual([
    'Creating the VPC "net" failed',
    "The sign-in failed.",
    `The sign-in failed 3 times: ${said}.`,
    "Nothing was created.",
    "Check base_url and the network, then run again.",
  ]);
  expect(signIns).toBe(3);
  expect((await creating(proxy)).signIns).toBe(3);
  proxy.answers = [];
  await proxy.cloud.run(proxy.cloud.session.ports.clock.sleep(30_000));
  await proxy.cloud.run(proxy.cloud.create("vpc", net));
  expect(proxy.signIns).toHaveLength(4);
});

test.each<[string, Reply, string]>([
  ["a web page", answer(200, page), "the response is a web page: base_url may be wrong"],
  ["a web page of a gateway", answer(403, page), "blocked by a gateway: the response is a web page"],
  ["a redirect", answer(307, ""), "an unexpected redirect"],
  ["an empty response", answer(200, ""), "the response is empty"],
  ["a list", answer(200, []), "the response has an unexpected format (its body)"],
  [
    "a token that is not a string",
    answer(200, { access_token: 7 }),
    "the response has an unexpected format (the field access_token)",
  ],
])("%s is not a sign-in response, and the sign-in is not sent again", async (_, reply, said) => {
  const proxy = withSignInProxy();
  proxy.answers = [reply];
  const { text, signIns } = await creating(proxy);
  expect(text.split("\n").map((line) => line.replace(/ \((status|POST).*\)$/, ""))).toEqual([
    'Creating the VPC "net" failed',
    "The response to the sign-in is not from this API.",
    `The response is not that of a sign-in: ${said}${/[.?]$/.test(said) ? "" : "."}`,
    "Nothing was created.",
    "Check base_url and the network, then run again.",
  ]);
  expect(signIns).toBe(1);
});

test.each([
  [{ mfaEnabled: 1 }, "The sign-in requires a second factor, which only a person can enter."],
  [
    { access_token: "", mfaEnabled: true },
    "The sign-in requires a second factor, which only a person can enter.",
  ],
  [{ access_token: "", mfaEnabled: 0 }, "The response to the sign-in is not from this API."],
  [{ access_token: "canary\r\nx: y", mfaEnabled: 0 }, "The response to the sign-in is not from this API."],
])("%j instead of a token is an error with a remedy", async (body, step) => {
  const proxy = withSignInProxy();
  proxy.answers = [answer(200, body)];
  const { text, signIns } = await creating(proxy);
  expect([text.split("\n")[1], signIns]).toEqual([step, 1]);
  if (body.mfaEnabled !== 0)
    expect(text).toContain("Set api_key (or SERVICE_API_KEY) instead of email and password, then run again.");
});

test("an enabled second factor does not matter if the response has a token", async () => {
  const proxy = withSignInProxy();
  proxy.tokens.set("given", 0);
  proxy.answers = [answer(200, { access_token: "given", refresh_token: null, mfaEnabled: 1 })];
  await proxy.cloud.run(proxy.cloud.create("vpc", net));
  expect(live(proxy.cloud, "vpc")).toHaveLength(1);
});

test("a token that is rejected immediately is reported after one more sign-in", async () => {
  const proxy = withSignInProxy();
  proxy.answers = [answer(200, { access_token: "canary-stale" })];
  expect(await creating(proxy)).toEqual({
    text: [
      'Creating the VPC "net" failed',
      "The API rejected the token that it had issued.",
      "The token was rejected: *** has ended. (status 401, request id r-1, GET /v1/highlvlvpc/get_vpc_list)",
      "Nothing was created.",
      "Run again, or set api_key (or SERVICE_API_KEY) instead of email and password.",
    ].join("\n"),
    signIns: 2,
  });
});

test("no log line contains the password or a token, even if the API quotes them", async () => {
  const proxy = withSignInProxy();
  const { cloud } = proxy;
  await cloud.run(cloud.create("vpc", net));
  const echo = "canary-password canary-refresh canary-token-1 ops@cloud.example";
  proxy.tokens.clear();
  proxy.answers = [{ ...answer(500, { message: echo }), headers: { "x-request-id": echo } } as Reply];
  const { text } = await creating(proxy);
  expect(proxy.log.length).toBeGreaterThan(5);
  for (const line of [...proxy.log, text]) expect(line).not.toMatch(/canary/);
  expect(text).toContain("*** *** *** ops@cloud.example");
});
