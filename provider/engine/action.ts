import { parseDuration } from "../core/duration.ts";
import {
  CloudError,
  FailedError,
  InputError,
  isAmbiguous,
  isConflict,
  isStatedFailure,
  OperationError,
  StopError,
} from "../core/error.ts";
import { includesIgnoreCase } from "../core/string.ts";
import { reveal, type Values } from "../core/value.ts";
import { wording } from "../core/wording.ts";
import type { RequestTracker } from "../definition/api.ts";
import { check } from "../definition/check.ts";
import type { Action, Poll } from "../definition/function.ts";
import { verbInputs } from "../definition/verb-inputs.ts";
import { type Call, type Work, work } from "./operation.ts";
import { regionOfCall } from "./region.ts";
import { remediesFor, stepOf } from "./remediation.ts";
import type { Session } from "./session.ts";
import { blockedMs } from "./wait/wait.ts";
import { waitFor } from "./wait/waiter.ts";

/** Time in ms after the start of an action during which a missing object is read again: a read may lag. */
const visibleMs = 5_000;
/**
 * Time in ms after an accepted request. If the status is a done one and has not changed until then, the action counts as
 * done: the change may have happened between two polls.
 */
const unseenMs = 15_000;
/**
 * Times in ms with an unchanged status after an ambiguous response, as a read may lag: `again` until a lasting action is
 * sent again, `given` until the action fails.
 */
const untouchedMs = { again: 5_000, given: 30_000 };
/**
 * Maximum requests of a lasting action. After an ambiguous response the request is sent again only below this number, and
 * only if a read shows that the action was not executed.
 */
const mostInvocations = 3;

type VerbCall = Parameters<Action["verbs"]["send"]>[0];

/** An action in progress. */
interface Run {
  readonly work: Work;
  readonly action: Action;
  readonly readStatus: () => Promise<string>;
  readonly send: () => Promise<void>;
  readonly tracker: RequestTracker;
  /** Outcome of the last request. After `refused`, which is a failure stated in a 2xx response, a read decides. */
  answer: "none" | "accepted" | "unclear" | "refused";
  /** Error of the last ambiguous response. */
  unclear: CloudError | undefined;
  times: number;
  /** Time of the last response, in ms on the monotonic clock. */
  since: number;
  /** Status before the request. */
  before: string;
  /** Time in ms on the monotonic clock since which conflicts have a reason that does not clear by itself. */
  blockedSince: number | undefined;
  /** True once a poll after the request returned another status. */
  moved: boolean;
}

/**
 * Runs an action and waits until the API shows its result. Throws `InputError` for invalid inputs, before it sends a
 * request. Throws `OperationError`, whose existence states if the action may have been executed.
 */
export async function invoke(session: Session, action: Action, written: Values, call: Call): Promise<void> {
  const { inputs, problems } = check(action, written);
  if (problems.length > 0) throw new InputError(problems);
  const region = regionOfCall(session, action, inputs);
  const duration = reveal(inputs.timeout ?? null);
  const timeout = typeof duration === "string" ? parseDuration(duration) : call.timeout;
  const about = {
    doing: action.doing,
    seconds: timeout ?? action.timeouts.invoke,
    existence: { is: "nothing changed" },
    facts: { action: action.name },
  } as const;
  await work(session, about, { ...call, timeout }, async (work) => {
    const run = startRun(work, action, { region, inputs: verbInputs(inputs) });
    run.before = await run.readStatus();
    if (action.lasting && includesIgnoreCase(action.statuses.done, run.before))
      return work.report(`already ${run.before}`);
    try {
      await waitFor(work, action.name, () => step(run));
    } catch (error) {
      if (!run.tracker.sent || error instanceof OperationError) throw error;
      const observed =
        run.answer === "accepted"
          ? "the API accepted the request, but does not show its result"
          : "the API gave no clear response";
      const next =
        error instanceof StopError ? (["check-object", "run-again"] as const) : remediesFor(error, false);
      throw work.failed(observed, { is: "may be done" }, next, { cause: error });
    }
  });
}

