import type { CloudError, Existence, OperationError } from "../../core/error.ts";
import type { Remedy } from "../../core/remedy.ts";
import type { Values } from "../../core/value.ts";
import { dependentsOf } from "../dependents.ts";
import { visibilityOf } from "../existence/visibility.ts";
import { echoSeconds } from "../operation.ts";
import { nameKey } from "../planned-object.ts";
import { remediesFor, stepOf } from "../remediation.ts";
import { existenceUnlisted, notCreated, unknownOutcome } from "./failure.ts";
import type { Attempt, Next } from "./outcome.ts";
import { findCreated, newestId, picked, searchAgain } from "./recover.ts";
import { type CreateContext, callOf, isListed, untilNameLeft } from "./search.ts";

/**
 * Returns the step after a conflict of the first request. Its reason may be an object that this run deletes or renames, one that
 * exists since the search, or an executed attempt of this create, of which the conflict is the echo.
 */
export async function afterConflict({ context, error, existence }: Attempt): Promise<Next> {
  const { operation } = context;
  const isFreed = await untilNameLeft(context);
  const found = await findCreated(context, echoSeconds);
  if (found.rows.length > 0)
    return visibilityOf(operation.resource).isShownOnce
      ? picked(context, found, error)
      : { existing: found.rows, conflict: error };
  if (isFreed) return { again: { number: 1, existence } };
  const newest = isListed(context) ? undefined : await newestId(context);
  if (newest === undefined)
    return { failed: await conflictError(context, error, existenceUnlisted(context, echoSeconds)) };
  const failed = operation.failed(
    "an object with this name already exists",
    { is: "exists", id: newest },
    [
      { code: "import-if-unmanaged", resource: operation.resource.name, importId: newest },
      "choose-other-name",
      "if-replaced",
    ],
    { cause: error },
  );
  return { failed };
}

/** Returns the step after a conflict of a later request: an earlier one may have been executed. */
export async function afterLateConflict(attempt: Attempt): Promise<Next> {
  const { context, error } = attempt;
  const { settleSeconds } = context.operation.session.settings;
  const found = await searchAgain(attempt);
  if (found.rows.length > 0) return picked(context, found, error);
  return { failed: await conflictError(context, error, existenceUnlisted(context, settleSeconds)) };
}

/** Returns the error of a conflict. The objects that explain the conflict are the only useful remedy. */
async function conflictError(
  context: CreateContext,
  error: CloudError,
  existence: Existence,
): Promise<OperationError> {
  const conflicts = await conflictsOf(context);
  if (conflicts === undefined)
    return notCreated(context, error, existence, ["choose-other-value", ...remediesFor(error)]);
  if (existence.is === "may exist") return unknownOutcome(context, stepOf(error), error);
  return context.operation.failed(stepOf(error), existence, [conflicts], { cause: error });
}

/**
 * Returns the remedy that names the objects with which a create conflicts; undefined if none are known. If the definition
 * finds none, these are the existing objects of the same name: `matches` does not accept them, but the API may require
 * unique names.
 */
async function conflictsOf(context: CreateContext): Promise<Remedy | undefined> {
  const { operation, inputs, before } = context;
  const { name: kind, verbs } = operation.resource;
  const conflicts = await dependentsOf(operation, verbs.conflicts?.(callOf(context)));
  if (conflicts !== undefined) return { code: "remove-conflicts", objects: conflicts, by: "value" };
  const name = nameKey(inputs);
  const same = before.filter((row) => name !== "" && nameKey(row as unknown as Values) === name);
  const objects = same.map(({ id }) => ({ kind, id, name }));
  return objects.length === 0 ? undefined : { code: "remove-conflicts", objects, by: "name" };
}
