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
import type { RequestTracker } from "../definition/api.ts";
import { check, verbInputs } from "../definition/check.ts";
import type { Action } from "../definition/function.ts";
import { type Call, regionFor, type Work, work } from "./operation.ts";
import { remediesFor, stepOf } from "./remediation.ts";
import type { Session } from "./session.ts";
import { blockedMs, type Poll, waitFor } from "./wait/wait.ts";

/** Time in ms for which a read may not find an existing object. */
const visibleMs = 5_000;
/**
 * Time in ms after an accepted request: a done status that did not change until then counts as done, since the change
 * may have been too quick to be observed.
 */
const unseenMs = 15_000;
/**
 * Times in ms after an ambiguous response with an unchanged status, as a read may lag: until a lasting action is sent
 * again (`again`), and until the action fails (`given`).
 */
const untouchedMs = { again: 5_000, given: 30_000 };
/**
 * Maximum requests of a lasting action: after an ambiguous response it is sent again only below this number, and only
 * if a read shows that it was not done.
 */
const sendings = 3;

type VerbCall = Parameters<Action["verbs"]["send"]>[0];

/** An action in progress. */
interface Run {
  readonly work: Work;
  readonly action: Action;
  readonly look: () => Promise<string>;
  readonly send: () => Promise<void>;
  readonly tracker: RequestTracker;
  /** Outcome of the last request; `refused` inside a 2xx, after which a read decides. */
  answer: "none" | "taken" | "unclear" | "refused";
  /** Error of the last ambiguous response. */
  unclear: CloudError | undefined;
  times: number;
  /** Time of the last response, in ms on the monotonic clock. */
  since: number;
  /** Status before the request. */
  before: string;
  /** Time in ms on the monotonic clock since which conflicts have a reason that does not clear by itself. */
  blockedSince: number | undefined;
  /** True once another status was observed after the request. */
  moved: boolean;
}

/**
 * Runs an action and waits until the API shows its result. Throws `InputError` for invalid inputs before anything is
 * sent, and `OperationError` that says whether the action may have been executed.
 */
export async function invoke(session: Session, action: Action, written: Values, call: Call): Promise<void> {
  const { inputs, problems } = check(action, written);
  if (problems.length > 0) throw new InputError(problems);
  const region = regionFor(session, action, reveal(inputs.region ?? null));
  const given = reveal(inputs.timeout ?? null);
  const timeout = typeof given === "string" ? parseDuration(given) : call.timeout;
  const about = {
    doing: action.doing,
    seconds: timeout ?? action.timeouts.invoke,
    existence: { is: "nothing changed" },
    facts: { action: action.name },
  } as const;
  await work(session, about, { ...call, timeout }, async (work) => {
    const run = begin(work, action, { region, inputs: verbInputs(inputs) });
    run.before = await run.look();
    if (action.lasting && includesIgnoreCase(action.words.done, run.before))
      return work.report(`already ${run.before}`);
    try {
      await waitFor(work, action.name, () => step(run));
    } catch (error) {
      if (!run.tracker.sent || error instanceof OperationError) throw error;
      const seen =
        run.answer === "taken"
          ? "the API accepted the request, but does not show its result"
          : "the API gave no clear response";
      const next =
        error instanceof StopError ? (["check-object", "run-again"] as const) : remediesFor(error, false);
      throw work.failed(seen, { is: "may be done" }, next, undefined, error);
    }
  });
}

function begin(work: Work, action: Action, call: Omit<VerbCall, "api">): Run {
  const { clock } = work.session.ports;
  const tracker: RequestTracker = { sent: false };
  const began = clock.monotonic();
  return {
    work,
    action,
    tracker,
    async look() {
      for (;;) {
        const word = await action.verbs.look({ ...call, sent: tracker.sent, api: work.api(call.region) });
        if (word !== undefined) return word;
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
  const word = await run.look();
  if (includesIgnoreCase(action.words.failed, word))
    throw new FailedError(`the API reports the status ${word}`);
  const done = includesIgnoreCase(action.words.done, word);
  if (done && action.lasting) return { done: undefined };
  if (run.answer === "none") {
    run.before = word;
    return send(run);
  }
  // An object that only becomes ready while it is restarted was not restarted.
  run.moved ||= word !== run.before && (action.lasting === true || !done);
  const elapsed = work.session.ports.clock.monotonic() - run.since;
  if (done && run.answer !== "refused" && (run.moved || (run.answer === "taken" && elapsed > unseenMs)))
    return { done: undefined };
  if (run.answer === "refused" && elapsed > untouchedMs.again) throw untouched(run, word);
  if (run.answer === "unclear" && !run.moved) {
    if (elapsed > untouchedMs.given) throw untouched(run, word);
    const mayRepeat = action.lasting === true && action.once !== true && run.times < sendings;
    if (mayRepeat && elapsed > untouchedMs.again) return send(run);
  }
  return { still: word };
}

/** Returns the error for an ambiguous response after which the status did not change. */
const untouched = ({ action, work, unclear }: Run, word: string) =>
  work.failed(
    `the API gave no clear response, and the status is still ${word}`,
    { is: "may be done" },
    action.afterUnclear ?? ["check-object", "run-again"],
    undefined,
    unclear,
  );

/** Retries after a conflict, unless its reason lasts and no timeout of the user overrides that. */
function refused(run: Run, error: CloudError): Poll<void> {
  const { action, before, work } = run;
  const { words = [], remedies = [] } = action.refusedIn ?? {};
  if (!includesIgnoreCase(words, before)) {
    run.blockedSince = undefined;
    return { still: error.said };
  }
  const now = work.session.ports.clock.monotonic();
  run.blockedSince ??= now;
  if (!work.hasOwnLimit && now - run.blockedSince >= blockedMs)
    throw work.failed(stepOf(error), { is: "nothing changed" }, remedies, undefined, error);
  return { still: `${before}: ${error.said}` };
}

/**
 * Sends the request. A conflict is retried; after an ambiguous response the polled status decides
 * (docs/reliability.md#3.2).
 */
async function send(run: Run): Promise<Poll<void>> {
  const { clock } = run.work.session.ports;
  const gone = run.tracker.sent;
  run.times += 1;
  try {
    await run.send();
    run.answer = "taken";
  } catch (error) {
    // The waiter repeats a step after an error of the API, but not after the error of an operation.
    if (run.action.once && error instanceof CloudError && !isAmbiguous(error))
      throw run.work.failed(
        stepOf(error),
        { is: "nothing changed" },
        remediesFor(error, false),
        undefined,
        error,
      );
    if (isConflict(error)) {
      run.tracker.sent = gone;
      return refused(run, error);
    }
    if (!isAmbiguous(error)) throw error;
    run.answer = isStatedFailure(error) ? "refused" : "unclear";
    run.unclear = error;
  }
  run.since = clock.monotonic();
  return { still: `${run.before}, requested` };
}
