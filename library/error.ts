import type { Operation } from "../operation/operation.ts";
import {
  CloudError as AnyCloudError,
  ConfigError as AnyConfigError,
  FailedError as AnyFailedError,
  InputError as AnyInputError,
  PasswordError as AnyPasswordError,
  SignInError as AnySignInError,
  StopError as AnyStopError,
  type CredentialKind,
  type Failure,
  isAmbiguous,
  isThrottled,
  mayHaveExecuted,
} from "../provider/core/error.ts";
import { inWordsOf, type Text } from "../provider/core/wording.ts";
import { neverRepeated } from "../provider/definition/endpoint.ts";

/**
 * Errors of the client. Their classes are those of the provider, whose texts can differ between engines: the client makes them strings before a
 * program receives the error.
 */

/** Problem of one argument or setting. */
export interface Problem {
  /** Path of the argument: `["subnet", "cidr"]`; empty for several arguments together. */
  readonly path: readonly (string | number)[];
  /** Text without the path: `is required`. */
  readonly problem: string;
}

/** Invalid arguments, with all their problems. Nothing was sent. */
export interface InputError extends Error {
  /** All problems, in the order of the arguments. */
  readonly problems: readonly Problem[];
}

/** Missing or invalid settings, with all their problems. Nothing was sent. */
export interface ConfigError extends InputError {}

/** Request that failed. `mayHaveBeenExecuted` says whether something may have changed. */
export interface CloudError extends Error {
  /**
   * Kind of the failure: `unsent` (no connection), `rejected`, `auth` (the credential was refused), `throttled` (a 429), `conflict` (a 409),
   * `ambiguous` (no response, or a server error), or `unreadable` (a response of an unknown form).
   */
  readonly failure: Failure;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** ID of the request, which the support of the cloud asks for; undefined if the response has none. */
  readonly requestId: string | undefined;
  /** Method and route, without values: `POST /kbs/v1/volumes`. */
  readonly route: string;
  /** Message of the API, or a description of the failure; without secrets. */
  readonly reason: string;
  /** Credential that was refused or could not be obtained; undefined for any other failure. */
  readonly credential: CredentialKind | undefined;
  /** Pause in ms before another request, as the response demands. */
  readonly retryAfter: number | undefined;
}

/** Sign-in, or start of an object session, that failed. The request that needed it was not sent. */
export interface SignInError extends CloudError {
  /** True if the client does not sign in again, since that would fail again or could lock the account. */
  readonly final: boolean;
}

/** Object of a wait that has failed, is not found, or is not ready in time. The request that the wait follows was executed. */
export interface FailedError extends Error {
  /** True if the API reports no failure: the object may become ready later. */
  readonly mayRecover: boolean;
}

/** Missing one-time password of a delete. The delete was not sent. */
export interface PasswordError extends Error {}

/** Call that ended at its `timeoutMs`, and that changed nothing. */
export interface StopError extends Error {}

type ErrorClass<E> = abstract new (...args: never) => E;

export const CloudError = AnyCloudError as unknown as ErrorClass<CloudError>;
export const ConfigError = AnyConfigError as unknown as ErrorClass<ConfigError>;
export const FailedError = AnyFailedError as unknown as ErrorClass<FailedError>;
export const InputError = AnyInputError as unknown as ErrorClass<InputError>;
export const PasswordError = AnyPasswordError as unknown as ErrorClass<PasswordError>;
export const SignInError = AnySignInError as unknown as ErrorClass<SignInError>;
export const StopError = AnyStopError as unknown as ErrorClass<StopError>;

/** Names the classes as they are exported: the bundle shortens their names, which a program shows that prints an error. */
export function nameErrors(): void {
  const classes = { CloudError, ConfigError, FailedError, InputError, PasswordError, SignInError, StopError };
  for (const [value, each] of Object.entries(classes)) Object.defineProperty(each, "name", { value });
}

/**
 * Returns true if the request that failed may have been executed: its response is missing or unreadable, or the API may reject a request that it
 * has executed. A read shows whether it was. False for every other error: then nothing was changed.
 */
export const mayHaveBeenExecuted = (error: unknown): boolean => isAmbiguous(error) || mayHaveExecuted(error);

/** Returns true if a request may have changed something although it failed. A 429 proves nothing for a request that is never repeated. */
export const mayHaveChanged = (
  error: unknown,
  { endpoint: { semantics } }: Pick<Operation, "endpoint">,
): boolean => mayHaveBeenExecuted(error) || (neverRepeated.has(semantics) && isThrottled(error));

/** Facts of an error whose texts may differ between engines. */
interface Facts {
  text?: Text;
  reason?: Text;
  problems?: readonly { readonly path: Problem["path"]; readonly problem: Text }[];
  remedies?: unknown;
}

/** Makes the texts of an error strings, and removes what only engines use. */
function simplify(error: unknown): void {
  if (!(error instanceof Error) || !("text" in error)) return;
  const facts = error as Error & Facts;
  error.name = error.constructor.name;
  delete facts.text;
  delete facts.remedies;
  if (facts.reason !== undefined) facts.reason = inWordsOf("pulumi", facts.reason);
  if (facts.problems !== undefined)
    facts.problems = facts.problems.map(({ path, problem }) => ({
      path,
      problem: inWordsOf("pulumi", problem),
    }));
}
/** Throws an error after its texts are strings. */
function rethrow(error: unknown): never {
  simplify(error);
  throw error;
}

async function* rows<T>(iterable: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* iterable;
  } catch (error) {
    rethrow(error);
  }
}

/** Returns the result of a method, whose errors have strings as texts. A promise that is iterable is returned as it is. */
export function withStrings<T>(work: () => T): T {
  try {
    const result: unknown = work();
    if (result instanceof Promise) return result.catch(rethrow) as T;
    const isStream =
      typeof result === "object" && result !== null && !("then" in result) && Symbol.asyncIterator in result;
    return (isStream ? rows(result as AsyncIterable<unknown>) : result) as T;
  } catch (error) {
    return rethrow(error);
  }
}
