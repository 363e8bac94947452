import { type GivenRemedy, type Remedy, remediesOf, remedyText } from "./remedy.ts";
import type { ResourceState } from "./state.ts";
import type { Path, Values } from "./value.ts";
import {
  attribute,
  capitalized,
  inWordsOf,
  joinTexts,
  mapText,
  perEngine,
  type Text,
  type Words,
  wording,
} from "./wording.ts";

/**
 * Error classes of the provider. Only `explain` formats errors for users; the message of a library is never shown
 * (docs/reliability.md#3.10).
 */

/** Problem with one input of the user. Most problems are found before any request is sent. */
export interface Problem {
  readonly path: Path;
  readonly problem: Text;
  /** Summary of the error. Default: `Invalid value for size_gb`. */
  readonly title?: Text;
  /** Remedies at the end of `problem`. */
  readonly remedies?: readonly Remedy[];
}

/** Returns a problem whose text ends with its remedies. */
export function problemWith(title: Text, path: Path, problem: Text, codes: readonly GivenRemedy[]): Problem {
  const remedies = remediesOf(codes);
  return { path, title, problem: wording`${problem}. ${remedyText(remedies)}`, remedies };
}

/** Returns the summary of a problem. */
export const titleOf = ({ path, title }: Problem): Text =>
  title ?? (path.length === 0 ? "Invalid configuration" : wording`Invalid value for ${dotted(path)}`);

/** Returns the summary of several problems for one engine: their common one, or "Invalid configuration". */
const titleOfAll = (words: Words, problems: readonly Problem[]): string => {
  const titles = new Set(problems.map((problem) => inWordsOf(words, titleOf(problem))));
  const [title = ""] = titles;
  return titles.size === 1 ? title : "Invalid configuration";
};

/** Error with a text for users. Its message has the terms of Pulumi, for programs that print it. */
abstract class TextError extends Error {
  readonly text: Text;
  constructor(text: Text, options?: { readonly cause?: unknown }) {
    super(inWordsOf("pulumi", text), options);
    this.text = text;
  }
}

/** Returns the text of an error of the provider, and the message of any other one. */
export const textOf = (error: Error): Text => (error instanceof TextError ? error.text : error.message);

/** Invalid input, with all problems that were found. */
export class InputError extends TextError {
  override readonly name = "InputError";
  readonly problems: readonly Problem[];
  readonly remedies: readonly GivenRemedy[] | undefined;
  constructor(problems: readonly Problem[], remedies?: readonly GivenRemedy[]) {
    super(problemLines(problems));
    this.problems = problems;
    this.remedies = remedies;
  }
}

/** Returns the path of an attribute as the engine spells it: `boot_volume.size_gb`. */
export const dotted = (path: Path): Text =>
  joinTexts(
    path.map((step) => (typeof step === "string" ? attribute(step) : step)),
    ".",
  );

/** Returns a line for each problem, with the path of its attribute. */
const problemLines = (problems: readonly Problem[]): Text =>
  joinTexts(
    problems.map(({ path, problem }) => (path.length === 0 ? problem : wording`${dotted(path)}: ${problem}`)),
    "\n",
  );

/** Provider setting that is missing or invalid. */
export class ConfigError extends InputError {}

/** Failure of one request (docs/reliability.md#3.1). */
export type Failure = "unsent" | "rejected" | "auth" | "throttled" | "conflict" | "ambiguous" | "unreadable";

/** Kind of a credential, or of a step that obtains one. */
export type CredentialKind =
  | "API key"
  | "token"
  | "sign-in"
  | "sign-in address"
  | "second factor"
  | "access key"
  | "object session";

