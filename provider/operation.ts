import { type Api, createApi } from "./client.ts";
import { environmentOf } from "./config.ts";
import type { Resource } from "./define.ts";
import {
  CloudError,
  ConfigError,
  type Explanation,
  type Fate,
  type Held,
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

export type Verb = "create" | "read" | "update" | "delete" | "import";

/** One operation on one object: its deadline and stop are one signal, its errors know what they are about. */
export interface Operation {
  readonly session: Session;
  readonly resource: Resource;
  readonly verb: Verb;
  readonly signal: AbortSignal;
  readonly seconds: number;
  /** `the volume "data"`. */
  readonly subject: string;
  api(region: string): Api;
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
  const operation: Operation = {
    session,
    resource,
    verb,
    signal: limit.signal,
    seconds,
    subject,
    api: (region) => createApi(session, region, limit.signal),
    report: (status) => {
      session.log("info", "waiting", {
        resource: resource.name,
        ...(name === undefined ? {} : { name }),
        status,
      });
      call.report?.(status);
    },
    warn: (summary, detail) => {
      session.log("warn", summary, { resource: resource.name });
      call.warn?.({ summary, detail });
    },
    failed: (step, fate, next, held, cause) =>
      new OperationError({ doing: `${doing[verb]} ${subject}`, step, fate, next, held }, cause),
  };
  try {
    return await run(operation);
  } catch (error) {
    if (error instanceof OperationError || error instanceof ConfigError) throw error;
    if (error instanceof CloudError || error instanceof StopError) {
      const fate: Fate = verb === "create" ? { is: "nothing created" } : { is: "unknown" };
      throw operation.failed(
        "the cloud did not do what was asked",
        fate,
        "Run the same command again",
        undefined,
        error,
      );
    }
    session.log("error", "internal error", {
      error: error instanceof Error ? session.redact(String(error.stack)) : "thrown value",
    });
    throw error;
  } finally {
    call.stop.removeEventListener("abort", stop);
    over.abort();
    await timer;
  }
}

/** The region an object lives in: its own, else the provider's. */
export function regionFor(session: Session, resource: { readonly regional?: boolean }, own: unknown): string {
  if (resource.regional === false) return session.settings.region ?? "";
  if (typeof own === "string" && own !== "") return own;
  if (session.settings.region !== undefined) return session.settings.region;
  throw new ConfigError([
    {
      path: ["region"],
      problem: `is set neither here nor in the provider (region or ${environmentOf("region")})`,
    },
  ]);
}
