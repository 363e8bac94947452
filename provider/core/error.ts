import type { ResourceState } from "./state.ts";
import type { Path, Values } from "./value.ts";

/**
 * A handful of classes. What a user reads is made by `explain`, here and nowhere else; a message of a library
 * never gets that far (docs/reliability.md#3.10).
 */

/** Something wrong with what the user wrote; found before anything is sent. */
export interface Problem {
  readonly path: Path;
  readonly problem: string;
}

/** Input that cannot be taken: every problem at once, each with its path. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super(problems.map(({ path, problem }) => `${path.join(".")}: ${problem}`).join("\n"));
    this.problems = problems;
  }
}

/** A setting of the provider that is missing or cannot be taken. */
export class ConfigError extends InputError {}

/** How one exchange with the cloud failed (docs/reliability.md#3.1). */
export type Failure = "unsent" | "rejected" | "auth" | "throttled" | "conflict" | "ambiguous" | "unreadable";

/** What shows the cloud who asks, or was to get such a thing. */
export type CredentialKind =
  | "API key"
  | "token"
  | "sign-in"
  | "sign-in address"
  | "second factor"
  | "access key"
  | "object session";

/** One exchange with the cloud that did not give what was asked for. */
export class CloudError extends Error {
  override readonly name = "CloudError";
  readonly failure: Failure;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** `POST /kbs/v1/volumes`: the route, never the address. */
  readonly route: string;
  /** What the cloud said, or what was seen instead of an answer; cleaned of secrets and control characters. */
  readonly said: string;
  /** What failed, where it was no more than the proof of who asks. */
  readonly credential: CredentialKind | undefined;
  /** It was refused, and may have been executed all the same. */
  readonly mayHaveExecuted: boolean;
  constructor(exchange: {
    failure: Failure;
    route: string;
    said: string;
    credential?: CredentialKind | undefined;
    mayHaveExecuted?: boolean;
    status?: number | undefined;
    requestId?: string | undefined;
  }) {
    super(`${exchange.said}: ${exchange.route}`);
    this.failure = exchange.failure;
    this.route = exchange.route;
    this.said = exchange.said;
    this.credential = exchange.credential;
    this.mayHaveExecuted = exchange.mayHaveExecuted ?? false;
    this.status = exchange.status;
    this.requestId = exchange.requestId;
  }
}

/** A sign-in that gave no token: what waited for one never left. */
export class SignInError extends CloudError {
  /** Another try would end the same, or lock the account. */
  readonly final: boolean;
  constructor(exchange: ConstructorParameters<typeof CloudError>[0], final: boolean) {
    super(exchange);
    this.final = final;
  }
}

/** The cloud knows no such object: 404 in its own words. One of them proves nothing yet (docs/reliability.md#3.9). */
export const isNotFound = (error: unknown): error is CloudError =>
  error instanceof CloudError &&
  error.failure === "rejected" &&
  error.status === 404 &&
  !error.mayHaveExecuted;

/** A refusal that does not prove that nothing was done. */
export const mayHaveExecuted = (error: unknown): error is CloudError =>
  error instanceof CloudError && error.mayHaveExecuted;

/** It may have been executed: the answer says nothing, or nothing that can be read. */
export const isAmbiguous = (error: unknown): error is CloudError =>
  error instanceof CloudError && (error.failure === "ambiguous" || error.failure === "unreadable");

/** The cloud says that something else is in the way. */
export const isConflict = (error: unknown): error is CloudError =>
  error instanceof CloudError && error.failure === "conflict";

/** The engine asked to stop, or the deadline passed. */
export class StopError extends Error {
  override readonly name = "StopError";
  readonly why: "stop" | "deadline";
  constructor(why: "stop" | "deadline", seconds?: number) {
    super(why === "stop" ? "stopped on request" : `not finished after ${seconds} s`);
    this.why = why;
  }
}

/** A delete that takes a one-time password, and got none: it never left. */
export class PasswordError extends Error {
  override readonly name = "PasswordError";
}

/** The cloud's own verdict on work it had accepted. */
export class FailedError extends Error {
  override readonly name = "FailedError";
  /** The failed object as it was seen, where it was. */
  readonly seen: Values | undefined;
  constructor(message: string, seen?: Values) {
    super(message);
    this.seen = seen;
  }
}

