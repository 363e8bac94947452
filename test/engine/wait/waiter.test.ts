import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { manualClock } from "../../../emulator/emulator.ts";
import { CloudError, explain, FailedError, StopError } from "../../../provider/core/error.ts";
import { inWordsOf, type Text } from "../../../provider/core/wording.ts";
import type { Poll } from "../../../provider/definition/function.ts";
import { type Operation, operate } from "../../../provider/engine/operation.ts";
import { openSession } from "../../../provider/engine/session.ts";
import { waitFor } from "../../../provider/engine/wait/waiter.ts";
import { realPorts } from "../../../provider/platform/real-ports.ts";
import { resource } from "../../support/cloud.ts";

const lost = new CloudError({ failure: "ambiguous", route: "GET /things", reason: "lost" });

const refused = new CloudError({ failure: "rejected", route: "GET /things", reason: "no", status: 403 });

/** Opens a session on a manual clock that counts pending sleeps. */
function world() {
  const manual = manualClock();
  const began = manual.now();
  let sleeping = 0;
  const clock = {
    monotonic: () => manual.now() - began,
    wall: () => manual.now(),
    sleep: (ms: number, signal?: AbortSignal) => {
      sleeping += 1;
      return manual.sleep(ms, signal).finally(() => {
        sleeping -= 1;
      });
    },
  };
  const transport = { send: () => Promise.reject(new Error("nothing is sent here")) };
  const session = openSession(
    { baseUrl: "http://127.0.0.1:1", apiKey: "the-key" },
    { ...realPorts, clock, transport, random: { next: () => 0 } },
  );
  return { manual, session, now: () => clock.monotonic(), sleeping: () => sleeping };
}

type World = ReturnType<typeof world>;

/** Waits on polls that a script answers; the last entry repeats. Returns the result and the time of each poll in ms. */
async function pollScript(
  { manual, session, now }: World,
  script: readonly (Poll<string> | Error)[] | (() => Poll<string>),
  { seconds = 3_600, expects = "a thing", stop = new AbortController().signal } = {},
) {
  const at: number[] = [];
  const reports: string[] = [];
  const poll = async (): Promise<Poll<string>> => {
    const found = typeof script === "function" ? script() : script[Math.min(at.length, script.length - 1)];
    at.push(now());
    if (found === undefined || found instanceof Error) throw found;
    return found;
  };
  const call = {
    stop,
    timeout: seconds,
    report: (status: Text) => reports.push(inWordsOf("terraform", status)),
  };
  const work = operate(
    session,
    { resource: resource("vpc"), verb: "create", label: { name: "net" }, call },
    (operation: Operation) => waitFor(operation, expects, poll),
  ).then(
    (done) => ({ done, error: undefined }),
    (error: unknown) => ({ done: undefined, error }),
  );
  let ended = false;
  void work.then(() => {
    ended = true;
  });
  while (!ended) await manual.advance(250);
  return { ...(await work), at, reports };
}

const pending = { pending: "BUILD" };

const done = { done: "it" };

const pauses = (at: readonly number[]) => at.slice(1).map((time, index) => time - (at[index] ?? 0));

test("the first poll is immediate, and the pauses grow by half up to fifteen seconds", async () => {
  const { at, done: found } = await pollScript(world(), [...Array.from({ length: 14 }, () => pending), done]);
  expect(found).toBe("it");
  expect(at[0]).toBe(0);
  expect(pauses(at).map(Math.round)).toEqual([
    250, 375, 563, 844, 1266, 1898, 2848, 4271, 6407, 9611, 14416, 15000, 15000, 15000,
  ]);
});

test("an operation that took long before is polled rarely at first and often near its expected end", async () => {
  const place = world();
  const lasting = (ms: number) => {
    const end = place.now() + ms;
    return () => (place.now() >= end ? done : pending);
  };
  const first = await pollScript(place, lasting(60_000));
  const began = place.now();
  const second = await pollScript(place, lasting(60_000));
  expect(second.at.length).toBeLessThanOrEqual(first.at.length + 1);
  expect((second.at.at(-1) ?? 0) - began).toBeLessThan(first.at.at(-1) ?? 0);
  expect((second.at[2] ?? 0) - began).toBeGreaterThan(15_000);
});

test("an operation that was short before is not polled after long pauses", async () => {
  const place = world();
  await pollScript(place, [pending, pending, done]);
  const { at } = await pollScript(place, [pending, pending, pending, pending, done]);
  expect(at.length).toBe(5);
  expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeLessThan(4_000);
});

