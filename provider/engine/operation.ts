import { cleaned, createApi, type Pauses, quoted } from "../client/client.ts";
import {
  CloudError,
  ConfigError,
  type Existence,
  FailedError,
  InputError,
  OperationError,
  PasswordError,
  StopError,
} from "../core/error.ts";
import { term } from "../core/name.ts";
import type { GivenRemedy } from "../core/remedy.ts";
import type { ResourceState, UnconfirmedChange } from "../core/state.ts";
import { type ExplainedWarning, explainWarning, type Warning } from "../core/warning.ts";
import { capitalized, mapText, type Text, wording } from "../core/wording.ts";
import type { Api, RequestTracker } from "../definition/api.ts";
import type { Resource } from "../definition/resource.ts";
import { onAbort } from "../platform/abort.ts";
import type { Log } from "../platform/log.ts";
import type { Extent, HolderOf } from "./held-object.ts";
import { isThrottledCause, remediesFor, stepOf } from "./remediation.ts";
import type { Session } from "./session.ts";
import { type Label, titleObject } from "./title.ts";

/**
 * Seconds for which a conflict may be the echo of an earlier attempt of the same request (docs/reliability.md#4.3).
 * Short, since most conflicts are real.
 */
export const echoSeconds = 5;

/**
 * Time in ms after a stop within which a request that has been sent may finish, so that the id in its response is
 * recorded. Pulumi kills a plugin five seconds after a stop, and object sessions have to be closed before that.
 */
export const graceMs = { terraform: 1_500, pulumi: 3_500 } as const;

/** Arguments that an adapter passes with a call: cancellation, timeout, and receivers of progress and warnings. */
export interface Call {
  /** Aborts when the engine requests a stop. */
  readonly stop: AbortSignal;
  /** One of `graceMs`. Default: a stop aborts requests in flight at once. */
  readonly graceMs?: number | undefined;
  /** Timeout in seconds. Default: that of the definition. */
  readonly timeout?: number | undefined;
  /** Tells which resource of the configuration has an object in its state: a create does not adopt the object. */
  readonly holderOf?: HolderOf | undefined;
  /** Tells whether another entry of the state keeps the object with an id, or a part of it: a delete does not delete the object. */
  readonly keptOf?: ((id: string) => Extent | undefined) | undefined;
  /** Receives the status of a wait for display. The status is also logged. */
  readonly report?: (status: Text) => void;
  readonly warn?: (warning: ExplainedWarning) => void;
  /** Further fields of the log lines, such as the URN of the resource. */
  readonly facts?: Facts;
}

type Facts = Readonly<Record<string, string>>;

/** Operation on one object. */
export type Verb = "create" | "read" | "update" | "delete" | "import";

/** Operation on one object, or the listing of a scope. */
type OperationKind = Verb | "list";

/** A running operation. One signal combines its deadline and the engine's stop; its errors name the operation. */
export interface Work {
  readonly session: Session;
  readonly signal: AbortSignal;
  /** Time at which the signal aborts, in ms on the monotonic clock. */
  readonly deadline: number;
  /** True if the deadline is a timeout that the user set, not that of the definition. */
  readonly hasOwnLimit: boolean;
  /**
   * Returns the API client of a region. `tracker.sent` is true if a request was sent that may have changed something.
   */
  api(region: string, tracker?: RequestTracker): Api;
  report(status: Text): void;
  /** Passes on a warning, whose title contains `object`. */
  warnOf(object: string, warning: Warning): void;
  /** Returns an error that names this operation, with the state for the engine to store; `cause` gives the reason. */
  failed(
    step: Text,
    existence: Existence,
    remedies: readonly GivenRemedy[],
    more?: { readonly state?: ResourceState | undefined; readonly cause?: unknown },
  ): OperationError;
}

/** One operation on one object. */
export interface Operation extends Work {
  readonly resource: Resource;
  readonly verb: OperationKind;
  /** `the volume "data"`. */
  readonly subject: string;
  readonly holderOf?: Call["holderOf"];
  readonly keptOf?: Call["keptOf"];
  warn(warning: Warning): void;
  /** Time of the create that the state records, in ms since 1970. */
  readonly createdAt?: number | undefined;
  /** Change of an earlier run that the state records. */
  readonly unconfirmed?: UnconfirmedChange | undefined;
}

