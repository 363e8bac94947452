/** What a long step says while it works. */
export interface Progress {
  /** A line that stays. */
  step(line: string): void;
  /** Where the current step is; a newer one replaces it, and undefined ends it. */
  status(line: string | undefined): void;
}

/** Milliseconds between two lines of status where no terminal can overwrite the last one; with the tick, 10 s at most. */
const heartbeat = 9_000;

/** Progress on a terminal (the status overwrites itself) or in a log (the status at most every 10 s). */
export function streamProgress(stream: NodeJS.WriteStream): Progress {
  if (stream.isTTY) {
    return {
      step: (line) => void stream.write(`\r\u001b[K${line}\n`),
      status: (line) => void stream.write(`\r\u001b[K${line?.slice(0, stream.columns - 1) ?? ""}`),
    };
  }
  let last = Date.now();
  const write = (line: string) => {
    last = Date.now();
    stream.write(`${line}\n`);
  };
  return {
    step: write,
    status: (line) => {
      if (line !== undefined && Date.now() - last >= heartbeat) write(line);
    },
  };
}

/** Whole seconds since `start`, a `Date.now()`. */
export function seconds(start: number): string {
  return `${Math.round((Date.now() - start) / 1000)} s`;
}