test("the progress has the elapsed and the usual duration", async () => {
  const place = world();
  const first = await pollScript(place, [pending, { pending: "ACTIVE" }, done]);
  expect(first.reports).toEqual(["BUILD, 0 s", "ACTIVE, 0 s"]);
  const { reports } = await pollScript(place, [pending, done]);
  expect(reports).toEqual(["BUILD, 0 s of typically 1 s"]);
});

test("four consecutive polls may fail, the fifth failure ends the wait", async () => {
  const four = [lost, lost, lost, lost];
  expect((await pollScript(world(), [...four, pending, ...four, done])).done).toBe("it");
  const { error, at } = await pollScript(world(), [pending, ...four, lost]);
  expect(at).toHaveLength(6);
  expect(explain(error).detail).toContain("Lost. (GET /things)");
});

test("a rejection ends the wait immediately, and so does a failure of the object", async () => {
  expect((await pollScript(world(), [pending, refused])).at).toHaveLength(2);
  const { error, at } = await pollScript(world(), [
    pending,
    new FailedError("the API reports the status ERROR"),
  ]);
  expect(at).toHaveLength(2);
  expect(explain(error).detail).toContain("The API reports the status ERROR.");
});

test("a stop immediately ends a wait that shares listings", async () => {
  const { session, manual } = world();
  const stop = new AbortController();
  const waiting = operate(
    session,
    { resource: resource("vpc"), verb: "create", label: { name: "net" }, call: { stop: stop.signal } },
    (operation) =>
      waitFor(
        operation,
        "a thing",
        async () => (stop.signal.aborted ? { done: "too late" } : pending),
        "scope",
      ),
  ).catch((error: unknown) => explain(error).detail);
  await manual.advance(1_000);
  stop.abort(new StopError("stop"));
  expect(await waiting).toContain("The run was stopped.");
});

test("a deadline ends the wait in time, a stop immediately, and no timer remains", async () => {
  const late = world();
  const { error, at } = await pollScript(late, [pending], { seconds: 20 });
  expect(at.at(-1)).toBe(19_000);
  expect(explain(error).detail).toContain("The timeout of 20 s expired.");
  expect([late.now() <= 20_250, late.sleeping()]).toEqual([true, 0]);
  const place = world();
  const stop = new AbortController();
  const work = pollScript(place, [pending], { stop: stop.signal });
  await place.manual.advance(1_000);
  stop.abort(new StopError("stop"));
  expect(explain((await work).error).detail).toContain("The run was stopped.");
  expect(place.sleeping()).toBe(0);
  const fast = world();
  await pollScript(fast, [done]);
  expect(fast.sleeping()).toBe(0);
});

test("with any results of polls, a wait ends within its deadline, with a result or the matching error", async () => {
  const seen = fc.constantFrom<Poll<string> | Error>(pending, lost, refused, done, new FailedError("failed"));
  await fc.assert(
    fc.asyncProperty(fc.array(seen, { minLength: 1, maxLength: 12 }), async (script) => {
      const place = world();
      const { done: found, error } = await pollScript(place, script, { seconds: 60 });
      expect(place.now()).toBeLessThanOrEqual(60_250);
      expect(place.sleeping()).toBe(0);
      if (error === undefined) expect(found).toBe("it");
      else expect(explain(error).detail).toMatch(/The timeout of 60 s expired|Lost|No\. \(|Failed\./);
    }),
    { numRuns: 100 },
  );
});

test("a waiter on a listing polls when others requested it, reports only changes, and restarts its pause", async () => {
  const { manual, session, now } = world();
  const at: number[] = [];
  const reports: string[] = [];
  const call = {
    stop: new AbortController().signal,
    report: (status: Text) => reports.push(inWordsOf("terraform", status)),
  };
  const words = ["BUILD", "BUILD", "BUILD", "BUILD", "NETWORKING"];
  const waiting = operate(
    session,
    { resource: resource("vpc"), verb: "create", label: { name: "net" }, call },
    (operation) =>
      waitFor(
        operation,
        "a thing",
        async () => {
          const word = words[at.length];
          at.push(now());
          return word === undefined ? { done: "it" } : { pending: word };
        },
        "scope",
      ),
  );
  const listed = (object: string) =>
    session.listings.share({ scope: "scope", object, after: session.listings.mark() }, async () => []);
  // The waiter polls at 0, 250 and 625 ms. Listings of other reads trigger polls at 700 and 900 ms; the next pause takes 700
  // ms.
  await manual.advance(700);
  await listed("a");
  await manual.advance(200);
  await listed("b");
  await manual.advance(700);
  expect(await waiting).toBe("it");
  expect(at.map(Math.round)).toEqual([0, 250, 625, 700, 900, 1_600]);
  expect(reports).toEqual(["BUILD, 0 s", "BUILD, 0 s", "BUILD, 1 s", "NETWORKING, 1 s"]);
});
