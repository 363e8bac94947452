import { type CloudError, type Existence, OperationError } from "../../core/error.ts";
import type { GivenRemedy, Remedy } from "../../core/remedy.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import { attribute, attributes, type Text, wording } from "../../core/wording.ts";
import { type Fields, identifyingValues } from "../../definition/field.ts";
import { idIn } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import { isKnownGone } from "../existence/absence.ts";
import { readCurrent } from "../existence/current.ts";
import { isOwned, noteOwned } from "../existence/owned.ts";
import type { Holder } from "../held-object.ts";
import { assumedFields } from "../import/import.ts";
import { importOneOf, stepOf } from "../remediation.ts";
import { ever } from "../shared-listing.ts";
import type { Address } from "../state/address.ts";
import { driftedFields } from "../state/compare.ts";
import { conformToPlan, unreadPaths } from "../state/merge.ts";
import { statusOf } from "../state/status.ts";
import { failureOf, waitUntilReady } from "../wait/wait.ts";
import { importIdFor } from "./failure.ts";
import { onlyId } from "./recover.ts";
import { addressIn, type CreateContext } from "./search.ts";
import { objectIdIn } from "./task.ts";

/**
 * Adopts an object that existed before the create request, if `adopt_existing` is set and the object shows the
 * requested values. Otherwise throws `OperationError`; without `adopt_existing` the error names the import command.
 *
 * @param conflict response that rejected the create because of the object
 */
export async function adopt(
  context: CreateContext,
  same: readonly Row<Fields>[],
  conflict?: CloudError,
): Promise<ResourceState> {
  const refused = refusalOf(context, same, conflict);
  if (refused !== undefined) throw refused;
  const [row] = same as readonly [Row<Fields>];
  const { operation } = context;
  try {
    return await adoptRow(context, row, conflict);
  } catch (error) {
    if (error instanceof OperationError) throw error;
    const step = wording`${termOf(context)} already exists and was not adopted: ${stepOf(error)}`;
    const exists = { is: "exists", id: row.id } as const;
    throw operation.failed(step, exists, ["run-again", "delete-object"], { cause: error });
  }
}

/** Returns the error of a create whose object must not be adopted; undefined if it may be. */
function refusalOf(
  context: CreateContext,
  same: readonly Row<Fields>[],
  conflict: CloudError | undefined,
): OperationError | undefined {
  const { operation } = context;
  const { resource, session } = operation;
  const one = termOf(context);
  const refused = (step: Text, existence: Existence, remedies: readonly GivenRemedy[]) =>
    operation.failed(step, existence, remedies, { cause: conflict });
  for (const { id } of same) {
    const address = addressIn(context, id);
    const holder = isKnownGone(operation, address) ? undefined : operation.holderOf?.(id);
    if (holder === undefined) continue;
    if (isOwned(operation, address)) return madeInThisRun(context, id, conflict);
    const [reason, remedies] = heldBy[holder];
    return refused(wording`${one} already exists${reason}`, { is: "exists", id }, remedies(context));
  }
  if (same.length > 1) {
    const oneOf = importOneOf(resource, same, (id) => importIdFor(context, id));
    const remedies: readonly GivenRemedy[] = [oneOf, "delete-others", "choose-other-name"];
    return refused("several objects with this name exist", { is: "nothing created" }, remedies);
  }
  const importAs = (code: "import-if-unmanaged" | "import-by-full-id", id: string): Remedy => ({
    code,
    resource: resource.name,
    importId: importIdFor(context, id),
  });
  const id = onlyId(same);
  if (id === undefined)
    return refused(
      wording`${one} exists, but a listing shows it without an ID or with a masked one`,
      { is: "nothing created" },
      [importAs("import-by-full-id", "ID"), "choose-other-name"],
    );
  if (session.settings.adoptExisting) return undefined;
  return refused(wording`${one} already exists`, { is: "exists", id }, [
    importAs("import-if-unmanaged", id),
    ...orRename(context),
    "set-adopt-existing",
    "if-replaced",
  ]);
}