function startRun(work: Work, action: Action, call: Omit<VerbCall, "api">): Run {
  const { clock } = work.session.ports;
  const tracker: RequestTracker = { sent: false };
  const began = clock.monotonic();
  return {
    work,
    action,
    tracker,
    async readStatus() {
      for (;;) {
        const status = await action.verbs.status({ ...call, sent: tracker.sent, api: work.api(call.region) });
        if (status !== undefined) return status;
        if (clock.monotonic() - began > visibleMs)
          throw work.failed(
            `no object has this ID in ${call.region}`,
            { is: tracker.sent ? "may be done" : "nothing changed" },
            ["check-id"],
          );
        await clock.sleep(1_000, work.signal);
      }
    },
    send: () => action.verbs.send({ ...call, api: work.api(call.region, tracker) }),
    answer: "none",
    unclear: undefined,
    times: 0,
    since: 0,
    before: "",
    blockedSince: undefined,
    moved: false,
  };
}

/** Polls the status once and, if needed, sends the request. */
async function step(run: Run): Promise<Poll<void>> {
  const { action, work } = run;
  if (run.times === 0) return send(run);
  const word = await run.readStatus();
  if (includesIgnoreCase(action.statuses.failed, word))
    throw new FailedError(`the API reports the status ${word}`);
  const done = includesIgnoreCase(action.statuses.done, word);
  if (done && action.lasting) return { done: undefined };
  if (run.answer === "none") {
    run.before = word;
    return send(run);
  }
  // For a restart, a change to a done status proves nothing: the object may have become ready before the restart.
  run.moved ||= word !== run.before && (action.lasting === true || !done);
  const elapsed = work.session.ports.clock.monotonic() - run.since;
  if (done && run.answer !== "refused" && (run.moved || (run.answer === "accepted" && elapsed > unseenMs)))
    return { done: undefined };
  if (run.answer === "refused" && elapsed > untouchedMs.again) throw untouched(run, word);
  if (run.answer === "unclear" && !run.moved) {
    if (elapsed > untouchedMs.given) throw untouched(run, word);
    const mayRepeat = action.lasting === true && action.once !== true && run.times < mostInvocations;
    if (mayRepeat && elapsed > untouchedMs.again) return send(run);
  }
  return { pending: word };
}

/** Returns the error for an ambiguous response after which the status did not change. */
const untouched = ({ action, work, unclear }: Run, word: string) =>
  work.failed(
    `the API gave no clear response, and the status is still ${word}`,
    { is: "may be done" },
    action.afterUnclear ?? ["check-object", "run-again"],
    { cause: unclear },
  );

/**
 * Handles a conflict: the next poll retries. Throws `OperationError` if the reason has lasted for `blockedMs` and the user
 * set no timeout.
 */
function refused(run: Run, error: CloudError): Poll<void> {
  const { action, before, work } = run;
  const { statuses = [], remedies = [] } = action.refusedIn ?? {};
  if (!includesIgnoreCase(statuses, before)) {
    run.blockedSince = undefined;
    return { pending: error.reason };
  }
  const now = work.session.ports.clock.monotonic();
  run.blockedSince ??= now;
  if (!work.hasOwnLimit && now - run.blockedSince >= blockedMs)
    throw work.failed(stepOf(error), { is: "nothing changed" }, remedies, { cause: error });
  return { pending: wording`${before}: ${error.reason}` };
}

/**
 * Sends the request. A conflict is retried; after an ambiguous response the polled status decides
 * (docs/reliability.md#3.2).
 */
async function send(run: Run): Promise<Poll<void>> {
  const { clock } = run.work.session.ports;
  const sentBefore = run.tracker.sent;
  run.times += 1;
  try {
    await run.send();
    run.answer = "accepted";
  } catch (error) {
    // `waitFor` repeats a step after a `CloudError`, but not after an `OperationError`.
    if (run.action.once && error instanceof CloudError && !isAmbiguous(error))
      throw run.work.failed(stepOf(error), { is: "nothing changed" }, remediesFor(error, false), {
        cause: error,
      });
    if (isConflict(error)) {
      run.tracker.sent = sentBefore;
      return refused(run, error);
    }
    if (!isAmbiguous(error)) throw error;
    run.answer = isStatedFailure(error) ? "refused" : "unclear";
    run.unclear = error;
  }
  run.since = clock.monotonic();
  return { pending: `${run.before}, requested` };
}