/** Description of an operation before it starts. */
export interface About {
  /** `creating the volume "data"`. */
  readonly doing: string;
  readonly seconds: number;
  /** Existence to report if the operation fails and nothing more specific is known. */
  readonly existence: Existence;
  /** True if the user can set a timeout. */
  readonly hasTimeout?: boolean;
  /** Fields of its log lines. */
  readonly facts: Facts;
}

const doing: Record<OperationKind, string> = {
  create: "creating",
  read: "reading",
  update: "changing",
  delete: "deleting",
  import: "importing",
  list: "looking for",
};

/** Existence to report for each operation if nothing more specific is known. */
const defaultExistence: Record<OperationKind, Existence> = {
  create: { is: "nothing created" },
  read: { is: "unknown" },
  update: { is: "half changed" },
  delete: { is: "still exists" },
  import: { is: "nothing changed" },
  list: { is: "nothing changed" },
};

/** Returns true for an error with a text for the user; any other one is an internal error. */
const isExpected = (error: unknown): boolean =>
  [CloudError, StopError, FailedError, InputError, PasswordError].some((kind) => error instanceof kind);

/** Runs an operation under its deadline and the engine's stop. Its timers have ended when it returns. */
export async function work<T>(
  of: Session,
  about: About,
  call: Call,
  run: (work: Work) => Promise<T>,
): Promise<T> {
  const session = withFacts(of, { ...about.facts, ...call.facts });
  const progress = progressOf(session, call);
  const limits = startLimits(session, about.seconds, { ...call, pauses: progress.pauses });
  const underWay = workOf(session, { about, call, progress, limits });
  try {
    return await run(underWay);
  } catch (error) {
    const cause = error instanceof OperationError ? error.cause : error;
    if (cause !== undefined && !isExpected(cause))
      session.log("error", "internal error", {
        error: cause instanceof Error ? session.redact(String(cause.stack)) : "thrown value",
      });
    const isComplete = error instanceof OperationError || error instanceof InputError;
    if (isComplete || !isExpected(error)) throw quoting(session).forUser(error);
    const remedies = remediesFor(error, about.hasTimeout ?? false);
    throw underWay.failed(stepOf(error), about.existence, remedies, { cause: error });
  } finally {
    await limits.end();
  }
}

/** Last status of a wait, and pauses of the client, which report one. */
interface Progress {
  readonly pauses: Pauses;
  report(status: Text): void;
  last(): Text | undefined;
}

function progressOf(session: Session, call: Call): Progress {
  let last: Text | undefined;
  const report = (status: Text) => {
    last = mapText(status, (text) => quoted(text, session.redact));
    session.log("info", "waiting", { status: last });
    call.report?.(last);
  };
  return { pauses: { report }, report, last: () => last };
}

/** Signals that end an operation: `signal` at the deadline and at a stop, `inFlight` for requests that have been sent. */
interface Limits {
  readonly signal: AbortSignal;
  readonly inFlight: AbortSignal;
  /** Ends all timers. */
  end(): Promise<void>;
}

/** Starts the timers of the deadline and of the engine's stop, after which requests in flight have `graceMs`. */
function startLimits(
  { ports: { clock } }: Session,
  seconds: number,
  { stop, graceMs, pauses }: Pick<Call, "stop" | "graceMs"> & { readonly pauses: Pauses },
): Limits {
  const limit = new AbortController();
  const inFlight = graceMs === undefined ? limit : new AbortController();
  const over = new AbortController();
  const after = (ms: number, abort: () => void) => clock.sleep(ms, over.signal).then(abort, () => {});
  const timers = [
    after(seconds * 1000, () => {
      const expired = new StopError("deadline", seconds, pauses.throttled);
      limit.abort(expired);
      inFlight.abort(expired);
    }),
  ];
  const unlink = onAbort(stop, () => {
    const stopped = new StopError("stop");
    limit.abort(stopped);
    if (graceMs !== undefined) timers.push(after(graceMs, () => inFlight.abort(stopped)));
  });
  return {
    signal: limit.signal,
    inFlight: inFlight.signal,
    async end() {
      unlink();
      over.abort("over"); // An abort without a reason creates an error and its stack trace.
      await Promise.all(timers);
    },
  };
}

