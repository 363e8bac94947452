import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { manualClock } from "../../../emulator/emulator.ts";
import { apiKeySource, signInTokenSource } from "../../../provider/client/auth/auth.ts";
import { SignInError, StopError } from "../../../provider/core/error.ts";

const route = "POST /iam/v1/signInAsRootUser";
const refused = new SignInError({ failure: "auth", route, reason: "no", status: 401 }, true);
const unanswered = new SignInError({ failure: "unsent", route, reason: "no answer" }, false);

/** Opens a token source whose sign-ins take `latencyMs` ms and end with the entries of `script`; the last entry repeats. */
function world(script: readonly (SignInError | "ok")[] = ["ok"], latencyMs = 0) {
  const manual = manualClock();
  const began = manual.now();
  const clock = {
    monotonic: () => manual.now() - began,
    // A wall clock that advances by a day per ms of the monotonic clock: the token source must not depend on it.
    wall: () => manual.now() * 86_400_000,
    sleep: manual.sleep,
  };
  const signIns: { at: number; ended?: "ok" | SignInError | "aborted" }[] = [];
  const tokenSource = signInTokenSource(clock, async (signal) => {
    const end = script[Math.min(signIns.length, script.length - 1)] ?? "ok";
    const signIn: (typeof signIns)[number] = { at: clock.monotonic() };
    const count = signIns.push(signIn);
    try {
      await clock.sleep(latencyMs, signal);
    } catch (error) {
      signIn.ended = "aborted";
      throw error;
    }
    signIn.ended = end;
    if (end !== "ok") throw end;
    return `token-${count}`;
  });
  const never = new AbortController().signal;
  /** Returns the `authorization` header that a request would get, or the text of the error. */
  const ask = async (signal = never): Promise<string> => {
    try {
      await tokenSource.ready(signal);
      return tokenSource.credential()?.authorization ?? "none";
    } catch (error) {
      return error instanceof Error ? error.message : "thrown value";
    }
  };
  /** Calls `ask` and advances the clock by the latency of one sign-in. */
  const asked = async (): Promise<string> => {
    const answer = ask();
    await manual.advance(latencyMs);
    return answer;
  };
  const at = () => signIns.map((signIn) => signIn.at);
  return { manual, tokenSource, ask, asked, signIns, at };
}

test("an API key is available immediately and never renewed", async () => {
  const tokenSource = apiKeySource("the-key");
  await tokenSource.ready(new AbortController().signal);
  const credential = tokenSource.credential();
  expect(credential).toEqual({ authorization: "Bearer the-key" });
  expect(tokenSource.renew({ authorization: "Bearer the-key" })).toBe(false);
  expect(tokenSource.credential()).toBe(credential);
});

test("no sign-in is sent before the first token is needed", async () => {
  const { manual, signIns, tokenSource } = world();
  await manual.advance(1_000_000);
  expect([signIns, tokenSource.credential()]).toEqual([[], undefined]);
});

test("two hundred concurrent callers share one sign-in", async () => {
  const { manual, ask, signIns } = world(["ok"], 2_000);
  const answers = Array.from({ length: 200 }, () => ask());
  await manual.advance(1_000);
  answers.push(ask());
  await manual.advance(1_000);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["Bearer token-1"]));
  expect(signIns).toHaveLength(1);
});

test("the age of a token starts with its response, and the token is renewed one minute before it expires", async () => {
  const { manual, asked, at } = world(["ok"], 2_000);
  expect(await asked()).toBe("Bearer token-1");
  await manual.advance(239_999);
  expect(await asked()).toBe("Bearer token-1");
  expect(at()).toEqual([0]);
  expect(await asked()).toBe("Bearer token-2");
  expect(at()).toHaveLength(2);
});

test("for any duration and any number of callers, there is one sign-in every four minutes", async () => {
  const { manual, ask, at } = world(["ok"], 500);
  const answers: Promise<string>[] = [];
  for (let second = 0; second < 3_600; second++) {
    for (let asker = 0; asker < 3; asker++) answers.push(ask());
    await manual.advance(1_000);
  }
  expect(new Set(await Promise.all(answers)).size).toBe(15);
  expect(at()).toHaveLength(15);
});

test("a token that is rejected before it expires is renewed once for all callers", async () => {
  const { tokenSource, ask, asked, at } = world();
  await asked();
  const credential = tokenSource.credential();
  if (credential === undefined) throw new Error("no token");
  const repeats = Array.from({ length: 50 }, () => tokenSource.renew(credential));
  expect(new Set(repeats)).toEqual(new Set([true]));
  const answers = [ask(), ask(), asked()];
  expect(await Promise.all(answers)).toEqual(Array(3).fill("Bearer token-2"));
  expect(tokenSource.renew(credential)).toBe(true);
  expect(await asked()).toBe("Bearer token-2");
  expect(at()).toHaveLength(2);
});

