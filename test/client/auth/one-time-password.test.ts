import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "@jest/globals";
import type { Given } from "../../../provider/config/setting.ts";
import { explain } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { run } from "../../../provider/platform/command.ts";
import type { Command, Ended } from "../../../provider/platform/ports.ts";
import { type Cloud, failure, live, openCloud, requests, resource } from "../../support/cloud.ts";

const bucket = resource("bucket");

type Ask = (cloud: Cloud, what: string, signal: AbortSignal) => Promise<Ended> | Ended;

/** Opens a cloud with buckets of these names, in which `otp_command` prints the result of `ask`. */
async function withBuckets(names: readonly string[], given: Given = {}, ask: Ask = fresh) {
  const asked: string[] = [];
  const command: Command = async (line, variables, signal) => {
    expect(line).toBe("print one");
    asked.push(String(variables.SERVICE_OTP_FOR));
    return ask(cloud, String(variables.SERVICE_OTP_FOR), signal);
  };
  const log: string[] = [];
  const settings = { accountId: "000000000000", otpCommand: "print one", ...given };
  const note = (...line: unknown[]) => log.push(JSON.stringify(line));
  const cloud = openCloud({ otpMs: 60_000 }, settings, { command, log: note });
  const states: ResourceState[] = [];
  for (const name of names) states.push(await cloud.run(cloud.create("bucket", { name })));
  const remove = (which: number, session = cloud.session, call: object = {}) =>
    engine.delete(session, bucket, states[which] as ResourceState, { ...cloud.call, ...call });
  return { cloud, asked, log, states, remove };
}

const fresh: Ask = (cloud) => ({ status: 0, output: `${cloud.emulator.password()}\n` });

const detail = async (work: Promise<unknown>) => explain(await failure(work)).detail;

const withAnother = "with a new one-time password (SERVICE_OTP for one delete, otp_command for each)";
const isSpent = ": the one that was sent cannot be used again.";

test("the password of the environment is used for one delete, and the command for all later ones", async () => {
  const { cloud, asked, states, remove } = await withBuckets(["one-a", "one-b", "one-c"]);
  const session = cloud.reopen({ oneTimePassword: cloud.emulator.password() });
  for (const which of [0, 1, 2]) await cloud.run(remove(which, session));
  expect(asked).toEqual([`the bucket "one-b" (${states[1]?.id})`, `the bucket "one-c" (${states[2]?.id})`]);
  expect(live(cloud, "bucket")).toEqual([]);
});

test("without a password, a delete sends nothing, and the error names the object and the remedy", async () => {
  const { cloud, remove } = await withBuckets(["data"]);
  const session = cloud.reopen({ otpCommand: undefined });
  expect(explain(await failure(cloud.run(remove(0, session))))).toEqual({
    summary: 'Deleting the bucket "data" failed',
    detail: [
      "No one-time password is available.",
      "The delete requires a one-time password, and none is set.",
      "The object still exists and stays in the state.",
      `Run again ${withAnother}.`,
    ].join("\n"),
  });
  expect(requests(cloud, "delete_bucket")).toEqual([]);
});

test("if the API requires no password, the delete has no body", async () => {
  const { cloud, remove } = await withBuckets(["data"], { otpRequired: false, otpCommand: undefined });
  cloud.emulator.configure({ assume: { otpRequired: false } });
  await cloud.run(remove(0));
  expect(requests(cloud, "delete_bucket")).toMatchObject([{ body: undefined, outcome: 204 }]);
});

