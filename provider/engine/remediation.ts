import { cleaned } from "../client/client.ts";
import { formatRows } from "../core/candidate.ts";
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
import { pulumiToken, spoken, terraformType } from "../core/name.ts";
import type { Values } from "../core/value.ts";
import { attribute, perEngine } from "../core/wording.ts";
import type { Fields } from "../definition/field.ts";
import { joinImportId, placeOf } from "../definition/import-id.ts";
import type { Resource } from "../definition/resource.ts";
import type { RelatedObject, Row } from "../definition/verb.ts";

/** Texts of the failed step and of the remedy, as ends of sentences for `Operation.failed`. */

const steps: { readonly [K in Exclude<Failure, "auth">]: string } = {
  unsent: "the cloud could not be reached",
  rejected: "the cloud refused it",
  throttled: "the cloud asks for fewer requests",
  conflict: "something is in the way",
  ambiguous: "no clear answer came",
  unreadable: "the answer could not be read",
};

const oneSession =
  "An access key has one session at a time: give each run that goes on beside another a key of its own";

/** Step and remedy of a failure that concerns only the credential. */
const refused: { readonly [K in CredentialKind]: { readonly step: string; readonly remedy: string } } = {
  "API key": {
    step: "the cloud did not accept the API key",
    remedy: `Set a valid ${attribute("apiKey")} (or SERVICE_API_KEY), then run again`,
  },
  token: {
    step: "the cloud did not accept the token that it gave",
    remedy: `Run again; if that does not help, set ${attribute("apiKey")} (or SERVICE_API_KEY) instead of email and password`,
  },
  "sign-in": {
    step: "the cloud refused the sign-in",
    remedy: `Set a valid email and password (${attribute("accountId")} too with ${attribute("accountUser")}), then run again`,
  },
  "sign-in address": {
    step: "what answered the sign-in is not this API",
    remedy: `Check ${attribute("baseUrl")} and the network, then run again`,
  },
  "second factor": {
    step: "signing in needs a second factor, which only a person can give",
    remedy: `Set ${attribute("apiKey")} (or SERVICE_API_KEY) instead of email and password, then run again`,
  },
  "access key": {
    step: "the cloud opened no session for the access key",
    remedy: `Set a valid ${attribute("accessKey")} and ${attribute("secretKey")}, or both in the environment, then run again`,
  },
  "object session": {
    step: "no session could be had in which objects are read and written",
    remedy: `Run again in some minutes. ${oneSession}`,
  },
};

const refusal = ({ credential = "API key" }: CloudError) => refused[credential];

/** Returns the failed step of an operation, by its cause. */
export function stepOf(cause: unknown): string {
  if (cause instanceof SignInError && cause.failure === "unsent")
    return cause.credential === "object session" ? refusal(cause).step : "it could not sign in";
  if (cause instanceof CloudError)
    return cause.failure === "auth" ? refusal(cause).step : steps[cause.failure];
  if (cause instanceof UndecidedError) return "several objects match";
  if (cause instanceof FailedError) return "the cloud took it and failed";
  if (cause instanceof InputError) return "it cannot be made as it is configured";
  return cause instanceof StopError ? "it did not come to its end" : "something went wrong here";
}

const remedies: { readonly [K in Exclude<Failure, "auth">]: string } = {
  unsent: `Check ${attribute("baseUrl")} and the network, then run again`,
  rejected: "Correct what it names, then run again",
  throttled: `Run again later, or with a lower ${attribute("maxRequestsPerSecond")}`,
  conflict: "Remove what it names or wait until it is done, then run again",
  ambiguous: "Run again",
  unreadable: `Run again; if that does not help, check ${attribute("baseUrl")}`,
};

