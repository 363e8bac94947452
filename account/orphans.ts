import { accountOf, comparable } from "../provider/core/krn.ts";
import { isRecord, reveal, type Values } from "../provider/core/value.ts";
import { identifyingValues, referenceNames } from "../provider/definition/field.ts";
import { idKind } from "../provider/definition/import-id.ts";
import { hasGivenId, type Resource } from "../provider/definition/resource.ts";
import { verbInputs } from "../provider/definition/verb-inputs.ts";
import { deletedParts, importIdIn, type Session } from "../provider/engine/engine.ts";
import { partsAmong } from "./export/project.ts";
import { everything } from "./filter.ts";
import { type Inventory, type InventoryOptions, readInventory, selectionOf } from "./inventory.ts";
import { isListOfOther } from "./listing.ts";
import type { AccountObject } from "./object.ts";
import type { Recorded, StateFile } from "./state/recorded.ts";

/** Objects of an account that no state has. */

export interface Orphan {
  readonly object: AccountObject;
  /** Objects that refer to it. */
  readonly referrers: readonly AccountObject[];
  readonly importId: string;
}

export interface Orphans {
  readonly orphans: readonly Orphan[];
  /** Objects that are younger than `settle_seconds`: a run in progress may not have recorded them yet. */
  readonly young: readonly AccountObject[];
  /** Groups that the API may have made with their VPCs. */
  readonly defaultGroups: readonly AccountObject[];
}

/** Failure of the comparison; the message is a sentence for the user. */
export class ForeignStateError extends Error {}

/** Orphans among the selected objects of an account, and the selected part of its inventory. */
export interface SelectedOrphans extends Orphans {
  readonly selection: Inventory;
  /** All objects of the account. */
  readonly objects: readonly AccountObject[];
}

/**
 * Reads the whole account, since parts and referrers of a selected object may be of any kind, and returns the orphans that the filter
 * selects. Throws `InventoryError`, and `ForeignStateError` as `orphansAmong` does.
 */
export async function readOrphans(
  session: Session,
  options: InventoryOptions,
  states: readonly StateFile[],
): Promise<SelectedOrphans> {
  const contents = options.filter.kinds;
  const inventory = await readInventory(session, { ...options, filter: everything, contents });
  // If all results are those of an interrupted run, no response had the time of the API.
  const now = session.serverClock.known() ?? session.ports.clock.wall();
  const { orphans, young, defaultGroups } = orphansAmong(session, inventory, states, now);
  const selection = selectionOf(inventory, options);
  const selected = new Set(selection.objects);
  return {
    orphans: orphans.filter(({ object }) => selected.has(object)),
    young: young.filter((object) => selected.has(object)),
    defaultGroups: defaultGroups.filter((object) => selected.has(object)),
    selection,
    objects: inventory.objects,
  };
}

/**
 * Returns the objects of an inventory that no state has. An object that the API made together with another one, such as a default
 * group, a primary subnet or the port of an instance, is no orphan. Throws `ForeignStateError` for a state of another account or
 * region.
 *
 * @param now time of the API in ms since 1970; undefined if no response had a date: no object then counts as young
 */
export function orphansAmong(
  session: Session,
  { objects }: Pick<Inventory, "objects">,
  states: readonly StateFile[],
  now = session.serverClock.known(),
): Orphans {
  const recorded = states.flatMap((state) => state.objects);
  requirePlace(session, recorded, objects);
  const known = knownIds(recorded, objects);
  const given = new Set(recorded.map(({ resource, state }) => keyOf(resource, state.id ?? "", state.values)));
  const isKnown = ({ resource, id, state }: AccountObject) =>
    given.has(keyOf(resource, id, state.values)) || (!hasGivenId(resource) && known.has(comparable(id)));
  const isPart = partsAmong(objects);
  const outside = objects.filter(
    (object) => !isKnown(object) && isPart(object) !== true && !consistsOf(object, known),
  );
  const defaults = defaultGroupsAmong(objects);
  const leftBehind = portsLeftBehind(recorded, objects, outside);
  const found = outside.filter((object) => !leftBehind.has(object));
  const unknown = found.filter((object) => !defaults.has(object));
  // A time that is further in the future than that proves nothing.
  const isYoung = (object: AccountObject) =>
    now !== undefined && Math.abs(now - (object.createdAt ?? 0)) < session.settings.settleSeconds * 1000;
  const referrers = referrersAmong(objects);
  return {
    orphans: unknown
      .filter((object) => !isYoung(object))
      .map((object) => ({
        object,
        referrers: referrers.get(comparable(object.id)) ?? [],
        importId: importIdIn(session, object.resource, {
          id: object.id,
          values: object.parents,
          region: object.region ?? "",
        }),
      })),
    young: unknown.filter(isYoung),
    defaultGroups: found.filter((object) => defaults.has(object)),
  };
}

