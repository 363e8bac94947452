import type { Progress } from "../inventory.ts";
import { isStop } from "../stop.ts";

/** Progress and interruption of the commands of an account. */

/** Exit codes after a signal that interrupts a command: 128 and its number. */
const interruptedCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof interruptedCodes;

/** Keeps signals from ending this process at once, until its end: its exit code says how it ended. */
export function holdSignals(): void {
  for (const signal of Object.keys(interruptedCodes)) process.on(signal, () => {});
}

/** Returns a function that shows a text on a terminal, and removes it for undefined; without a terminal, it shows nothing. */
export function progressOn(stream: NodeJS.WriteStream): (text: string | undefined) => void {
  if (!stream.isTTY) return () => {};
  return (text = "") => {
    stream.write(`\r\u001b[K${text}`);
  };
}

export const countsText = ({ listings, objects }: Progress): string =>
  `${listings.done} of ${listings.known} listings, ${objects} objects`;

/** Running command: its signal aborts at the first interrupt, and `show` replaces the text of its progress. */
export interface Running {
  readonly stop: AbortSignal;
  show(text: string | undefined): void;
}

/**
 * Runs the work of a command, and returns its exit code. After an interrupt, the work ends, the message is written, and the exit code
 * is that of the signal; a second interrupt ends the process. `unclear` returns the exit code of a process that ends while a change may
 * be executed, after it has written why.
 */
export async function interruptible(
  message: () => string,
  work: (running: Running) => Promise<number>,
  unclear: () => number | undefined = () => undefined,
): Promise<number> {
  const stopping = new AbortController();
  let code: number = interruptedCodes.SIGINT;
  const stop = (signal: NodeJS.Signals) => {
    code = interruptedCodes[signal as Signal];
    // A second interrupt ends the process, after what removes its files at an exit.
    if (stopping.signal.aborted) process.exit(unclear() ?? code);
    stopping.abort();
  };
  const release = () => {
    for (const signal of Object.keys(interruptedCodes)) process.off(signal, stop);
  };
  for (const signal of Object.keys(interruptedCodes)) process.on(signal, stop);
  const show = progressOn(process.stderr);
  try {
    return await work({ stop: stopping.signal, show });
  } catch (error) {
    show(undefined);
    if (!isStop(error) && error !== stopping.signal.reason) throw error;
    process.stderr.write(`${message()}\n`);
    return code;
  } finally {
    release();
  }
}
