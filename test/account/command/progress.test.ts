import { PassThrough } from "node:stream";
import { expect, test } from "@jest/globals";
import { progressOn, stopSignal } from "../../../account/command/progress.ts";

/** Returns a stream, and a function that returns what was written to it. */
function streamOf(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => String(stream.read() ?? "") };
}

test("a text replaces the one before it on a terminal, and undefined removes it", () => {
  const { stream, written } = streamOf(true);
  const show = progressOn(stream);
  show("1 of 2");
  show(undefined);
  expect(written()).toBe("\r\u001b[K1 of 2\r\u001b[K");
});

test("without a terminal, nothing is written", () => {
  const { stream, written } = streamOf(false);
  progressOn(stream)("1 of 2");
  expect(written()).toBe("");
});

test("the first interrupt aborts the signal", () => {
  const signal = stopSignal();
  expect(signal.aborted).toBe(false);
  process.emit("SIGINT");
  expect(signal.aborted).toBe(true);
});
