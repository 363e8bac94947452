import { StopError } from "../core/error.ts";
import type { Clock, Reply } from "../platform/ports.ts";

const silenceMs = 60_000;

/**
 * Runs with a limit of its own beside the operation's: an exchange in which nothing has moved for so long has lost its
 * answer. `moved` is told of whatever moves before that.
 */
export async function within(
  clock: Clock,
  signal: AbortSignal,
  run: (limit: AbortSignal, moved: () => void) => Promise<Reply>,
): Promise<Reply> {
  const limit = new AbortController();
  const late: Reply = { kind: "lost", reason: `no answer within ${silenceMs / 1000} s` };
  const stop = () => limit.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  let moves = 0;
  const silence = async () => {
    for (let seen = -1; seen !== moves; ) {
      seen = moves;
      await clock.sleep(silenceMs, limit.signal);
    }
    limit.abort(new StopError("deadline", silenceMs / 1000));
  };
  const timer = silence().catch(() => {});
  try {
    signal.throwIfAborted();
    return await run(limit.signal, () => {
      moves += 1;
    });
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    return late;
  } finally {
    signal.removeEventListener("abort", stop);
    limit.abort("over"); // Without a reason it makes an error, and every time looks at the stack for it.
    await timer;
  }
}
