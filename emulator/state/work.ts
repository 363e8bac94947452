/**
 * Asynchronous work, given by its times. No timer fires when it ends: readers compute its state from the clock, so work
 * in progress survives a restart and works with any clock.
 */
export type Work = {
  readonly startsAt: number;
  readonly endsAt: number;
  /** Reason why the work fails at its end; absent when it succeeds. */
  readonly failure?: string;
};

/** Task states of docs/contract.md#2.1. */
export type WorkState = "pending" | "processing" | "success" | "failed";

export function workState(work: Work, time: number): WorkState {
  if (time < work.startsAt) return "pending";
  if (time < work.endsAt) return "processing";
  return work.failure === undefined ? "success" : "failed";
}

/** Starts work that is pending for the first quarter of its duration. */
export function startWork(from: number, duration: number, failure?: string): Work {
  const work = { startsAt: from + Math.floor(duration / 4), endsAt: from + duration };
  return failure === undefined ? work : { ...work, failure };
}

/** Starts consecutive steps in equal shares of the duration; when a step fails, the later ones fail too. */
export function startSteps(from: number, duration: number, failures: (string | undefined)[]): Work[] {
  const share = duration / failures.length;
  const firstFailed = failures.findIndex((failure) => failure !== undefined);
  return failures.map((failure, step) => {
    const after = firstFailed >= 0 && step > firstFailed;
    const begin = from + Math.floor(share * step);
    const length = from + Math.floor(share * (step + 1)) - begin;
    if (!after) return startWork(begin, length, failure);
    const failedAt = from + Math.floor(share * (firstFailed + 1));
    return { startsAt: failedAt, endsAt: failedAt, failure: "not attempted: an earlier step failed" };
  });
}
