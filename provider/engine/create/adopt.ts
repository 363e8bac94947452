import { type CloudError, OperationError } from "../../core/error.ts";
import type { GivenRemedy, Remedy } from "../../core/remedy.ts";
import type { ResourceState } from "../../core/state.ts";
import { attribute } from "../../core/wording.ts";
import { type Fields, identifyingValues } from "../../definition/field.ts";
import { idIn } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import type { Holder } from "../held-object.ts";
import { assumedFields } from "../import/import.ts";
import { regionIfNotDefault } from "../region.ts";
import { importId, importOneOf, stepOf } from "../remediation.ts";
import { ever } from "../shared-listing.ts";
import {
  addressOf,
  conformToPlan,
  driftedFields,
  isKnownGone,
  isOwned,
  noteOwned,
  readCurrent,
  statusOf,
  unreadPaths,
} from "../state/state.ts";
import { failureOf, waitUntilReady } from "../wait/wait.ts";
import { onlyId } from "./recover.ts";
import type { CreateContext } from "./search.ts";
import { ownId } from "./task.ts";

/** Returns the remedy that lets a create avoid the existing object; none for a resource without a name. */
function orRename({ operation: { resource }, inputs }: CreateContext): readonly GivenRemedy[] {
  if (!Object.hasOwn(resource.fields, "name")) return [];
  return [idIn(resource, inputs) === undefined ? "choose-other-name" : "choose-other-value"];
}

/** Returns the error of a create whose object exists, and which a resource of this configuration has: no import helps. */
function heldError(
  context: CreateContext,
  one: string,
  { id, holder }: { readonly id: string; readonly holder: Holder },
  conflict: CloudError | undefined,
): OperationError {
  const texts = {
    self: [
      ": this run replaces it, and would create the new one first",
      ["delete-first", ...orRename(context)],
    ],
    leaving: [
      ": another resource of this configuration has it until this run deletes, replaces or renames it, and the order of the changes decides",
      ["let-leave", ...orRename(context), "keep-addresses"],
    ],
    other: [
      ", and another resource of this configuration manages it",
      [...orRename(context), "remove-duplicate"],
    ],
  } as const satisfies { readonly [H in Holder]: readonly [string, readonly GivenRemedy[]] };
  const [why, remedies] = texts[holder];
  return context.operation.failed(
    `${one} already exists${why}`,
    { is: "exists", id },
    remedies,
    undefined,
    conflict,
  );
}

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
  const { operation, inputs, region } = context;
  const { resource, session } = operation;
  const nameOf = (id: string) => importId(resource, id, inputs, regionIfNotDefault(session, region));
  // A resource without a name has at most one object in its scope.
  const named = Object.hasOwn(resource.fields, "name");
  const unnamed = named ? "an object with this name" : "an object with these values";
  const isGiven = resource.idField !== undefined && idIn(resource, inputs) !== undefined;
  const one = isGiven ? `an object with this ${attribute(resource.idField)}` : unnamed;
  const madeInThisRun = (id: string) =>
    operation.failed(
      `${one} was created or adopted by another resource in this run`,
      { is: "exists", id },
      named ? orRename(context) : ["remove-duplicate"],
      undefined,
      conflict,
    );
  for (const { id } of same) {
    const address = addressOf(resource, id, region, inputs);
    const holder = isKnownGone(operation, address) ? undefined : operation.holderOf?.(id);
    if (holder !== undefined && isOwned(operation, address)) throw madeInThisRun(id);
    if (holder !== undefined) throw heldError(context, one, { id, holder }, conflict);
  }
  const importAs = (code: "import-if-unmanaged" | "import-by-full-id", id: string): Remedy => ({
    code,
    resource: resource.name,
    importId: nameOf(id),
  });
  const id = onlyId(same);
  if (id === undefined)
    throw operation.failed(
      same.length > 1
        ? "several objects with this name exist"
        : `${one} exists, but a listing shows it without an ID or with a masked one`,
      { is: "nothing created" },
      same.length > 1
        ? [importOneOf(resource, same, nameOf), "delete-others", "choose-other-name"]
        : [importAs("import-by-full-id", "ID"), "choose-other-name"],
      undefined,
      conflict,
    );
  const exists = { is: "exists", id } as const;
  if (!session.settings.adoptExisting)
    throw operation.failed(
      `${one} already exists`,
      exists,
      [importAs("import-if-unmanaged", id), ...orRename(context), "set-adopt-existing", "if-replaced"],
      undefined,
      conflict,
    );
  try {
    const address = addressOf(resource, id, region, inputs);
    const identity = identifyingValues(resource.fields, same[0]);
    const seen = await readCurrent(operation, address, ever, { ...identity, ...inputs });
    if (seen === undefined)
      throw operation.failed(`a listing shows ${one}, but it cannot be read`, exists, ["run-again"]);
    if (statusOf(resource, seen).at === "failed") throw failureOf(operation, seen);
    const assumed = new Set(assumedFields(operation, seen, inputs));
    const other = driftedFields(resource.fields, seen, inputs).filter((path) => !assumed.has(path));
    if (other.length > 0)
      throw operation.failed(
        `${one} already exists with different ${other.map(attribute).join(", ")}`,
        exists,
        ["match-configuration", ...orRename(context), "delete-object", "if-replaced"],
      );
    const shown = Object.fromEntries(Object.entries(inputs).filter(([name]) => !assumed.has(name)));
    const ready = await waitUntilReady(operation, address, shown, { identity });
    if (isOwned(operation, address)) throw madeInThisRun(id);
    noteOwned(operation, address, { isAdopted: true });
    operation.warn({ code: "adopted", subject: operation.subject, id });
    const values = conformToPlan(resource.fields, { ...ready, region }, inputs);
    const unread = unreadPaths(resource.fields, values, inputs);
    return { id: ownId(ready, id), task: undefined, values, unread };
  } catch (error) {
    if (error instanceof OperationError) throw error;
    const step = `${one} already exists and was not adopted: ${stepOf(error)}`;
    throw operation.failed(step, exists, ["run-again", "delete-object"], undefined, error);
  }
}
