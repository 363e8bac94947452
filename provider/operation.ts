import { remedyFor, stepOf } from "./advice.ts";
import { type Api, createApi, type Departure } from "./client.ts";
import { checkSettings, environmentOf } from "./config.ts";
import type { Resource } from "./define.ts";
import {
  CloudError,
  ConfigError,
  type Explanation,
  FailedError,
  type Fate,
  type Held,
  InputError,
  OperationError,
  StopError,
} from "./errors.ts";
import type { Session } from "./session.ts";

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

/** One operation on one object: its deadline and stop are one signal, its errors know what they are about. */
export interface Operation {
  readonly session: Session;
  readonly resource: Resource;
  readonly verb: Verb;
  readonly signal: AbortSignal;
  /** When the signal aborts by itself, on the monotonic clock. */
  readonly deadline: number;
  /** `the volume "data"`. */
  readonly subject: string;
  /** `departure` is told when a request that may change something has left. */
  api(region: string, departure?: Departure): Api;
  report(status: string): void;
  warn(summary: string, detail: string): void;
  /** An error about this operation; `cause` gives the why. */
  failed(step: string, fate: Fate, next: string, held?: Held, cause?: unknown): OperationError;
}

const doing: Record<Verb, string> = {
  create: "creating",
  read: "reading",
  update: "changing",
  delete: "deleting",
  import: "importing",
};

/** Where an object stands when its operation fails and nothing more is known. */
const fates: Record<Verb, Fate> = {
  create: { is: "nothing created" },
  read: { is: "unknown" },
  update: { is: "half changed" },
  delete: { is: "still exists" },
  import: { is: "nothing changed" },
};

const isTold = (error: unknown): boolean =>
  [CloudError, StopError, FailedError, InputError].some((kind) => error instanceof kind);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Runs one operation under its deadline and the engine's stop; no timer outlives it. */
export async function operate<T>(
  session: Session,
  resource: Resource,
  verb: Verb,
  name: string | undefined,
  call: Call,
  run: (operation: Operation) => Promise<T>,
): Promise<T> {
  const { clock } = session.ports;
  const limit = new AbortController();
  const over = new AbortController();
  const seconds = call.timeout ?? resource.timeouts[verb === "import" ? "read" : verb];
  const stop = () => limit.abort(new StopError("stop"));
  if (call.stop.aborted) stop();
  call.stop.addEventListener("abort", stop, { once: true });
  const timer = clock.sleep(seconds * 1000, over.signal).then(
    () => limit.abort(new StopError("deadline", seconds)),
    () => {},
  );
  const noun = resource.name.replaceAll("-", " ");
  const subject = `the ${noun}${name === undefined ? "" : ` ${JSON.stringify(name)}`}`;
  let last: string | undefined;
  const operation: Operation = {
    session,
    resource,
    verb,
    signal: limit.signal,
    deadline: clock.monotonic() + seconds * 1000,
    subject,
    api: (region, departure) => createApi(session, region, limit.signal, departure),
    report: (status) => {
      last = status;
      session.log("info", "waiting", {
        resource: resource.name,
        ...(name === undefined ? {} : { name }),
        status,
      });
      call.report?.(status);
    },
    warn: (summary, detail) => {
      session.log("warn", summary, { resource: resource.name });
      call.warn?.({ summary, detail: capital(detail) });
    },
    failed: (step, fate, next, held, cause) => {
      const seen = cause instanceof StopError && last !== undefined ? `; last seen: ${last}` : "";
      const failed = { doing: `${doing[verb]} ${subject}`, step: `${step}${seen}`, fate, next, held };
      return new OperationError(failed, cause);
    },
  };
  try {
    return await run(operation);
  } catch (error) {
    const cause = error instanceof OperationError ? error.cause : error;
    if (cause !== undefined && !isTold(cause))
      session.log("error", "internal error", {
        error: cause instanceof Error ? session.redact(String(cause.stack)) : "thrown value",
      });
    if (error instanceof OperationError || error instanceof InputError || !isTold(error)) throw error;
    throw operation.failed(stepOf(error), fates[verb], remedyFor(error), undefined, error);
  } finally {
    call.stop.removeEventListener("abort", stop);
    over.abort();
    await timer;
  }
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
export const elsewhere = ({ settings }: Session, region: string): string | undefined =>
  region === "" || region === settings.region ? undefined : region;
