import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startEmulator, startOnTerminal } from "./call-process.ts";

/** Questions on a pseudo terminal. */

let started: Awaited<ReturnType<typeof startEmulator>>;
beforeAll(async () => {
  started = await startEmulator();
});
afterAll(() => started.close());

const requests = () => started.emulator.log.count();

test("a change asks, and is sent after yes only", async () => {
  const before = requests();
  const declined = startOnTerminal(["create_vpc", "--name", "shop"], started.environment);
  await declined.shows("Send it? [y/N] ");
  declined.type("n\n");
  const { code, stdout } = await declined.ended;
  expect([code, stdout, requests()]).toEqual([
    6,
    expect.stringContaining("not confirmed: nothing was sent"),
    before,
  ]);
  const sent = startOnTerminal(["create_vpc", "--name", "shop"], started.environment);
  await sent.shows("Send it? [y/N] ");
  sent.type("y\n");
  expect(await sent.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('"task_id"') });
}, 30_000);

test("a listing is a table", async () => {
  const { ended } = startOnTerminal(["list_flavors", "--type", "CPU"], started.environment);
  const { code, stdout } = await ended;
  expect([code, stdout.split("\r\n")[0]]).toEqual([0, expect.not.stringContaining("{")]);
}, 30_000);

test("a password is typed without an echo, with a correction", async () => {
  const args = ["sign_in_root", "--email", "root@emulator.example", "--yes"];
  const { shows, type, ended } = startOnTerminal(args, started.environment);
  await shows("password: ");
  type("canary-passwordX\u007f\r");
  await shows("Show it on this terminal? [y/N] ");
  type("n\n");
  const { code, stdout } = await ended;
  expect([code, stdout]).toEqual([2, expect.not.stringContaining("canary")]);
}, 30_000);

test("an interrupt at a question sends nothing, also at one without an echo", async () => {
  for (const [args, question] of [
    [["create_vpc", "--name", "a"], "Send it? [y/N] "],
    [["sign_in_root", "--email", "root@emulator.example"], "password: "],
  ] as const) {
    const before = requests();
    const { shows, type, ended } = startOnTerminal(args, started.environment);
    await shows(question);
    type("\u0003");
    const { code, stdout } = await ended;
    expect([code, stdout, requests()]).toEqual([130, expect.stringContaining("changed nothing"), before]);
  }
}, 30_000);

test("the end of the input declines", async () => {
  const { shows, type, ended } = startOnTerminal(["create_vpc", "--name", "a"], started.environment);
  await shows("Send it? [y/N] ");
  type("\u0004");
  expect((await ended).code).toBe(6);
}, 30_000);
