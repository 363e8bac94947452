import { createApi } from "../client/client.ts";
import { checkSettings, environmentOf } from "../config/config.ts";
import {
  CloudError,
  ConfigError,
  type Existence,
  type Explanation,
  FailedError,
  InputError,
  OperationError,
  PasswordError,
  StopError,
} from "../core/error.ts";
import type { ResourceState } from "../core/state.ts";
import type { Api, RequestTracker } from "../definition/api.ts";
import type { Resource } from "../definition/resource.ts";
import { remedyFor, stepOf } from "./remediation.ts";
import type { Session } from "./session.ts";

/**
 * Seconds for which a conflict may be the echo of what was just done itself (docs/reliability.md#4.3): it mostly means
 * what it says.
 */
export const echoSeconds = 5;

/** What an adapter gives with a call: how to be stopped, how long it may take, where words go meanwhile. */
export interface Call {
  /** Aborts when the engine asks to stop. */
  readonly stop: AbortSignal;
  /** Seconds; the definition's own where the user set none. */
  readonly timeout?: number | undefined;
  /** Live status of the wait: shown where an engine can, logged where it cannot. */
  readonly report?: (status: string) => void;
  readonly warn?: (warning: Explanation) => void;
}

/** What is done to an object. */
export type Verb = "create" | "read" | "update" | "delete" | "import";

/** What an operation does: something to an object, or a look for all of them. */
type Deed = Verb | "list";

/** Something under way: its deadline and stop are one signal, its errors know what they are about. */
export interface Work {
  readonly session: Session;
  readonly signal: AbortSignal;
  /** When the signal aborts by itself, on the monotonic clock. */
  readonly deadline: number;
  /** `tracker.sent` becomes true once a request that may change something was sent. */
  api(region: string, tracker?: RequestTracker): Api;
  report(status: string): void;
  warn(summary: string, detail: string): void;
  /** An error about this work; `cause` gives the why. */
  failed(
    step: string,
    existence: Existence,
    next: string,
    state?: ResourceState,
    cause?: unknown,
  ): OperationError;
}

/** One operation on one object. */
export interface Operation extends Work {
  readonly resource: Resource;
  readonly verb: Deed;
  /** `the volume "data"`. */
  readonly subject: string;
}

/** What work is about, before it begins. */
export interface About {
  /** `creating the volume "data"`. */
  readonly doing: string;
  readonly seconds: number;
  /** Where the object stands when the work fails and nothing more is known. */
  readonly existence: Existence;
  /** What its lines in the log are about. */
  readonly facts: Readonly<Record<string, string>>;
}

const doing: Record<Deed, string> = {
  create: "creating",
  read: "reading",
  update: "changing",
  delete: "deleting",
  import: "importing",
  list: "looking for",
};

/** Where an object stands when its operation fails and nothing more is known. */
const defaultExistence: Record<Deed, Existence> = {
  create: { is: "nothing created" },
  read: { is: "unknown" },
  update: { is: "half changed" },
  delete: { is: "still exists" },
  import: { is: "nothing changed" },
  list: { is: "nothing changed" },
};

const isTold = (error: unknown): boolean =>
  [CloudError, StopError, FailedError, InputError, PasswordError].some((kind) => error instanceof kind);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Runs work under its deadline and the engine's stop; no timer outlives it. */
export async function work<T>(
  session: Session,
  { doing, seconds, existence, facts }: About,
  call: Call,
  run: (work: Work) => Promise<T>,
): Promise<T> {
  const { clock } = session.ports;
  const limit = new AbortController();
  const over = new AbortController();
  const stop = () => limit.abort(new StopError("stop"));
  if (call.stop.aborted) stop();
  call.stop.addEventListener("abort", stop, { once: true });
  const timer = clock.sleep(seconds * 1000, over.signal).then(
    () => limit.abort(new StopError("deadline", seconds)),
    () => {},
  );
  let last: string | undefined;
  const underWay: Work = {
    session,
    signal: limit.signal,
    deadline: clock.monotonic() + seconds * 1000,
    api: (region, tracker) => createApi(session, region, limit.signal, tracker),
    report: (status) => {
      last = status;
      session.log("info", "waiting", { ...facts, status });
      call.report?.(status);
    },
    warn: (summary, detail) => {
      session.log("warn", summary, facts);
      call.warn?.({ summary, detail: capital(detail) });
    },
    failed: (step, existence, next, state, cause) => {
      const seen = cause instanceof StopError && last !== undefined ? `; last seen: ${last}` : "";
      return new OperationError({ doing, step: `${step}${seen}`, existence, next, state }, cause);
    },
  };
  try {
    return await run(underWay);
  } catch (error) {
    const cause = error instanceof OperationError ? error.cause : error;
    if (cause !== undefined && !isTold(cause))
      session.log("error", "internal error", {
        error: cause instanceof Error ? session.redact(String(cause.stack)) : "thrown value",
      });
    if (error instanceof OperationError || error instanceof InputError || !isTold(error)) throw error;
    throw underWay.failed(stepOf(error), existence, remedyFor(error), undefined, error);
  } finally {
    call.stop.removeEventListener("abort", stop);
    over.abort("over"); // Without a reason it makes an error, and every time looks at the stack for it.
    await timer;
  }
}

/** Runs one operation on one object. */
export function operate<T>(
  session: Session,
  resource: Resource,
  verb: Deed,
  name: string | undefined,
  call: Call,
  run: (operation: Operation) => Promise<T>,
): Promise<T> {
  const kind = resource.name.replaceAll("-", " ");
  const which = name === undefined ? "" : ` ${JSON.stringify(name)}`;
  const subject = `${verb === "list" ? "every" : "the"} ${kind}${which}`;
  const about: About = {
    doing: `${doing[verb]} ${subject}`,
    seconds: call.timeout ?? resource.timeouts[verb === "import" || verb === "list" ? "read" : verb],
    existence: defaultExistence[verb],
    facts: { resource: resource.name, ...(name === undefined ? {} : { name }) },
  };
  return work(session, about, call, (work) => run({ ...work, resource, verb, subject }));
}

/** The region an object lives in: its own, else the provider's. */
export function regionFor(session: Session, resource: { readonly regional?: boolean }, own: unknown): string {
  const { region } = session.settings;
  if (resource.regional === false) return region ?? "";
  const problem = (what: string) => [{ path: ["region"], problem: what }];
  if (typeof own === "string" && own !== "") {
    const [wrong] = checkSettings({ region: own });
    if (wrong === undefined) return own;
    throw new InputError(problem(wrong.problem));
  }
  if (region !== undefined) return region;
  throw new ConfigError(
    problem(`is set neither here nor in the provider (region or ${environmentOf("region")})`),
  );
}

/** The region as far as it has to be said: where it is not the provider's. */
export const regionIfNotDefault = ({ settings }: Session, region: string): string | undefined =>
  region === "" || region === settings.region ? undefined : region;