/** Returns true for an object that consists of others which are all known, such as a batch of instances with entries of their own. */
function consistsOf({ resource, state }: AccountObject, known: ReadonlySet<string>): boolean {
  const parts = (resource.deletesToo ?? [])
    .filter(({ isWhole }) => isWhole)
    .flatMap(({ ids }) => ids?.(verbInputs(state.values) as never) ?? []);
  return parts.length > 0 && parts.every((id) => id !== undefined && known.has(comparable(id)));
}

/**
 * Returns the groups that the API may have made with their VPCs (docs/contract.md#2.1): those of the name "default", but not several
 * in one VPC, since the API makes one.
 */
function defaultGroupsAmong(objects: readonly AccountObject[]): ReadonlySet<AccountObject> {
  const named = objects.filter(
    ({ resource, name }) => resource.name === "security-group" && name === "default",
  );
  const byVpc = Map.groupBy(named, ({ state }) => comparable(String(state.values.vpcId ?? "")));
  return new Set([...byVpc.values()].flatMap((groups) => (groups.length === 1 ? groups : [])));
}

/** Returns the key of an object whose id another object may have, too, such as that of a bucket policy or of a content. */
const keyOf = ({ name, parents = [] }: Resource, id: string, values: Values): string =>
  JSON.stringify([
    name,
    comparable(id),
    ...parents.map((parent) => comparable(String(values[parent] ?? ""))),
  ]);

/**
 * Returns the ports among the objects outside of the states on which recorded floating IPs were reserved: a moved address leaves its
 * port behind. Only the name shows that, so that none counts if there are more ports of a name than addresses that were moved.
 */
function portsLeftBehind(
  recorded: readonly Recorded[],
  objects: readonly AccountObject[],
  outside: readonly AccountObject[],
): ReadonlySet<AccountObject> {
  const byPlace = <T extends Recorded | AccountObject>(all: readonly T[], kind: string) =>
    Map.groupBy(
      all.filter(({ resource }) => resource.name === kind),
      ({ state }) => placeOf(state.values),
    );
  const reserved = byPlace(recorded, "floating-ip");
  const ports = byPlace(objects, "port");
  return new Set(
    [...byPlace(outside, "port")].flatMap(([place, some]) => {
      const unmoved = (ports.get(place) ?? []).filter(({ state }) => state.values.floatingIpAddress ?? null);
      return some.length <= (reserved.get(place)?.length ?? 0) - unmoved.length ? some : [];
    }),
  );
}

const placeOf = ({ vpcId = null, name = null }: Values): string =>
  JSON.stringify([typeof vpcId === "string" ? comparable(vpcId) : "", typeof name === "string" ? name : ""]);

/** Throws `ForeignStateError` for objects of another account, and for states without an object of the region. */
function requirePlace(
  session: Session,
  recorded: readonly Recorded[],
  objects: readonly AccountObject[],
): void {
  const account =
    session.owner.account() ?? objects.map(({ id }) => accountOf(id)).find((each) => each !== undefined);
  const foreign = recorded.find(({ state }) => {
    const owner = accountOf(state.id ?? "") ?? state.account;
    return owner !== undefined && account !== undefined && owner !== account;
  });
  if (foreign !== undefined)
    throw new ForeignStateError(
      `${foreign.address} belongs to the account ${accountOf(foreign.state.id ?? "") ?? foreign.state.account}, and the credentials to ${account}.`,
    );
  const regions = new Set(
    recorded.flatMap(({ state }) => (typeof state.values.region === "string" ? [state.values.region] : [])),
  );
  const { region } = session.settings;
  if (region !== undefined && regions.size > 0 && !regions.has(region))
    throw new ForeignStateError(
      `The states have objects in ${[...regions].join(", ")} only, and the listing is that of ${region}: set SERVICE_REGION.`,
    );
}

