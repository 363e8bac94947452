/** Progress and interruption of the commands of an account. */

/** Returns a function that shows a text on a terminal, and removes it for undefined; without a terminal, it shows nothing. */
export function progressOn(stream: NodeJS.WriteStream): (text: string | undefined) => void {
  if (!stream.isTTY) return () => {};
  return (text = "") => {
    stream.write(`\r\u001b[K${text}`);
  };
}

/** Returns a signal that aborts at the first interrupt of the user. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  process.once("SIGINT", () => stopping.abort());
  return stopping.signal;
}
