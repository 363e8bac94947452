/**
 * Work that passes by the clock alone. Nothing fires when it ends: whoever looks computes the state from the time, so
 * work in flight survives a restart and any clock will do.
 */
export type Work = {
  readonly startsAt: number;
  readonly endsAt: number;
  /** Why it fails when its time is over; absent when it succeeds. */
  readonly failure?: string;
};

/** The four words of contract 2.1. */
export type WorkState = "pending" | "processing" | "success" | "failed";

export function workState(work: Work, at: number): WorkState {
  if (at < work.startsAt) return "pending";
  if (at < work.endsAt) return "processing";
  return work.failure === undefined ? "success" : "failed";
}

/** One piece of work: it waits for the first quarter of its time. */
export function startWork(from: number, duration: number, failure?: string): Work {
  const work = { startsAt: from + Math.floor(duration / 4), endsAt: from + duration };
  return failure === undefined ? work : { ...work, failure };
}

/** Steps one after the other in equal shares of the duration; a step that fails takes the later ones with it. */
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