/** Where the object stands after a failure: one of the phrases of docs/reliability.md#3.10. */
export type Existence =
  | { readonly is: "nothing created" }
  | { readonly is: "recorded"; readonly id: string }
  | { readonly is: "may exist" }
  | { readonly is: "still exists" }
  | { readonly is: "exists"; readonly id: string }
  /** An update that did not come to its end. */
  | { readonly is: "half changed" }
  /** Something done once, outside of any state. */
  | { readonly is: "may be done" }
  /** Something that only looks. */
  | { readonly is: "nothing changed" }
  | { readonly is: "unknown" };

/** An operation on one object that did not come to its end. */
export class OperationError extends Error {
  override readonly name = "OperationError";
  /** `creating the volume "data"`. */
  readonly doing: string;
  /** `waiting for it to become available, last seen as creating, after 600 s`. */
  readonly step: string;
  readonly existence: Existence;
  /** What to do now, as a sentence with the command or the setting. */
  readonly next: string;
  /** What the engine has to keep; the next run takes it up. */
  readonly state: ResourceState | undefined;
  constructor(
    failed: {
      doing: string;
      step: string;
      existence: Existence;
      next: string;
      state?: ResourceState | undefined;
    },
    cause?: unknown,
  ) {
    super(`${failed.doing}: ${failed.step}`, cause === undefined ? {} : { cause });
    this.doing = failed.doing;
    this.step = failed.step;
    this.existence = failed.existence;
    this.next = failed.next;
    this.state = failed.state;
  }
}

/** A text for a user: a line that says what failed, and lines that say why, what is left behind and what to do. */
export interface Explanation {
  readonly summary: string;
  readonly detail: string;
}

const existenceTexts: { [K in Existence["is"]]: (existence: Extract<Existence, { is: K }>) => string } = {
  "nothing created": () => "Nothing was created.",
  recorded: ({ id }) => `It was created and is recorded as ${id}.`,
  "may exist": () => "It may exist: this could not be confirmed.",
  "still exists": () => "It still exists and stays in the state.",
  exists: ({ id }) => `It exists as ${id} and was not changed.`,
  "half changed": () => "It still exists; some of the change may have been made.",
  "may be done": () => "It may have been done: this could not be confirmed.",
  "nothing changed": () => "Nothing was changed.",
  unknown: () => "What is recorded of it stays as it was.",
};

const sentence = (text: string): string => {
  // The name of a setting stays as it is written.
  const start = /^[a-z]+_/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
};

const ours = [StopError, FailedError, InputError, PasswordError];

/** Why, in the words of the cloud or of ours; never those of a library. */
function reason(error: unknown): string {
  if (error instanceof CloudError) {
    const facts = [
      error.status === undefined ? undefined : `status ${error.status}`,
      error.requestId === undefined ? undefined : `request id ${error.requestId}`,
      error.route,
    ];
    return `${sentence(error.said)} (${facts.filter((fact) => fact !== undefined).join(", ")})`;
  }
  if (ours.some((known) => error instanceof known)) return sentence((error as Error).message);
  return "An internal error; run again with debug logging and report it.";
}

const longest = 2_000;

/** The one maker of texts: an error of any kind in, what a user reads out. At most 2 kB. */
export function explain(error: unknown): Explanation {
  if (error instanceof OperationError) {
    const exists = (existenceTexts[error.existence.is] as (existence: Existence) => string)(error.existence);
    const why = error.cause === undefined ? [] : [reason(error.cause)];
    // What is cut is the story, never where the object stands and what to do.
    const story = [sentence(error.step), ...why].join("\n");
    const end = `\n${exists}\n${sentence(error.next)}`;
    return {
      summary: `${sentence(error.doing).slice(0, -1)} failed`,
      detail: story.slice(0, Math.max(0, longest - end.length)) + end,
    };
  }
  if (error instanceof InputError)
    return { summary: "This configuration cannot be taken", detail: error.message.slice(0, longest) };
  if (error instanceof CloudError) return { summary: "A request to the cloud failed", detail: reason(error) };
  if (error instanceof StopError) return { summary: sentence(error.message).slice(0, -1), detail: "" };
  return { summary: "Internal error", detail: reason(error) };
}
