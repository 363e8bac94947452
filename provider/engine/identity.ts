import type { ResourceState } from "../core/state.ts";
import { reveal, type Value, type Values } from "../core/value.ts";
import { identifyingValues } from "../definition/field.ts";
import type { Poll } from "../definition/function.ts";
import type { Resource } from "../definition/resource.ts";
import { isRecent } from "./existence/age.ts";
import { listIfAuthoritative, listingKey, readCurrent } from "./existence/current.ts";
import { matches } from "./existence/row.ts";
import type { Operation } from "./operation.ts";
import { regionFor } from "./region.ts";
import { importIdIn } from "./remediation.ts";
import { ever } from "./shared-listing.ts";
import { type Address, addressOf } from "./state/address.ts";
import { driftedFields } from "./state/compare.ts";
import { mergeState } from "./state/merge.ts";
import { statusOf } from "./state/status.ts";
import { waitFor } from "./wait/waiter.ts";

/**
 * Identity of objects by computed values in addition to the id, such as the jobs of a batch of instances. The state of a
 * create that did not finish has none of these values, and the state of an earlier version may lack some.
 */

/** Returns the stored values of the computed fields that identify the object; reads them if the state lacks one. */
export async function identityOf(
  operation: Operation,
  address: Address,
  prior: Values,
): Promise<{ [name: string]: Value }> {
  const { fields } = operation.resource;
  const recorded = identifyingValues(fields, prior);
  if (Object.values(recorded).every((value) => value !== null)) return recorded;
  return identifyingValues(fields, await readCurrent(operation, address, { after: ever, known: prior }));
}

/** Returns every id under which a listing may show an object: a batch may be listed by the id of any of its jobs. */
export const idsOf = ({ fields }: Resource, id: string, values: Values): string[] => [
  id,
  ...Object.values(identifyingValues(fields, values)).flatMap((value) => {
    const ids = reveal(value);
    return Array.isArray(ids) ? ids.map(String) : [];
  }),
];

/** Returns true if computed values identify the objects of the kind. */
const hasIdentity = ({ fields }: Resource): boolean => Object.keys(identifyingValues(fields)).length > 0;

/** Returns true if computed values identify the object, and the state has no computed value yet. */
const isUnidentified = (resource: Resource, values: Values): boolean =>
  hasIdentity(resource) &&
  Object.entries(resource.fields).every(
    ([name, { kind }]) => kind !== "computed" || (values[name] ?? null) === null,
  );

/**
 * Returns the state to delete: with the values of a read if computed values identify the object, as nothing else identifies
 * the rest of a partly deleted object. Until `settle_seconds` after the create or the last extension, polls until a read
 * shows the recorded values. Throws `OperationError` like `refuseUnidentified`, and `StopError`.
 */
export async function identified(operation: Operation, state: ResourceState): Promise<ResourceState> {
  const { resource, session } = operation;
  if (state.id === undefined || !hasIdentity(resource)) return state;
  const region = regionFor(session, resource, state.values);
  const address = addressOf(resource, state.id, region, state.values);
  const observed = await waitFor(
    operation,
    `${resource.name} identified`,
    async (after): Promise<Poll<Values | undefined>> => {
      const began = session.ports.clock.monotonic();
      const found = await readCurrent(operation, address, { after, known: state.values });
      if (
        !isRecent(operation, address.id, began) ||
        (found !== undefined && isWhole(resource, found, state.values))
      )
        return { done: found };
      return { pending: found === undefined ? "not visible yet" : statusOf(resource, found).text };
    },
    listingKey(resource, address),
  );
  if (observed !== undefined)
    return { ...state, values: mergeState(resource.fields, { ...observed, region }, state.values) };
  await refuseUnidentified(operation, address, state);
  return state;
}

/** Returns true if a read shows the recorded values and no part that is still being created. */
const isWhole = (resource: Resource, observed: Values, recorded: Values): boolean =>
  statusOf(resource, observed).at !== "pending" &&
  driftedFields(resource.fields, observed, recorded).length === 0;

/**
 * Throws `OperationError` if the create of the recorded object did not finish and a listing shows an object of its name:
 * the listed object may be the recorded one.
 */
export async function refuseUnidentified(
  operation: Operation,
  address: Address,
  { values }: Pick<ResourceState, "values">,
): Promise<void> {
  const { resource, session } = operation;
  if (!isUnidentified(resource, values)) return;
  const rows = (await listIfAuthoritative(operation, address, session.listings.mark())) ?? [];
  const row = rows.find((each) => matches(resource, each, values));
  if (row === undefined) return;
  const importId = importIdIn(session, resource, { id: row.id, values, region: address.region });
  throw operation.failed(
    `a listing shows an object with this name (${row.id}), and nothing shows whether it is the one in the state`,
    { is: "unknown" },
    [{ code: "import-listed", resource: resource.name, importId }],
  );
}