/** Request to the API that failed. */
export class CloudError extends TextError {
  override readonly name = "CloudError";
  readonly failure: Failure;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** Method and route, never the full URL: `POST /kbs/v1/volumes`. */
  readonly route: string;
  /**
   * Error message of the API, or a description of the failure if there is no response of the API; without secrets and
   * control characters.
   */
  readonly reason: Text;
  /** Credential that was rejected or could not be obtained; undefined for any other failure. */
  readonly credential: CredentialKind | undefined;
  /** True for a rejected or throttled request that may have been executed. */
  readonly mayHaveExecuted: boolean;
  /** Pause in ms before another request, as the response demands. */
  readonly retryAfter: number | undefined;
  /** Attribute of the request that the error message of the API concerns, if known. */
  readonly path: Path | undefined;
  /** Remedies, if the reason of the failure is known. */
  readonly remedies: readonly GivenRemedy[] | undefined;
  constructor(request: {
    failure: Failure;
    route: string;
    reason: Text;
    credential?: CredentialKind | undefined;
    mayHaveExecuted?: boolean;
    status?: number | undefined;
    requestId?: string | undefined;
    retryAfter?: number | undefined;
    path?: Path | undefined;
    remedies?: readonly GivenRemedy[] | undefined;
  }) {
    super(wording`${request.reason}: ${request.route}`);
    this.failure = request.failure;
    this.route = request.route;
    this.reason = request.reason;
    this.credential = request.credential;
    this.mayHaveExecuted = request.mayHaveExecuted ?? false;
    this.status = request.status;
    this.requestId = request.requestId;
    this.retryAfter = request.retryAfter;
    this.path = request.path;
    this.remedies = request.remedies;
  }
}

/**
 * Sign-in, or activation of an object session, that returned no token. The requests that waited for the token were not
 * sent.
 */
export class SignInError extends CloudError {
  /** True if this process makes no further attempt, as it would fail again or could lock the account. */
  readonly final: boolean;
  constructor(request: ConstructorParameters<typeof CloudError>[0], final: boolean) {
    super(request);
    this.final = final;
  }
}

/**
 * Returns true for a rejection with status 404, unless the request may have been executed. A single 404 does not prove
 * that the object is gone (docs/reliability.md#3.9).
 */
export const isNotFound = (error: unknown): error is CloudError =>
  error instanceof CloudError &&
  error.failure === "rejected" &&
  error.status === 404 &&
  !error.mayHaveExecuted;

/** Returns true for a rejected or throttled request that may have been executed. */
export const mayHaveExecuted = (error: unknown): error is CloudError =>
  error instanceof CloudError && error.mayHaveExecuted;

/** Returns true if the request may have been executed: the response is missing, ambiguous or unreadable. */
export const isAmbiguous = (error: unknown): error is CloudError =>
  error instanceof CloudError && (error.failure === "ambiguous" || error.failure === "unreadable");

/** Returns true for a 2xx response whose body states a failure. The request may have been executed. */
export const isStatedFailure = (error: unknown): error is CloudError =>
  error instanceof CloudError && error.failure === "ambiguous" && Math.trunc((error.status ?? 0) / 100) === 2;

/** Returns true if the API limits the number of requests. */
export const isThrottled = (error: unknown): error is CloudError =>
  error instanceof CloudError && error.failure === "throttled";

/** Returns true if the API reported a conflict. */
export const isConflict = (error: unknown): error is CloudError =>
  error instanceof CloudError && error.failure === "conflict";

/** Stop requested by the engine, or expired deadline. */
export class StopError extends Error {
  override readonly name = "StopError";
  readonly why: "stop" | "deadline";
  /** Response with a 429 whose request still had to be sent again at the deadline. */
  readonly throttled: CloudError | undefined;
  constructor(why: "stop" | "deadline", seconds?: number, throttled?: CloudError) {
    super(why === "stop" ? "the run was stopped" : `the timeout of ${seconds} s expired`);
    this.why = why;
    this.throttled = throttled;
  }
}

/** Missing or unusable one-time password of a delete. The request that needs the password was not sent. */
export class PasswordError extends TextError {
  override readonly name = "PasswordError";
}

/**
 * Failure of work that the API had accepted: the API reports a failed or unknown status, or does not show the result in
 * time.
 */
