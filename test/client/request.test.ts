import { expect, test } from "@jest/globals";
import { manualClock } from "../../emulator/emulator.ts";
import { withIdleTimeout } from "../../provider/client/request.ts";
import type { Clock, Reply } from "../../provider/platform/ports.ts";

const answer: Reply = { kind: "answer", status: 200, headers: {}, body: "", cut: false };

/** Runs a request whose data moves at these times in ms, and which is answered at the last one. */
async function replyAfter(moves: readonly number[]): Promise<Reply> {
  const manual = manualClock();
  const began = manual.now();
  const clock: Clock = {
    monotonic: () => manual.now() - began,
    wall: () => manual.now(),
    sleep: (ms, signal) => manual.sleep(ms, signal),
  };
  const reply = withIdleTimeout(clock, new AbortController().signal, async (limit, moved) => {
    for (const at of moves) {
      await clock.sleep(at - clock.monotonic(), limit);
      moved();
    }
    return answer;
  });
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  reply.then(end, end);
  while (!isDone) await manual.advance(1_000);
  return reply;
}

test("a request is not lost while data moves, however long it takes", async () => {
  expect(await replyAfter([50_000, 100_000, 150_000, 200_000])).toEqual(answer);
});

test("a request in which no data moves for two minutes is lost", async () => {
  expect(await replyAfter([50_000, 180_000])).toEqual({ kind: "lost", reason: "no answer within 60 s" });
});
