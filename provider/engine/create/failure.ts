import type { Existence, OperationError, StopError } from "../../core/error.ts";
import { type GivenRemedy, type Remedy, remediesOf } from "../../core/remedy.ts";
import type { InterruptedCreate } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import { idIn, type Resource } from "../../definition/resource.ts";
import { hasShownAnother } from "../existence/absence.ts";
import { settleMs } from "../existence/age.ts";
import { areDated } from "../existence/row.ts";
import { visibilityOf } from "../existence/visibility.ts";
import { importIdIn, remediesFor, stepOf } from "../remediation.ts";
import { partialState } from "./partial.ts";
import { type CreateContext, isListed, placeholderAddress } from "./search.ts";

/** Errors of creates whose object is not known: whether it may exist, and how to find it. */

export const mayExist = { is: "may exist" } as const;
/** Existence after a billed request whose result neither a read nor a listing shows. */
const mayBeBilled = { is: "may be billed" } as const;

export const unknownId = "the ID of the new object is not known";

/** Returns the import id of an object that may be the created one. */
export const importIdFor = ({ operation, inputs, region }: CreateContext, id: string): string =>
  importIdIn(operation.session, operation.resource, { id, values: inputs, region });

/**
 * Returns the existence of an object that a search did not find `seconds` after the request: a listing may lag. A gateway
 * may have sent the 404 of a read: a 404 proves that nothing was created only after `settle_seconds` of polls, or if the
 * route has shown another object (docs/reliability.md#3.9).
 */
export function existenceUnlisted(context: CreateContext, seconds: number): Existence {
  const { resource, session } = context.operation;
  if (!isListed(context)) return { is: "nothing created" };
  if (visibilityOf(resource).isListDecisive) return { is: "not listed", seconds };
  const isProven =
    seconds * 1000 >= settleMs(session) || hasShownAnother(context.operation, placeholderAddress(context));
  return isProven ? { is: "nothing created" } : mayExist;
}

/** Returns the error of a create without an object. `remedies` are those for the cause. */
export function notCreated(
  context: CreateContext,
  error: unknown,
  existence: Existence,
  remedies: readonly GivenRemedy[] = remediesFor(error),
): OperationError {
  if (existence.is === "may exist") return unknownOutcome(context, stepOf(error), error);
  const all = [...remedies, ...remediesIfListed(context, existence)];
  return context.operation.failed(stepOf(error), existence, all, { cause: error });
}

/** Returns the remedy for an object that a later listing may show; empty for any other existence. */
function remediesIfListed(context: CreateContext, { is }: Existence): readonly GivenRemedy[] {
  if (is !== "not listed") return [];
  const { resource } = context.operation;
  return [
    visibilityOf(resource).isShownOnce
      ? "delete-if-listed"
      : {
          code: "import-if-listed",
          resource: resource.name,
          importId: importOfCreated(context),
          isRecreated: true,
        },
  ];
}

/** Returns the error of a create that may have been executed and whose object no search found. */
export function unknownOutcome(context: CreateContext, step: string, cause: unknown): OperationError {
  const { operation } = context;
  const isMetered = operation.resource.billed !== undefined && !isListed(context);
  return isMetered
    ? operation.failed(step, mayBeBilled, ["next-is-billed"], { cause })
    : operation.failed(step, mayExist, searchRemedies(context), { cause });
}

/**
 * Returns the error of a create that may have been executed before it was interrupted. After a stop by the user the error
 * has a state from which the next read searches, if objects of this kind can be found by search and the time of the API is
 * known. Only Terraform stores a state without an id.
 */
export function interruptedCreate(context: CreateContext, step: string, cause: StopError): OperationError {
  const { operation, tracker, before } = context;
  const { resource, session } = operation;
  const sentAt = tracker?.sentAt;
  const stoppedAt = session.serverClock.known();
  const isFindable = isListed(context) && !visibilityOf(resource).isShownOnce;
  if (cause.why !== "stop" || !isFindable || sentAt === undefined || stoppedAt === undefined)
    return unknownOutcome(context, step, cause);
  const interrupted: InterruptedCreate = {
    sentAt,
    stoppedAt,
    seenIds: before.map(({ id }) => id),
    ...(areDated(before) ? { isDated: true } : {}),
  };
  const state = { ...partialState(context, {}), interrupted, createdAt: stoppedAt };
  return operation.failed(step, mayExist, nextSearch(context), { state, cause });
}

/** Returns the remedies for an object that may exist. */
export function searchRemedies(context: CreateContext): readonly GivenRemedy[] {
  const { resource } = context.operation;
  const { shownThrough, isReadable, isShownOnce } = visibilityOf(resource);
  // No listing shows it, and unattached it has no effect (docs/reliability.md#3.5).
  if (shownThrough !== undefined) return ["next-creates-another"];
  // An import is useless for an object that no route reads, and for one whose secret is lost.
  if (!isReadable || isShownOnce) return ["delete-if-exists"];
  return [
    { code: "import-if-exists", resource: resource.name, importId: importOfCreated(context) },
    "set-adopt-existing",
  ];
}

/**
 * Returns the remedies for an object whose state has no id: the next Terraform run searches for the object; Pulumi stores
 * no such state.
 */
export const nextSearch = (context: CreateContext): readonly GivenRemedy[] => [
  { code: "next-searches", only: "terraform" },
  ...remediesOf(searchRemedies(context)).map((remedy): Remedy => ({ ...remedy, only: "pulumi" })),
];

/** Returns the import id of the object of a create: with the name if that is enough, otherwise with a placeholder. */
const importOfCreated = (context: CreateContext): string =>
  importIdFor(context, idOrPlaceholder(context.operation.resource, context.inputs));

/** Returns the value that identifies the object in an import id, or the placeholder `ID`. */
function idOrPlaceholder(resource: Resource, inputs: Values): string {
  const [field, ...more] = resource.importedBy ?? [];
  const value = field === undefined || more.length > 0 ? undefined : inputs[field];
  return typeof value === "string" ? value : (idIn(resource, inputs) ?? "ID");
}
