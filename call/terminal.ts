import { createInterface } from "node:readline";
import { onAbort } from "../provider/platform/abort.ts";

/** Terminal of the user: questions, and standard output and error. */
export interface Terminal {
  /** True if a person can be asked: standard input and standard error are a terminal. */
  readonly canAsk: boolean;
  /** True if standard output is a terminal. */
  readonly showsOutput: boolean;
  /** Width of the terminal of standard output in columns. */
  readonly columns: number;
  /** Asks on standard error, and returns the line that the user types; empty at the end of the input. Rejects with the reason of the signal. */
  ask(question: string, stop: AbortSignal): Promise<string>;
  /** Asks as `ask` does, without an echo. */
  askSecret(question: string, stop: AbortSignal): Promise<string>;
  /** Writes a line to standard error. */
  say(line: string): void;
  /** Writes to standard output. Returns false if its reader has closed it. */
  write(part: string | Uint8Array): Promise<boolean>;
}

/** Terminal of this process. */
export const processTerminal: Terminal = {
  get canAsk() {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  },
  get showsOutput() {
    return process.stdout.isTTY === true;
  },
  get columns() {
    return process.stdout.columns ?? 80;
  },
  ask: askLine,
  askSecret: askHidden,
  say: (line) => void process.stderr.write(`${line}\n`),
  write: (part) =>
    new Promise((resolve, reject) => {
      process.stdout.write(part, (error) => {
        const code = (error as NodeJS.ErrnoException | null | undefined)?.code;
        if (code === undefined) resolve(true);
        else if (code === "EPIPE" || code === "ERR_STREAM_DESTROYED") resolve(false);
        else reject(error);
      });
    }),
};

function askLine(question: string, stop: AbortSignal): Promise<string> {
  process.stderr.write(question);
  // The terminal itself echoes, edits the line, and sends a SIGINT.
  const lines = createInterface({ input: process.stdin, terminal: false });
  return new Promise<string>((resolve, reject) => {
    const unlink = onAbort(stop, reject);
    const end = (line: string) => {
      unlink();
      resolve(line);
    };
    lines.once("line", end);
    lines.once("close", () => end(""));
  }).finally(() => lines.close());
}

/** Characters that a terminal sends for keys. */
const keys = { interrupt: "\u0003", end: "\u0004", backspace: "\b", delete: "\u007f" } as const;

function askHidden(question: string, stop: AbortSignal): Promise<string> {
  const { stdin } = process;
  const typed: string[] = [];
  let receive: ((part: string) => void) | undefined;
  return new Promise<string>((resolve, reject) => {
    onAbort(stop, reject);
    receive = (part) => {
      for (const letter of part) {
        if (letter === "\r" || letter === "\n" || letter === keys.end) return resolve(typed.join(""));
        if (letter === keys.interrupt) return void process.kill(process.pid, "SIGINT");
        if (letter === keys.backspace || letter === keys.delete) typed.pop();
        else typed.push(letter);
      }
    };
    stdin.setEncoding("utf8");
    stdin.setRawMode(true);
    stdin.on("data", receive);
    stdin.resume();
    // The echo is off before a person can answer.
    process.stderr.write(question);
  }).finally(() => {
    if (receive !== undefined) stdin.off("data", receive);
    stdin.setRawMode(false);
    stdin.pause();
    process.stderr.write("\n");
  });
}