export class FailedError extends TextError {
  override readonly name = "FailedError";
  /** Values of the failed object, if the API showed them. */
  readonly observed: Values | undefined;
  /** True if the API reported no failure: a later read may show the object as ready. */
  readonly mayRecover: boolean;
  /** Remedies, if the reason of the failure is known. */
  readonly remedies: readonly GivenRemedy[] | undefined;
  constructor(
    text: Text,
    {
      observed,
      mayRecover = false,
      remedies,
    }: {
      observed?: Values | undefined;
      mayRecover?: boolean;
      remedies?: readonly GivenRemedy[] | undefined;
    } = {},
  ) {
    super(text);
    this.observed = observed;
    this.mayRecover = mayRecover;
    this.remedies = remedies;
  }
}

/** Several objects match, and nothing distinguishes the requested one. */
export class UndecidedError extends FailedError {
  /** Ids of the objects. */
  readonly ids: readonly string[];
  constructor(text: Text, ids: readonly string[]) {
    super(text);
    this.ids = ids;
  }
}

/** Existence of the object after a failure, as one of the phrases of docs/reliability.md#3.10. */
export type Existence =
  | { readonly is: "nothing created" }
  /** Create that was rejected or failed; the only evidence that no object exists is a listing, which may lag. */
  | { readonly is: "not listed"; readonly seconds: number }
  | { readonly is: "recorded"; readonly id: string }
  /** Object that only a search found and whose create failed later: Terraform does not record it, Pulumi does. */
  | { readonly is: "found"; readonly id: string }
  | { readonly is: "may exist" }
  | { readonly is: "still exists" }
  | { readonly is: "exists"; readonly id: string }
  /** Update of an object that is proven gone. */
  | { readonly is: "gone" }
  /** Update that did not finish. */
  | { readonly is: "half changed" }
  /** Action that may have been executed; no state records actions. */
  | { readonly is: "may be done" }
  /** Billed request whose result no search can find. */
  | { readonly is: "may be billed" }
  /** Work whose cancellation could not be confirmed. */
  | { readonly is: "may still run" }
  /** Operation that changed nothing, such as an import, a lookup or an action that was not sent. */
  | { readonly is: "nothing changed" }
  | { readonly is: "unknown" };

/** Operation that did not finish. */
export class OperationError extends TextError {
  override readonly name = "OperationError";
  /** Operation and object: `creating the volume "data"`. */
  readonly doing: string;
  /** Step that failed; after a stop or a deadline followed by the last status: `…; last seen: creating`. */
  readonly step: Text;
  readonly existence: Existence;
  readonly remedies: readonly Remedy[];
  /** Text of the remedies. */
  readonly next: Text;
  /** State that the engine has to store, from which the next run continues. */
  readonly state: ResourceState | undefined;
  constructor(
    failed: {
      doing: string;
      step: Text;
      existence: Existence;
      remedies: readonly GivenRemedy[];
      state?: ResourceState | undefined;
    },
    cause?: unknown,
    /** Removes secrets and control characters of names and ids from the text of the remedies. */
    clean: (text: string) => string = (text) => text,
  ) {
    super(wording`${failed.doing}: ${failed.step}`, cause === undefined ? {} : { cause });
    this.doing = failed.doing;
    this.step = failed.step;
    this.existence = failed.existence;
    this.remedies = remediesOf(failed.remedies);
    this.next = mapText(remedyText(this.remedies), clean);
    this.state = failed.state;
  }
}

/** Returns the path of the attribute that caused the failure of an operation; undefined if its cause has none. */
export function pathOf(error: unknown): Path | undefined {
  const cause = error instanceof OperationError ? error.cause : undefined;
  if (cause instanceof InputError) return cause.problems[0]?.path;
  return cause instanceof CloudError ? cause.path : undefined;
}

/** Text for a user. `summary`: one line on what failed. `detail`: lines on the reason, the existing object and the remedies. */
export interface Explanation<T extends Text = Text> {
  readonly summary: T;
  readonly detail: T;
}