test("a wrong password is tried once: the error has the message of the API and asks for a new password", async () => {
  const { cloud, remove } = await withBuckets(["data"], {}, () => ({ status: 0, output: "wrong-canary" }));
  const text = await detail(cloud.run(remove(0)));
  expect(text).toMatch(
    /^The API rejected the request\.\nThe one-time password or the API key was rejected: otp: it is wrong\. \(status 401, /,
  );
  expect(text).toContain(`Correct what the API rejected, then run again ${withAnother}${isSpent}`);
  cloud.emulator.configure({ assume: { wrongOtp: 422 } });
  expect(await detail(cloud.run(remove(0, cloud.reopen())))).toContain(
    "The API reports: otp: it is wrong. (status 422, ",
  );
  expect(requests(cloud, "delete_bucket")).toHaveLength(2);
});

test("a delete with a one-time password that gets a 401 is not sent again with a new token", async () => {
  const { cloud, asked, remove } = await withBuckets(["data"]);
  const session = cloud.reopen({
    apiKey: undefined,
    email: "user@example.com",
    password: "emulator-password",
  });
  cloud.emulator.faults.add({ target: "delete_bucket", kind: "401", times: 1 });
  expect(await detail(cloud.run(remove(0, session)))).toMatch(
    /\nThe one-time password or the token was rejected: injected fault\. \(status 401, /,
  );
  expect([asked.length, requests(cloud, "delete_bucket").length]).toEqual([1, 1]);
  expect([live(cloud, "bucket").length, requests(cloud, "sign_in_root").length]).toEqual([1, 1]);
});

test("a used password is also tried once, and the error has the message of the API", async () => {
  const { cloud, remove } = await withBuckets(["one-a", "one-b"]);
  const oneTimePassword = cloud.emulator.password();
  await cloud.run(remove(0, cloud.reopen({ oneTimePassword })));
  expect(await detail(cloud.run(remove(1, cloud.reopen({ oneTimePassword }))))).toContain(
    "The one-time password or the API key was rejected: otp: it was used. (status 401, ",
  );
  expect(requests(cloud, "delete_bucket")).toHaveLength(2);
});

test.each<[string, Ended, string]>([
  ["exits with an error", { status: 3, output: "canary" }, "otp_command failed (exit status 3)."],
  ["was killed", { status: "SIGKILL", output: "canary" }, "otp_command failed (SIGKILL)."],
  ["prints nothing", { status: 0, output: "\n" }, "The output of otp_command is empty."],
  [
    "prints a sentence",
    { status: 0, output: "code: canary" },
    "The output of otp_command contains whitespace.",
  ],
])("a command that %s is reported without its output, and nothing is sent", async (_, ended, said) => {
  const { cloud, log, remove } = await withBuckets(["data"], {}, () => ended);
  const text = await detail(cloud.run(remove(0)));
  expect(text.split("\n")[1]).toBe(said);
  expect(text + log.join("\n")).not.toContain("canary");
  expect(requests(cloud, "delete_bucket")).toEqual([]);
});

test("concurrent deletes request passwords one after the other, and each gets a different one", async () => {
  let asking = 0;
  const { cloud, asked, remove } = await withBuckets(["one-a", "one-b", "one-c"], {}, async (cloud) => {
    asking += 1;
    expect(asking).toBe(1);
    await cloud.session.ports.clock.sleep(500);
    asking -= 1;
    return fresh(cloud, "", new AbortController().signal);
  });
  await cloud.run(Promise.all([remove(0), remove(1), remove(2)]));
  expect(asked).toHaveLength(3);
  expect(live(cloud, "bucket")).toEqual([]);
});

test("a time-based command is run again until it prints another password", async () => {
  let period = -1;
  let password = "";
  const { cloud, asked, remove } = await withBuckets(["one-a", "one-b"], {}, (cloud) => {
    const now = Math.floor(cloud.elapsed() / 30_000);
    if (now !== period) password = cloud.emulator.password();
    period = now;
    return { status: 0, output: password };
  });
  await cloud.run(Promise.all([remove(0), remove(1)]));
  expect(cloud.elapsed()).toBeGreaterThan(30_000);
  expect(asked.length).toBeGreaterThan(3);
  expect(requests(cloud, "delete_bucket").map(({ outcome }) => outcome)).toEqual([204, 204]);
});

test("a command that always prints the same password fails in the end", async () => {
  const { cloud, remove } = await withBuckets(["one-a", "one-b"], {}, () => ({ status: 0, output: "same" }));
  await failure(cloud.run(remove(0)));
  expect((await detail(cloud.run(remove(1)))).split("\n")[1]).toBe(
    "otp_command printed a one-time password that was already used.",
  );
  expect(requests(cloud, "delete_bucket")).toHaveLength(1);
});

test("after an ambiguous response, the bucket is read, and a new password is requested while the bucket exists", async () => {
  const { cloud, asked, remove } = await withBuckets(["one-a", "one-b"]);
  cloud.emulator.faults.add({ target: "delete_bucket", kind: "503", from: 1, times: 1 });
  cloud.emulator.faults.add({ target: "delete_bucket", kind: "reset", when: "after", from: 3, times: 1 });
  await cloud.run(remove(0));
  await cloud.run(remove(1));
  expect(asked).toHaveLength(3);
  expect(requests(cloud, "delete_bucket")).toHaveLength(3);
});

test("after a 429, the next attempt waits for Retry-After and uses another password", async () => {
  const { cloud, asked, remove } = await withBuckets(["data"]);
  cloud.emulator.faults.add({ target: "delete_bucket", kind: "429", retryAfter: "30", times: 1 });
  await cloud.run(remove(0));
  expect(asked).toHaveLength(2);
  expect(requests(cloud, "delete_bucket").map(({ outcome }) => outcome)).toEqual([429, 204]);
  expect(cloud.elapsed()).toBeGreaterThanOrEqual(30_000);
});

test("without another password, a 429 is reported immediately, with the need for a new password", async () => {
  const { cloud, remove } = await withBuckets(["data"]);
  cloud.emulator.faults.add({ target: "delete_bucket", kind: "429", times: 1 });
  const one = { otpCommand: undefined, oneTimePassword: cloud.emulator.password() };
  const text = await detail(cloud.run(remove(0, cloud.reopen(one))));
  expect(text).toBe(
    [
      "The API limits the number of requests.",
      `The API reports: injected fault. (status 429, request id ${requests(cloud, "delete_bucket").at(-1)?.id}, DELETE /kos/v1/buckets/{bucket})`,
      "The object still exists and stays in the state.",
      `Run again ${withAnother}${isSpent} To send fewer requests, set a lower max_requests_per_second.`,
    ].join("\n"),
  );
  expect(requests(cloud, "delete_bucket")).toHaveLength(1);
  expect(cloud.elapsed()).toBeLessThan(10_000);
});

test("a delete that never gets a clear response uses three passwords, and the error has the last response", async () => {
  const { cloud, remove } = await withBuckets(["data"]);
  cloud.emulator.faults.add({ target: "delete_bucket", kind: "503" });
  expect(await detail(cloud.run(remove(0)))).toContain("The API reports: injected fault. (status 503, ");
  expect(requests(cloud, "delete_bucket")).toHaveLength(3);
  const one = { otpCommand: undefined, oneTimePassword: cloud.emulator.password() };
  expect(await detail(cloud.run(remove(0, cloud.reopen(one))))).toBe(
    [
      "The API gave no clear response.",
      `The API reports: injected fault. (status 503, request id ${requests(cloud, "delete_bucket").at(-1)?.id}, DELETE /kos/v1/buckets/{bucket})`,
      "The object still exists and stays in the state.",
      `Run again ${withAnother}${isSpent}`,
    ].join("\n"),
  );
  expect(requests(cloud, "delete_bucket")).toHaveLength(4);
});

test("a stop while the command runs ends it, and nothing is sent", async () => {
  const stop = new AbortController();
  const { cloud, remove } = await withBuckets(["data"], {}, (_cloud, _what, signal) => {
    const ended = new Promise<Ended>((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
    );
    stop.abort();
    return ended;
  });
  const text = await detail(cloud.run(remove(0, cloud.session, { stop: stop.signal })));
  expect(text).toBe(
    [
      "The operation did not finish.",
      "The run was stopped.",
      "The object still exists and stays in the state.",
      `Run again ${withAnother}.`,
    ].join("\n"),
  );
  expect(requests(cloud, "delete_bucket")).toEqual([]);
});

test("no log, text or state contains a password", async () => {
  const { cloud, log, remove, states } = await withBuckets(["one-a", "one-b"]);
  const [first = "", second = ""] = [cloud.emulator.password(), "12345678"];
  const session = cloud.reopen({ oneTimePassword: first, otpCommand: undefined });
  await cloud.run(remove(0, session));
  // An error response that quotes the password of the request.
  const body = { message: `12345678 is no password of today` };
  cloud.emulator.faults.add({ target: "delete_bucket", kind: "422", body });
  const text = await detail(cloud.run(remove(1, cloud.reopen({ oneTimePassword: second }))));
  expect(text).toContain("*** is no password of today");
  const everything = JSON.stringify([log, text, states, cloud.warnings, cloud.emulator.log.entries()]);
  expect([first, second].filter((password) => everything.includes(password))).toEqual([]);
});

test("an invalid password in the environment is rejected before any request and is not shown", () => {
  for (const [oneTimePassword, problem] of [
    ["two words-canary", "SERVICE_OTP contains whitespace"],
    [" ", "SERVICE_OTP contains whitespace"],
  ]) {
    const open = () => openCloud({}, { oneTimePassword });
    expect(open).toThrow(problem);
    expect(open).not.toThrow("canary");
  }
});

test("the user's command gets its environment and no input, and its output is truncated", async () => {
  const { signal } = new AbortController();
  const show = `"${process.execPath}" -e "console.log(process.env.SERVICE_OTP_FOR + require('fs').readFileSync(0, 'utf8').length)"`;
  expect(await run(show, { SERVICE_OTP_FOR: "it" }, signal)).toEqual({ status: 0, output: "it0\n" });
  const long = `"${process.execPath}" -e "console.log('x'.repeat(100000)); console.error('canary'); process.exitCode = 3"`;
  expect(await run(long, {}, signal)).toEqual({ status: 3, output: "x".repeat(4096) });
});

test("a stop ends the command and its child processes", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = new AbortController();
  const inner = `require('net').connect(${port}, '127.0.0.1').on('error', () => {})`;
  const ended = run(`"${process.execPath}" -e "${inner}"; true`, {}, stop.signal);
  const [socket] = (await once(server, "connection")) as [Socket];
  const gone = once(socket.resume(), "close");
  stop.abort(new Error("stopped"));
  await expect(ended).rejects.toThrow("stopped");
  await gone;
  server.close();
});

test("while the command hangs for one delete, another delete ends at its own deadline or with a stop", async () => {
  const hanging: Ask = (_, __, signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  const { cloud, asked, remove } = await withBuckets(["first", "second", "third"], {}, hanging);
  const stop = new AbortController();
  const began = cloud.elapsed();
  const at: number[] = [];
  const ended = (work: Promise<unknown>) =>
    failure(work).then((error) => {
      at.push(Math.round((cloud.elapsed() - began) / 1_000));
      return explain(error).detail;
    });
  void cloud.emulator.clock.sleep(60_000).then(() => stop.abort());
  const details = await cloud.run(
    Promise.all([
      ended(remove(0, cloud.session, { timeout: 300 })),
      ended(remove(1, cloud.session, { timeout: 30 })),
      ended(remove(2, cloud.session, { stop: stop.signal })),
    ]),
  );
  expect(at).toEqual([30, 60, 300]);
  expect(
    details.map((detail) => detail.match(/The timeout of \d+ s expired|The run was stopped/)?.[0]),
  ).toEqual(["The timeout of 300 s expired", "The timeout of 30 s expired", "The run was stopped"]);
  expect(asked).toHaveLength(1);
  expect(live(cloud, "bucket")).toHaveLength(3);
});