test("if the API rejects every token, no second sign-in is sent within 30 s", async () => {
  const { manual, tokenSource, asked, at } = world();
  const renewed: boolean[] = [];
  for (let second = 0; second < 60; second++) {
    await asked();
    const credential = tokenSource.credential();
    if (credential !== undefined) renewed.push(tokenSource.renew(credential));
    await manual.advance(1_000);
  }
  expect(at()).toEqual([0, 1_000, 31_000]);
  expect(renewed.filter(Boolean)).toHaveLength(2);
});

test("a rejected sign-in is final: every caller gets the error, and no sign-in is sent again", async () => {
  const { manual, ask, asked, signIns } = world([refused], 1_000);
  const answers = Array.from({ length: 50 }, () => ask());
  await manual.advance(1_000);
  expect(new Set(await Promise.all(answers))).toEqual(new Set([refused.message]));
  await manual.advance(3_600_000);
  expect(await asked()).toBe(refused.message);
  expect(signIns).toHaveLength(1);
});

test("after a sign-in without a response, no sign-in is sent for 30 s", async () => {
  const { manual, asked, at } = world([unanswered, "ok"]);
  expect(await asked()).toBe(unanswered.message);
  await manual.advance(29_999);
  expect(await asked()).toBe(unanswered.message);
  await manual.advance(1);
  expect(await asked()).toBe("Bearer token-2");
  expect(at()).toEqual([0, 30_000]);
});

test("if no new token is available, the old one is used until it expires", async () => {
  const { manual, asked, at } = world(["ok", unanswered, unanswered, refused]);
  const seen: string[] = [];
  for (let at = 0; at <= 330_000; at += 10_000) {
    seen.push(await asked());
    await manual.advance(10_000);
  }
  expect(seen).toEqual([
    ...Array<string>(30).fill("Bearer token-1"),
    ...Array<string>(3).fill(refused.message),
    refused.message,
  ]);
  expect(at()).toEqual([0, 240_000, 270_000, 300_000]);
});

test("a caller that stops waiting does not abort the sign-in of the others", async () => {
  const { manual, ask, signIns } = world(["ok"], 2_000);
  const stop = new AbortController();
  const [stopped, waiting] = [ask(stop.signal), ask()];
  await manual.advance(1_000);
  stop.abort(new StopError("stop"));
  expect(await stopped).toBe("the run was stopped");
  await manual.advance(1_000);
  expect(await waiting).toBe("Bearer token-1");
  expect(signIns).toEqual([{ at: 0, ended: "ok" }]);
});

test("a sign-in is aborted when its last caller stops waiting, and the next caller starts a new one", async () => {
  const { manual, ask, signIns } = world(["ok"], 2_000);
  const stops = [new AbortController(), new AbortController()];
  const stopped = stops.map(({ signal }) => ask(signal));
  await manual.advance(1_000);
  for (const stop of stops) stop.abort(new StopError("deadline", 1));
  expect(await Promise.all(stopped)).toEqual(Array(2).fill("the timeout of 1 s expired"));
  const next = ask();
  await manual.advance(2_000);
  expect(await next).toBe("Bearer token-2");
  expect(signIns).toEqual([
    { at: 0, ended: "aborted" },
    { at: 1_000, ended: "ok" },
  ]);
});

test("a caller with an aborted signal starts no sign-in", async () => {
  const { ask, signIns } = world();
  const stop = new AbortController();
  stop.abort(new StopError("stop"));
  expect([await ask(stop.signal), signIns]).toEqual(["the run was stopped", []]);
});

test("in any order of events, one sign-in runs at a time and no expired token is used", async () => {
  const anyEvent = fc.oneof(
    fc.record({ ask: fc.integer({ min: 0, max: 5_000 }) }),
    fc.record({ pass: fc.integer({ min: 1, max: 200_000 }) }),
    fc.constant({ refuse: true }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("ok" as const, "ok" as const, unanswered), { minLength: 1, maxLength: 8 }),
      fc.array(anyEvent, { maxLength: 30 }),
      async (script, events) => {
        const { manual, tokenSource, ask, signIns } = world(script, 1_000);
        const start = manual.now();
        const waiting: Promise<string>[] = [];
        for (const event of events) {
          if ("ask" in event) {
            const stop = new AbortController();
            waiting.push(ask(stop.signal));
            await manual.advance(event.ask);
            stop.abort(new StopError("stop"));
          } else if ("pass" in event) await manual.advance(event.pass);
          else {
            const credential = tokenSource.credential();
            if (credential !== undefined) tokenSource.renew(credential);
          }
          expect(signIns.filter(({ ended }) => ended === undefined).length).toBeLessThanOrEqual(1);
          const number = Number(/\d+$/.exec(tokenSource.credential()?.authorization ?? "")?.[0] ?? 0);
          const signedIn = signIns[number - 1];
          if (signedIn) expect(manual.now() - start - (signedIn.at + 1_000)).toBeLessThan(300_000);
        }
        await manual.advance(1_000);
        await Promise.all(waiting);
      },
    ),
    { numRuns: 200 },
  );
});
