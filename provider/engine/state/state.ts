import { entriesOf } from "../../core/memoize.ts";
import type { ResourceState } from "../../core/state.ts";
import { emptyRecord, isRecord, type Values } from "../../core/value.ts";
import { deferredFields, type Field, type Fields, isLocal } from "../../definition/field.ts";
import type { Resource } from "../../definition/resource.ts";

export {
  hasDecidingList,
  hasShownAnother,
  isKnownGone,
  isProvenAbsent,
  isShownElsewhere,
  noteGone,
  unprovenMs,
} from "./absence.ts";
export {
  type Address,
  addressAfterUpdate,
  addressKey,
  addressOf,
  keyOfId,
  scopeKey,
  uuidKey,
} from "./address.ts";
export {
  compareFound,
  completed,
  confirmed,
  driftedFields,
  hasLost,
  isAlwaysShown,
  missingFields,
} from "./compare.ts";
export {
  changeTime,
  isOnlyListed,
  isOwned,
  isRecent,
  isUnsettled,
  mayBeUnlisted,
  noteOwned,
  ownedByAnother,
  recordCreation,
  timingOf,
  unconfirmedChange,
} from "./creation.ts";
export {
  listExisting,
  listIfAuthoritative,
  listingKey,
  missesBeforeGone,
  noteWrite,
  readAlone,
  readCurrent,
  rowAsState,
  shareListing,
} from "./current.ts";
export {
  followsProvider,
  hasSameTags,
  plannedTags,
  spelledAs,
  withAllTags,
  withKeptTags,
  withOwnTags,
  withRecordedTags,
} from "./default-tags.ts";
export { hasMask, withRecordedIds } from "./mask.ts";
export {
  asPlanned,
  conformToPlan,
  mergeState,
  unreadPaths,
  withComputed,
  withPriorComputed,
} from "./merge.ts";
export { statusOf, transitionOf, word } from "./status.ts";

/** Returns the state of an object that no read shows, if a miss does not prove it gone; otherwise undefined. */
export const stateWhenInvisible = (
  { visibleThrough }: Resource,
  state: ResourceState,
): ResourceState | undefined =>
  visibleThrough === undefined
    ? undefined
    : { ...state, values: { ...state.values, [visibleThrough]: null } };

/**
 * Returns the partial state of an object whose create did not finish: its inputs, and its id or task. Deferred fields
 * are null, so that the next run sends them, or have the values of a new object if no route reads them. Local fields
 * are null: deletion protection stays off, since the object has no data yet.
 */
export function partialState(
  resource: Resource,
  inputs: Values,
  region: string,
  progress: { readonly id?: string | undefined; readonly task?: string | undefined },
): ResourceState {
  const fill = (fields: Fields, given: Values): Values => {
    const values = emptyRecord();
    for (const { name, value: field } of entriesOf(fields)) {
      const own = given[name] ?? null;
      values[name] = field.kind === "group" && isRecord(own) ? fill(field.fields, own) : own;
    }
    return values;
  };
  const values = fill(resource.fields, inputs);
  const localFields = Object.keys(resource.fields).filter((name) => isLocal(resource.fields[name] as Field));
  for (const name of localFields) values[name] = null;
  const initial = (resource.notReadable ?? {}) as Values;
  for (const name of deferredFields(resource.fields)) values[name] = initial[name] ?? null;
  if (resource.regional !== false) values.region = region;
  return { id: progress.id, task: progress.id === undefined ? progress.task : undefined, values, unread: [] };
}
