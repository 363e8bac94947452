import { expect, test } from "@jest/globals";
import { manualClock } from "../../emulator/emulator.ts";
import { sendStreaming, withIdleTimeout } from "../../provider/client/request.ts";
import type { Clock, Reply, Transport } from "../../provider/platform/ports.ts";

const answer: Reply = { kind: "answer", status: 200, headers: {}, body: "", cut: false };

const never = new AbortController().signal;

/** Runs a request on a clock that starts at 0, and returns its reply. */
async function replyOf(send: (clock: Clock) => Promise<Reply>): Promise<Reply> {
  const manual = manualClock();
  const began = manual.now();
  const reply = send({
    monotonic: () => manual.now() - began,
    wall: () => manual.now(),
    sleep: (ms, signal) => manual.sleep(ms, signal),
  });
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  reply.then(end, end);
  while (!isDone) await manual.advance(1_000);
  return reply;
}

/** Runs a request that transfers data at these times in ms; the response arrives at the last one. */
const replyAfter = (moves: readonly number[]): Promise<Reply> =>
  replyOf((clock) =>
    withIdleTimeout(clock, never, async (limit, moved) => {
      for (const at of moves) {
        await clock.sleep(at - clock.monotonic(), limit);
        moved();
      }
      return answer;
    }),
  );

test("a request is not lost while data moves, however long it takes", async () => {
  expect(await replyAfter([50_000, 100_000, 150_000, 200_000])).toEqual(answer);
});

test("a request without data for two minutes is lost", async () => {
  expect(await replyAfter([50_000, 180_000])).toEqual({ kind: "lost", reason: "no response within 60 s" });
});

test("a request that no connection takes for a minute is not lost, but unsent", async () => {
  const waiting = (limit: AbortSignal): Promise<Reply> =>
    new Promise((resolve) => {
      const reply: Reply = { kind: "unsent", reason: "no connection to the host cloud.example was open" };
      limit.addEventListener("abort", () => resolve(reply), { once: true });
    });
  expect(await replyOf((clock) => withIdleTimeout(clock, never, waiting))).toEqual({
    kind: "unsent",
    reason: "no connection to the host cloud.example was open within 60 s",
  });
});

test("a download of several minutes is not lost while parts of it arrive", async () => {
  const received: number[] = [];
  const download = { method: "GET", url: "https://cloud.example/a", headers: {} };
  const reply = await replyOf((clock) => {
    const transport: Transport = {
      async send({ receive }, limit) {
        for (const part of [1, 2, 3, 4]) {
          await clock.sleep(50_000, limit);
          await receive?.(Uint8Array.of(part));
        }
        return answer;
      },
    };
    const receive = (part: Uint8Array) => void received.push(...part);
    return sendStreaming({ transport, clock, signal: never }, { ...download, receive });
  });
  expect([reply, received]).toEqual([answer, [1, 2, 3, 4]]);
});
