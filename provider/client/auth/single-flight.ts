import { onAbort } from "../../platform/abort.ts";

/** Asynchronous work that concurrent callers share, such as a sign-in or the opening of a session. */
export interface SingleFlight {
  /**
   * Joins the running call or starts it. A waiter leaves when its signal aborts; the call is aborted when the last
   * waiter has left.
   */
  join(signal: AbortSignal): Promise<void>;
}

interface Under {
  readonly landing: Promise<void>;
  readonly abort: AbortController;
  waiting: number;
}

/** Creates a single flight. `run` rejects with the reason of its failure, or with its signal's reason. */
export function singleFlight(run: (signal: AbortSignal) => Promise<void>): SingleFlight {
  let flight: Under | undefined;

  function takeOff(): Under {
    const abort = new AbortController();
    const started: Under = { landing: run(abort.signal), abort, waiting: 0 };
    const landed = () => {
      if (flight === started) flight = undefined;
    };
    void started.landing.then(landed, landed);
    return started;
  }

  return {
    async join(signal) {
      signal.throwIfAborted();
      flight ??= takeOff();
      const taken = flight;
      taken.waiting += 1;
      try {
        await unlessAborted(taken.landing, signal);
      } finally {
        taken.waiting -= 1;
        if (taken.waiting === 0) {
          if (flight === taken) flight = undefined;
          taken.abort.abort(signal.reason);
        }
      }
    },
  };
}

/** Returns the result of shared work; rejects with the signal's reason as soon as it aborts, while the work goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const unlink = onAbort(signal, reject);
    void work.then(resolve, reject).finally(unlink);
  });
}