const existenceTexts: { [K in Existence["is"]]: (existence: Extract<Existence, { is: K }>) => Text } = {
  "nothing created": () => "Nothing was created.",
  "not listed": ({ seconds }) =>
    `Probably nothing was created: a listing ${seconds} s later did not show the object.`,
  recorded: ({ id }) => `The object exists as ${id} and is in the state.`,
  found: ({ id }) =>
    wording`A search found the object as ${id}. It is ${perEngine({ terraform: "not in the state", pulumi: "in the state" })}.`,
  "may exist": () => "The object may exist.",
  "still exists": () => "The object still exists and stays in the state.",
  exists: ({ id }) => `The object exists as ${id} and was not changed.`,
  gone: () => "The object no longer exists.",
  "half changed": () => "The object exists. Part of the change may have been made.",
  "may be billed": () => "The request may have been billed. Nothing was recorded in the state.",
  "may still run": () => "The task may still be running. It stays in the state.",
  "may be done": () => "The action may have been executed.",
  "nothing changed": () => "Nothing was changed.",
  unknown: () => "The state stays unchanged.",
};

/** Returns the sentence about the state of an object after a failure. */
export const existenceText = (existence: Existence): Text =>
  (existenceTexts[existence.is] as (existence: Existence) => Text)(existence);

/** Returns a text as a sentence in the terms of one engine. The name of a setting at its start keeps its spelling. */
function sentence(words: Words, text: Text): string {
  const spelled = inWordsOf(words, text);
  return withFullStop(/^[a-z]+_/.test(spelled) ? spelled : inWordsOf(words, capitalized(text)));
}

const withFullStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const ownErrors = [StopError, FailedError, PasswordError];

/** `status 429, request id 1a2b, GET /kbs/v1/volumes` */
const factsOf = ({ status, requestId, route }: CloudError): string =>
  [
    status === undefined ? undefined : `status ${status}`,
    requestId === undefined ? undefined : `request id ${requestId}`,
    route,
  ]
    .filter((fact) => fact !== undefined)
    .join(", ");

/** Returns true for an error that is a defect of the provider: one of a library, whose message is not shown. */
export const isDefect = (error: unknown): boolean =>
  ![OperationError, InputError, CloudError, ...ownErrors].some((known) => error instanceof known);

/** Returns name and stack frames of an error for the log, without its message, which may contain a secret. */
export const stackTrace = (error: unknown): string =>
  error instanceof Error
    ? [error.name, ...(error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line))].join("\n")
    : "a value that is no error was thrown";

/** Returns the message of the API or of the provider for a cause, never that of a library, in the terms of one engine. */
function reason(words: Words, error: unknown): string {
  if (error instanceof CloudError) return `${sentence(words, error.reason)} (${factsOf(error)})`;
  if (error instanceof StopError && error.throttled !== undefined)
    return `${sentence(words, error.message)} The API limits the number of requests (${factsOf(error.throttled)}).`;
  if (error instanceof InputError) return withFullStop(inWordsOf(words, error.text));
  if (ownErrors.some((known) => error instanceof known)) return sentence(words, textOf(error as Error));
  return "This is a defect of the provider. Run again with debug logging and report the log.";
}

const longest = 2_000;

/** Formats an error of any kind for the user of an engine. The detail has at most 2,000 characters. */
export function explain(error: unknown, words: Words = "terraform"): Explanation<string> {
  const spelled = (text: Text) => inWordsOf(words, text);
  if (error instanceof OperationError) {
    const why = error.cause === undefined ? [] : [reason(words, error.cause)];
    // Only the step and the cause are cut, never the existence of the object and the next step.
    const start = [sentence(words, error.step), ...why].join("\n");
    const next = spelled(error.next);
    const end = `\n${spelled(existenceText(error.existence))}${next === "" ? "" : `\n${sentence(words, next)}`}`;
    return {
      summary: `${sentence(words, error.doing).slice(0, -1)} failed`,
      detail: start.slice(0, Math.max(0, longest - end.length)) + end,
    };
  }
  if (error instanceof InputError)
    return { summary: titleOfAll(words, error.problems), detail: spelled(error.text).slice(0, longest) };
  if (error instanceof CloudError)
    return { summary: "A request to the API failed", detail: reason(words, error) };
  if (error instanceof StopError) return { summary: sentence(words, error.message).slice(0, -1), detail: "" };
  return { summary: "Internal error", detail: reason(words, error) };
}