/** Returns the remedy for a failed operation, by its cause. */
export function remedyFor(cause: unknown): string {
  // The API was reached but opened no session, so the request was not sent.
  if (cause instanceof SignInError && cause.credential === "object session" && cause.status !== undefined)
    return cause.final || cause.status === 429 ? refusal(cause).remedy : remedies.ambiguous;
  // A rejected credential within an object session may be the API key, which is sent in the same request.
  if (cause instanceof CloudError && !(cause instanceof SignInError) && cause.credential === "object session")
    return `Check ${attribute("apiKey")} (or SERVICE_API_KEY), then run again in some minutes. ${oneSession}`;
  if (cause instanceof CloudError)
    return cause.failure === "auth" ? refusal(cause).remedy : remedies[cause.failure];
  if (cause instanceof FailedError) return "Look at it in the cloud, correct it and run again";
  if (cause instanceof StopError && cause.why === "deadline")
    return cause.throttled === undefined
      ? "Run again, with a longer timeout if it needs one"
      : `${remedies.throttled} or a longer timeout`;
  return "Run again";
}

/** Returns the remedy that leads to the next run, which resumes the partial state. */
export const toRunAgain = (cause: unknown): string =>
  cause instanceof CloudError && cause.failure === "auth" && (cause.credential ?? "API key") === "API key"
    ? remedyFor(cause)
    : "Run again";

/** Returns the import id of an object. `region` is set only if it differs from the provider's. */
export function importId(resource: Resource, id: string, values: Values, region: string | undefined): string {
  const parents = (resource.parents ?? []).map((parent) => String(values[parent]));
  // An object whose id is that of its only parent is identified by this id alone, if its kind takes it so.
  const isPlace = placeOf(resource) !== undefined && parents.join() === id;
  if (region === undefined && isPlace) return joinImportId([id]);
  return joinImportId([...(region === undefined ? [] : [region]), ...parents, id]);
}

/** Returns the text as one word of a POSIX shell. */
const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** `terraform import kcloud_vpc.NAME 'ID'` or `pulumi import kcloud:index:Vpc NAME 'ID'`. */
export const importCommand = ({ name }: Resource, importId: string): string =>
  perEngine({
    terraform: `terraform import ${terraformType(name)}.NAME ${shellWord(importId)}, or tofu import with the same arguments`,
    pulumi: `pulumi import ${pulumiToken(name)} NAME ${shellWord(importId)}`,
  });

/** `terraform state rm kcloud_vpc.NAME` or `pulumi state delete URN`. */
export const forgetCommand = ({ name }: Resource): string =>
  perEngine({
    terraform: `terraform state rm ${terraformType(name)}.NAME, or tofu state rm ${terraformType(name)}.NAME`,
    pulumi: "pulumi state delete URN",
  });

/**
 * Returns the remedy for a failed delete, by its cause. After a rejection the object may also be removed from the state
 * only.
 */
export const remedyForDelete = (resource: Resource, cause: unknown): string => {
  if (cause instanceof FailedError && resource.emptyHint !== undefined)
    return `${resource.emptyHint}, then run again`;
  return cause instanceof CloudError && cause.failure === "rejected"
    ? `${remedies.rejected}; or leave it in the cloud and take it out of the state (${forgetCommand(resource)})`
    : remedyFor(cause);
};

const shown = 5;

/** Returns the rows that may be the object as text; at most five are named. */
export const candidates = (rows: readonly Row<Fields>[], name: (id: string) => string): string =>
  formatRows(rows, ({ id }) => shellWord(name(id)), shown);

/** Returns the remedy for several rows that may be the object. `name` returns the import id of an id. */
export const importOneOf = (
  resource: Resource,
  rows: readonly Row<Fields>[],
  name: (id: string) => string,
): string =>
  `Import the one that is meant (${importCommand(resource, name("ID"))}): ${candidates(rows, name)}`;

/** `the subnet "b" (krn:…), the volume "data" (krn:…)`. */
export const formatDependents = (blockers: readonly RelatedObject[]): string =>
  formatRows(blockers, describeObject, shown);

/** Maximum length of an object with its name and id in a text, in characters. */
const longest = 1_000;

/** `the volume "data" (krn:…)`, cleaned, without a name or id that is not known. */
export function describeObject({
  kind,
  name,
  id,
}: Omit<RelatedObject, "id"> & { readonly id: string | undefined }): string {
  const quoted = name === undefined ? "" : ` ${JSON.stringify(name)}`;
  const text = `the ${spoken(kind)}${quoted}${id === undefined ? "" : ` (${id})`}`;
  return cleaned(text, (words) => words, longest);
}
