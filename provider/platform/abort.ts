/**
 * Calls `stop` with the reason when the signal aborts; at once, if it has aborted already. Returns a function that
 * cancels this, which a caller calls as soon as its work has ended: an operation has one signal for many requests.
 */
export function onAbort(signal: AbortSignal, stop: (reason: unknown) => void): () => void {
  const aborted = () => stop(signal.reason);
  if (signal.aborted) aborted();
  else signal.addEventListener("abort", aborted, { once: true });
  return () => signal.removeEventListener("abort", aborted);
}