/** Returns the ids of recorded objects, and of the objects that are made with them, in a form to compare. */
function knownIds(recorded: readonly Recorded[], objects: readonly AccountObject[]): ReadonlySet<string> {
  const known = new Set<string>();
  const add = (id: unknown): void => {
    if (typeof id === "string" && id !== "") known.add(comparable(id));
  };
  for (const { resource, state } of recorded) {
    // The id of a bucket policy is that of its bucket, and the id of a list of groups that of its port.
    const hasOwnId = !hasGivenId(resource) && idKind(resource) === resource.name && !isListOfOther(resource);
    for (const id of [...(hasOwnId ? [state.id, state.task] : []), ...partIds(resource, state.values)])
      add(id);
    for (const value of Object.values(identifyingValues(resource.fields, state.values)))
      for (const id of [reveal(value)].flat()) add(id);
  }
  const whole = new Set(recorded.map(({ state }) => comparable(state.id ?? "")));
  const decided = new Set(
    recorded.filter((object) => !hasUnknownGroup(object)).map(({ state }) => comparable(state.id ?? "")),
  );
  for (const { id, state } of objects)
    if (!decided.has(comparable(id))) for (const part of firstCandidateIds(state.candidates)) add(part);
  // A part of a part, such as the boot volume of an instance in a batch, is made with the whole, too.
  const parts = objects.filter(({ id }) => !whole.has(comparable(id)));
  for (let before = -1; before < known.size; ) {
    before = known.size;
    for (const { resource, id, state } of parts)
      if (known.has(comparable(id)))
        for (const part of [...partIds(resource, state.values), state.values.bootVolumeId]) add(part);
  }
  return known;
}

/** Returns true for an imported object of which it is not known which candidate its group is, such as the primary subnet. */
const hasUnknownGroup = ({ resource: { fields }, state }: Recorded): boolean =>
  Object.entries(fields).some(
    ([name, field]) =>
      field.kind === "group" && field.options.candidates !== undefined && state.unread.includes(name),
  );

/**
 * Returns the id of the first candidate of each group: no response shows which one the group of an imported object is, and the
 * import of an object that no state has brings its group with it.
 */
const firstCandidateIds = (candidates: Values = {}): unknown[] =>
  Object.values(candidates).map((all) =>
    Array.isArray(all) && isRecord(all[0] ?? null) ? idIn(all[0]) : undefined,
  );

const idIn = (value: unknown): unknown => (value as Values).id;

/** Returns the ids of the objects that are made with an object: those deleted with it, its groups and its boot volume. */
function partIds(resource: Resource, values: Values): unknown[] {
  const shown = reveal(values) as Values;
  const groups = Object.entries(resource.fields).flatMap(([name, field]) => {
    const group = shown[name] ?? null;
    return field.kind === "group" && isRecord(group) ? [idIn(group)] : [];
  });
  return [
    ...deletedParts(resource, values).map(({ id }) => id),
    ...groups,
    // A kept boot volume is not deleted with its instance.
    (shown.volumeId ?? null) === null ? shown.bootVolumeId : undefined,
  ];
}

/** Returns the objects that refer to each id. */
function referrersAmong(objects: readonly AccountObject[]): ReadonlyMap<string, readonly AccountObject[]> {
  const pairs = objects.flatMap((object) =>
    referenceNames(object.resource.fields).flatMap((field) =>
      [object.state.values[field] ?? null]
        .flat()
        .flatMap((id) => (typeof id === "string" ? [{ id: comparable(id), object }] : [])),
    ),
  );
  const byId = Map.groupBy(pairs, ({ id }) => id);
  return new Map([...byId].map(([id, all]) => [id, [...new Set(all.map(({ object }) => object))]]));
}
