import { cleaned } from "../client/client.ts";
import {
  CloudError,
  type CredentialKind,
  FailedError,
  type Failure,
  InputError,
  SignInError,
  StopError,
  UndecidedError,
} from "../core/error.ts";
import {
  describeObject as described,
  type GivenRemedy,
  type NamedObject,
  type Remedy,
} from "../core/remedy.ts";
import type { Values } from "../core/value.ts";
import type { Fields } from "../definition/field.ts";
import { joinImportId, placeOf } from "../definition/import-id.ts";
import type { Resource } from "../definition/resource.ts";
import type { Row } from "../definition/verb.ts";
import type { Session } from "./session.ts";

/** Failed step and remedies of an operation, by its cause. */

const stepOfFailure: { readonly [K in Exclude<Failure, "auth">]: string } = {
  unsent: "the API could not be reached",
  rejected: "the API rejected the request",
  throttled: "the API limits the number of requests",
  conflict: "the object conflicts with an existing one or is in use",
  ambiguous: "the API gave no clear response",
  unreadable: "the response could not be read",
};

/** Step and remedies of a failure that concerns only the credential. */
const refusedCredential: {
  readonly [K in CredentialKind]: { readonly step: string; readonly remedies: readonly GivenRemedy[] };
} = {
  "API key": {
    step: "the API rejected the API key",
    remedies: ["set-api-key", "run-again"],
  },
  token: {
    step: "the API rejected the token that it had issued",
    remedies: ["run-again", "use-api-key"],
  },
  "sign-in": {
    step: "the API rejected the sign-in",
    remedies: ["set-password", "run-again"],
  },
  "sign-in address": {
    step: "the response to the sign-in is not from this API",
    remedies: ["check-base-url", "run-again"],
  },
  "second factor": {
    step: "the sign-in requires a second factor, which only a person can enter",
    remedies: ["use-api-key", "run-again"],
  },
  "access key": {
    step: "the API did not open a session for the access key",
    remedies: ["set-access-key", "run-again"],
  },
  "object session": {
    step: "no object storage session could be opened",
    remedies: ["run-again-later", "separate-access-key"],
  },
};

const refusal = ({ credential = "API key" }: CloudError) => refusedCredential[credential];

/** Returns the failed step of an operation, by its cause. */
export function stepOf(cause: unknown): string {
  if (cause instanceof SignInError && cause.failure === "unsent")
    return cause.credential === "object session" ? refusal(cause).step : "the sign-in failed";
  if (cause instanceof CloudError)
    return cause.failure === "auth" ? refusal(cause).step : stepOfFailure[cause.failure];
  if (cause instanceof UndecidedError) return "several objects match";
  if (cause instanceof FailedError) return "the API accepted the request, but the operation failed";
  if (cause instanceof InputError) return "the configuration is invalid";
  return cause instanceof StopError ? "the operation did not finish" : "an unexpected error occurred";
}

/** Step of an operation that a stop ended while its request was in flight. */
export const requestStopped = "the outcome of the request is unknown";

const remedies: { readonly [K in Exclude<Failure, "auth">]: readonly GivenRemedy[] } = {
  unsent: ["check-base-url", "run-again"],
  rejected: ["correct-request", "run-again"],
  throttled: ["run-again-later", "lower-rate"],
  conflict: ["resolve-conflict", "run-again"],
  ambiguous: ["run-again"],
  unreadable: ["run-again", "check-base-url"],
};

/** Returns the remedies for a failed operation, by its cause. `hasTimeout` is false if the user can set no timeout. */
export function remediesFor(cause: unknown, hasTimeout = true): readonly GivenRemedy[] {
  // The API was reached but opened no session, so the request was not sent.
  if (cause instanceof SignInError && cause.credential === "object session" && cause.status !== undefined)
    return cause.final || cause.status === 429 ? refusal(cause).remedies : remedies.ambiguous;
  // A rejected credential within an object session may be the API key, which is sent in the same request.
  if (cause instanceof CloudError && !(cause instanceof SignInError) && cause.credential === "object session")
    return ["set-api-key", "run-again-later", "separate-access-key"];
  if (cause instanceof CloudError && cause.remedies !== undefined) return cause.remedies;
  if (cause instanceof CloudError)
    return cause.failure === "auth" ? refusal(cause).remedies : remedies[cause.failure];
  if (cause instanceof FailedError) return cause.remedies ?? ["check-object", "run-again"];
  if (cause instanceof InputError) return cause.remedies ?? ["run-again"];
  if (cause instanceof StopError && cause.why === "deadline" && hasTimeout)
    return ["run-again", "longer-timeout"];
  return ["run-again"];
}

/** Returns the remedies that the next run needs to resume a partial state; empty if it needs none. */
export function remediesBeforeResume(cause: unknown): readonly GivenRemedy[] {
  if (!(cause instanceof CloudError)) return [];
  const isKey = cause.failure === "auth" && (cause.credential ?? "API key") === "API key";
  return isKey ? ["set-api-key"] : (cause.remedies ?? []);
}

/** Returns true if the cause is a 429 response, or a deadline after one. */
export const isThrottledCause = (cause: unknown): boolean =>
  (cause instanceof CloudError && cause.failure === "throttled") ||
  (cause instanceof StopError && cause.throttled !== undefined);

/** Returns the import id of an object. `region` is set only if it differs from the provider's. */
export function importId(resource: Resource, id: string, values: Values, region: string | undefined): string {
  const parents = (resource.parents ?? []).map((parent) => String(values[parent]));
  // An object whose id is that of its only parent is imported by this id alone, if its kind allows that.
  const isPlace = placeOf(resource) !== undefined && parents.join() === id;
  if (region === undefined && isPlace) return joinImportId([id]);
  return joinImportId([...(region === undefined ? [] : [region]), ...parents, id]);
}

/** Returns the import id of an object: with its region if that is not the one of the provider. */
export const importIdIn = (
  { settings }: Session,
  resource: Resource,
  { id, values, region }: { readonly id: string; readonly values: Values; readonly region: string },
): string => importId(resource, id, values, region === "" || region === settings.region ? undefined : region);

/**
 * Returns the remedies for a failed delete, by its cause. After a rejection the object may also be removed from the state
 * only.
 */
export const remediesForDelete = ({ name: resource }: Resource, cause: unknown): readonly GivenRemedy[] =>
  cause instanceof CloudError && cause.failure === "rejected"
    ? (cause.remedies ?? ["correct-request", { code: "leave-unmanaged", resource }])
    : remediesFor(cause);

/** Returns the remedy for several rows that may be the object. `name` returns the import id of an id. */
export const importOneOf = (
  { name: resource }: Resource,
  rows: readonly Row<Fields>[],
  name: (id: string) => string,
): Remedy => ({ code: "import-one-of", resource, importIds: rows.map(({ id }) => name(id)) });

/** Returns a description of an object for a message, cleaned. */
export const describeObject = (object: NamedObject): string =>
  cleaned(described(object), (words) => words, Number.POSITIVE_INFINITY);
