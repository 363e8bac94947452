import { PassThrough } from "node:stream";
import { expect, jest, test } from "@jest/globals";
import { countsText, holdSignals, interruptible, progressOn } from "../../../account/command/progress.ts";
import { OperationError, StopError } from "../../../provider/core/error.ts";

const stopped = new OperationError(
  { doing: "listing", step: "stopped", existence: { is: "unknown" }, remedies: [] },
  new StopError("stop"),
);
const listeners = [process.listenerCount("SIGINT"), process.listenerCount("SIGTERM")];

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

test("the progress of an inventory has its listings and its objects", () => {
  expect(countsText({ listings: { done: 3, known: 12 }, objects: 40 })).toBe("3 of 12 listings, 40 objects");
});

test("without a terminal, nothing is written", () => {
  const { stream, written } = streamOf(false);
  progressOn(stream)("1 of 2");
  expect(written()).toBe("");
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "after %s, the message is written and the exit code is %i; other errors are those of the work",
  async (signal, expected) => {
    const write = jest.spyOn(process.stderr, "write").mockReturnValue(true);
    const code = await interruptible(
      () => "kcloud export: interrupted",
      async ({ stop }) => {
        const before = stop.aborted;
        process.emit(signal, signal);
        if (!before && stop.aborted) throw stopped;
        return 0;
      },
    );
    const written = write.mock.calls.map(([text]) => text);
    expect([code, written]).toEqual([expected, ["kcloud export: interrupted\n"]]);
    const aborted = interruptible(
      () => "",
      async ({ stop }) => {
        process.emit(signal, signal);
        stop.throwIfAborted();
        return 0;
      },
    );
    expect(await aborted).toBe(expected);
    write.mockRestore();
    const failed = interruptible(
      () => "",
      () => Promise.reject(new Error("no answer")),
    );
    await expect(failed).rejects.toThrow("no answer");
    expect([process.listenerCount("SIGINT"), process.listenerCount("SIGTERM")]).toEqual(listeners);
  },
);

test("held signals do not end the process", () => {
  const signals = ["SIGHUP", "SIGINT", "SIGTERM"] as const;
  const before = signals.map((signal) => process.listeners(signal));
  holdSignals();
  for (const [index, signal] of signals.entries()) {
    const added = process.listeners(signal).filter((listener) => !before[index]?.includes(listener));
    // The system ends a process at a signal without a listener.
    expect([signal, added.length]).toEqual([signal, 1]);
    for (const listener of added) process.off(signal, listener);
  }
});