/** Returns the running operation that the parts of the engine get. */
function workOf(
  session: Session,
  parts: {
    readonly about: About;
    readonly call: Call;
    readonly progress: Progress;
    readonly limits: Limits;
  },
): Work {
  const { about, call, progress, limits } = parts;
  const { signal, inFlight } = limits;
  const { forUser, clean, quote } = quoting(session);
  return {
    session,
    signal,
    deadline: session.ports.clock.monotonic() + about.seconds * 1000,
    hasOwnLimit: call.timeout !== undefined,
    api: (region, tracker) =>
      createApi(session, { region, signal, inFlight, tracker, pauses: progress.pauses }),
    report: progress.report,
    warnOf: (object, warning) => {
      const explained = explainWarning(warning, object);
      const summary = quote(explained.summary);
      session.log("warn", summary);
      call.warn?.({ summary, detail: capitalized(quote(explained.detail)), warning });
    },
    failed: (step, existence, remedies, { state, cause } = {}) => {
      const last = cause instanceof StopError ? progress.last() : undefined;
      const texts = {
        doing: clean(about.doing),
        step: quote(last === undefined ? step : wording`${step}; last seen: ${last}`),
      };
      const isLimited = isThrottledCause(cause) && !remedies.includes("lower-rate");
      const all: readonly GivenRemedy[] = isLimited ? [...remedies, "lower-rate"] : remedies;
      const failed = { ...texts, existence: named(existence), remedies: all, state };
      return new OperationError(failed, forUser(cause), clean);
    },
  };
}

/** Returns the session with fields for all its log lines, including those of requests. */
function withFacts(session: Session, facts: Facts): Session {
  const log: Log = (level, message, more) => session.log(level, message, { ...facts, ...more });
  return { ...session, log: Object.assign(log, { drops: session.log.drops }) };
}

/** Maximum length of a text in characters, as in `explain`. */
const longestMessage = 2_000;

/** Returns the message of a failure for the user: cleaned and redacted, as a definition may have quoted the API in it. */
export const messageOf = ({ text }: FailedError, { redact }: Session): Text =>
  mapText(text, (form) => quoted(form, redact, longestMessage));

/** Returns an existence for a message: its id, which the API chose, is cleaned. The state has the original id. */
const named = (existence: Existence): Existence =>
  "id" in existence ? { ...existence, id: cleaned(existence.id, (text) => text, longestMessage) } : existence;

/** Returns functions that clean and redact texts and errors which may quote the API. */
function quoting(session: Session) {
  const clean = (text: string) => cleaned(text, session.redact, longestMessage);
  const quote = (text: Text) => mapText(text, clean);
  const forUser = (error: unknown): unknown => {
    if (error instanceof FailedError) return new FailedError(messageOf(error, session), error);
    if (!(error instanceof InputError) || error instanceof ConfigError) return error;
    const problems = error.problems.map(({ path, problem }) => ({ path, problem: quote(problem) }));
    return new InputError(problems, error.remedies);
  };
  return { clean, quote, forUser };
}

/** Gives a warning unless this run has given one of this key, which contains the kind of the object. */
export function warnOnce({ session, warn }: Operation, key: string, warning: Warning): void {
  if (session.messages.warnedKinds.has(key)) return;
  session.messages.warnedKinds.add(key);
  warn(warning);
}

/** Object of an operation, and what is done with it. */
interface Subject {
  readonly resource: Resource;
  readonly verb: OperationKind;
  readonly label?: Label;
  readonly call: Call;
}

/** Runs one operation on one object. */
export function operate<T>(
  session: Session,
  { resource, verb, label = {}, call }: Subject,
  run: (operation: Operation) => Promise<T>,
): Promise<T> {
  const { name, id } = label;
  const kind = term(resource.name);
  const which = name === undefined ? "" : ` ${JSON.stringify(name)}`;
  const subject = `${verb === "list" ? "every" : "the"} ${kind}${which}`;
  const about: About = {
    doing: `${doing[verb]} ${subject}`,
    seconds: call.timeout ?? resource.timeouts[verb === "import" || verb === "list" ? "read" : verb],
    existence: defaultExistence[verb],
    hasTimeout: true,
    facts: {
      resource: resource.name,
      ...(name === undefined ? {} : { name }),
      ...(id === undefined ? {} : { id }),
    },
  };
  return work(session, about, call, (work) => {
    const warn = (warning: Warning) => {
      const known = "id" in warning ? { ...label, id: warning.id } : label;
      work.warnOf(titleObject(session, resource, known), warning);
    };
    return run({ ...work, resource, verb, subject, warn, holderOf: call.holderOf, keptOf: call.keptOf });
  });
}
