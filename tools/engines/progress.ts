/** Receiver of the progress of a long step. */
export interface Progress {
  /** Prints a line permanently. */
  step(line: string): void;
  /** Shows the status of the current step. A newer status replaces it, undefined removes it. */
  status(line: string | undefined): void;
}

/** Minimum time in ms between two status lines of a log. With one status per second, the lines are at most 10 s apart. */
const heartbeat = 9_000;

/** Returns the progress on a terminal (a status overwrites the last one) or in a log (a status about every 10 s). */
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

/** Returns the whole seconds since `start`, a `Date.now()`, with their unit. */
export function seconds(start: number): string {
  return `${Math.round((Date.now() - start) / 1000)} s`;
}