/** Waits until the object is ready and shows the requested values, and returns its state. */
async function adoptRow(
  context: CreateContext,
  row: Row<Fields>,
  conflict: CloudError | undefined,
): Promise<ResourceState> {
  const { operation, inputs, region } = context;
  const { resource } = operation;
  const { id } = row;
  const address = addressIn(context, id);
  const identity = identifyingValues(resource.fields, row);
  const assumed = await assumedOf(context, address, { ...identity, ...inputs });
  const compared = Object.fromEntries(Object.entries(inputs).filter(([name]) => !assumed.has(name)));
  const ready = await waitUntilReady(operation, address, compared, { identity });
  if (isOwned(operation, address)) throw madeInThisRun(context, id, conflict);
  noteOwned(operation, address, { isAdopted: true });
  operation.warn({ code: "adopted", subject: operation.subject, id });
  const values = conformToPlan(resource.fields, { ...ready, region }, inputs);
  const unread = unreadPaths(resource.fields, values, inputs);
  return { id: objectIdIn(ready, id), task: undefined, values, unread };
}

/**
 * Returns the fields with a default that a read of the object does not show. Throws `OperationError` if the object cannot be read,
 * has failed or differs from the inputs.
 */
async function assumedOf(
  context: CreateContext,
  address: Address,
  requested: Values,
): Promise<ReadonlySet<string>> {
  const { operation, inputs } = context;
  const { resource } = operation;
  const one = termOf(context);
  const exists = { is: "exists", id: address.id } as const;
  const observed = await readCurrent(operation, address, { after: ever, known: requested });
  if (observed === undefined)
    throw operation.failed(wording`a listing shows ${one}, but it cannot be read`, exists, ["run-again"]);
  if (statusOf(resource, observed).at === "failed") throw failureOf(operation, observed);
  const assumed = new Set(assumedFields(operation, observed, inputs));
  const drifted = driftedFields(resource.fields, observed, inputs).filter((path) => !assumed.has(path));
  if (drifted.length === 0) return assumed;
  throw operation.failed(wording`${one} already exists with different ${attributes(drifted)}`, exists, [
    "match-configuration",
    ...orRename(context),
    "delete-object",
    "if-replaced",
  ]);
}

/** Returns a term for the existing object. A resource without a name has at most one object in its scope. */
function termOf({ operation: { resource }, inputs }: CreateContext): Text {
  if (resource.idField !== undefined && idIn(resource, inputs) !== undefined)
    return wording`an object with this ${attribute(resource.idField)}`;
  return Object.hasOwn(resource.fields, "name") ? "an object with this name" : "an object with these values";
}

/** Returns the remedy that lets a create avoid the existing object; none for a resource without a name. */
function orRename({ operation: { resource }, inputs }: CreateContext): readonly GivenRemedy[] {
  if (!Object.hasOwn(resource.fields, "name")) return [];
  return [idIn(resource, inputs) === undefined ? "choose-other-name" : "choose-other-value"];
}

function madeInThisRun(context: CreateContext, id: string, conflict: CloudError | undefined): OperationError {
  const { operation } = context;
  const renamed = orRename(context);
  return operation.failed(
    wording`${termOf(context)} was created or adopted by another resource in this run`,
    { is: "exists", id },
    renamed.length > 0 ? renamed : ["remove-duplicate"],
    { cause: conflict },
  );
}

/** Reason and remedies of a create whose object a resource of this configuration has: no import helps. */
const heldBy: {
  readonly [H in Holder]: readonly [string, (context: CreateContext) => readonly GivenRemedy[]];
} = {
  self: [
    ": this run replaces it, and would create the new one first",
    (context) => ["delete-first", ...orRename(context)],
  ],
  leaving: [
    ": another resource of this configuration has it until this run deletes, replaces or renames it, and the order of the changes decides",
    (context) => ["let-leave", ...orRename(context), "keep-addresses"],
  ],
  other: [
    ", and another resource of this configuration manages it",
    (context) => [...orRename(context), "remove-duplicate"],
  ],
};
