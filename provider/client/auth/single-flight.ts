import { onAbort } from "../../platform/abort.ts";

/** Asynchronous call that concurrent callers share, such as a sign-in or the activation of a session. */
export interface SingleFlight {
  /**
   * Joins the running call or starts it. A waiter leaves when its signal aborts; the call is aborted when the last
   * waiter has left.
   */
  join(signal: AbortSignal): Promise<void>;
}

interface RunningCall {
  readonly result: Promise<void>;
  readonly abort: AbortController;
  waiting: number;
}

/** Creates a single flight. `run` rejects with the reason of its failure, or with its signal's reason. */
export function singleFlight(run: (signal: AbortSignal) => Promise<void>): SingleFlight {
  let running: RunningCall | undefined;

  function start(): RunningCall {
    const abort = new AbortController();
    const started: RunningCall = { result: run(abort.signal), abort, waiting: 0 };
    const ended = () => {
      if (running === started) running = undefined;
    };
    void started.result.then(ended, ended);
    return started;
  }

  return {
    async join(signal) {
      signal.throwIfAborted();
      running ??= start();
      const joined = running;
      joined.waiting += 1;
      try {
        await unlessAborted(joined.result, signal);
      } finally {
        joined.waiting -= 1;
        if (joined.waiting === 0) {
          if (running === joined) running = undefined;
          joined.abort.abort(signal.reason);
        }
      }
    },
  };
}

/** Returns the result of shared work. Rejects with the signal's reason when the signal aborts; the work continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const unlink = onAbort(signal, reject);
    void work.then(resolve, reject).finally(unlink);
  });
}
