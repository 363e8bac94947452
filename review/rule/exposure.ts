import { memoize } from "../../provider/core/memoize.ts";
import { hasUnknown, type Value, type Values } from "../../provider/core/value.ts";
import type { Opening } from "../../provider/definition/resource.ts";
import { withoutIndices } from "../model/address.ts";
import { type Change, creates, isEffective } from "../model/change.ts";
import { assertedAfter } from "../model/decided.ts";
import { onlyRecords, uncomparedIn } from "../model/uncompared.ts";
import { isUnreadable, isWithin, type Openings, openingsIn, openingsOf } from "./fact.ts";
import {
  bitsOf,
  manyShare,
  mostShare,
  type Spans,
  shareOf,
  spansOf,
  union,
  without,
} from "./public-share.ts";
import type { RuleContext } from "./rule.ts";

/** Finds ports that become reachable from outside, over all rules of each security group. */

/** Ports that a change opens and that were closed before. */
export interface Exposure {
  readonly change: Change;
  readonly protocol: string;
  readonly firstPort: number;
  readonly lastPort: number;
  /** Range of addresses that reaches the ports, as a text. */
  readonly range: string;
  /** True if at least half of all public addresses newly reach the ports, false if at least a sixteenth does. */
  readonly isWhole: boolean;
  /** Fields of the change whose values cannot be read, so that they count as the most open ones. */
  readonly unread: readonly string[];
}

/** Rules of one group, before and after all changes. */
interface Group {
  readonly before: Opening[];
  readonly after: {
    readonly change: Change;
    readonly opening: Opening;
    readonly unread: readonly string[];
  }[];
}

const known = new WeakMap<readonly Change[], readonly Exposure[]>();

/** Returns the ports that the changes open; computed once. */
export function exposuresOf({ changes }: RuleContext): readonly Exposure[] {
  const found = known.get(changes) ?? [...exposures(groupsOf(changes))];
  known.set(changes, found);
  return found;
}

/** Returns true for incoming traffic to members of a group. NET-09 covers the services that an object itself exposes. */
const isIngress = ({ direction, service }: Opening): boolean =>
  direction === "ingress" && service === undefined;

function groupsOf(changes: readonly Change[]): Map<string, Group> {
  const rules = changes.filter(({ resource }) => resource?.opens !== undefined);
  const groups = new Map<string, Group>();
  if (rules.length === 0) return groups;
  const keyOf = groupKeys(changes);
  const groupOf = (key: string): Group => {
    const group = groups.get(key) ?? { before: [], after: [] };
    groups.set(key, group);
    return group;
  };
  for (const change of rules) {
    const { isHiddenBefore, hidden } = hiddenGroups(change, changes);
    const before = openingsIn(change, change.before).filter(isIngress);
    if (before.length > 0 && !isHiddenBefore) groupOf(keyOf(change, change.before)).before.push(...before);
    const { openings, unread: ports } = assertedOpenings(change);
    const unread = [...ports, ...hidden];
    // Only a change opens what cannot be read.
    if (unread.length > 0 && !isEffective(change)) continue;
    for (const opening of openings)
      if (isIngress(opening)) groupOf(keyOf(change, change.after)).after.push({ change, opening, unread });
  }
  return groups;
}

/**
 * Returns the traffic that a rule allows after a change. The import of a rule whose content the API does not show opens nothing, but
 * later plans count the content that it records as allowed before: this one is judged as an opening, which may be none.
 */
function assertedOpenings(change: Change): Openings {
  const { openings, unread } = openingsOf(change, assertedAfter(change));
  const { asRead = change } = change;
  return { openings, unread: onlyRecords(asRead) ? uncomparedIn(asRead) : unread };
}

/**
 * Returns the groups of a changed rule that cannot be read: it may move from a group that allows nothing else to one whose
 * members must not be reached.
 */
function hiddenGroups(
  change: Change,
  changes: readonly Change[],
): { readonly isHiddenBefore: boolean; readonly hidden: readonly string[] } {
  const name = groupFieldOf(change)?.name;
  if (name === undefined || !isEffective(change)) return { isHiddenBefore: false, hidden: [] };
  return {
    isHiddenBefore: hasUnknown(change.before?.[name] ?? null),
    hidden: isUnreadable(change, [name], { changes }) ? [name] : [],
  };
}

/** Returns the field of a rule that names its group, and the kind of the group. */
export function groupFieldOf({ resource }: Change): { name: string; kind: string | undefined } | undefined {
  const name = resource?.visibility?.shownThrough;
  const field = name === undefined ? undefined : resource?.fields[name];
  if (name === undefined || resource?.opens === undefined) return undefined;
  return { name, kind: field?.kind === "field" ? field.options.references : undefined };
}

/**
 * Returns a function that identifies the group of a rule: by its address or, if the plan does not contain the group, by its id.
 * A rule whose group cannot be found gets a separate group.
 */
export function groupKeys(
  changes: readonly Change[],
): (change: Change, values: Values | undefined) => string {
  const byId = new Map<string, Change>();
  for (const change of changes) if (change.id !== undefined) byId.set(`${change.plan} ${change.id}`, change);
  const byAddress = Map.groupBy(changes, ({ plan, address }) => `${plan} ${withoutIndices(address)}`);
  return (change, values) => {
    const field = groupFieldOf(change);
    const value: Value = field === undefined ? null : (values?.[field.name] ?? null);
    if (field !== undefined && typeof value === "string") {
      const owner = byId.get(`${change.plan} ${value}`);
      return owner === undefined ? `${change.plan} ${value}` : `${change.plan} ${owner.address}`;
    }
    const targets = change.dependsOn.flatMap((address) =>
      (byAddress.get(`${change.plan} ${address}`) ?? []).filter(
        ({ resource }) => field !== undefined && resource?.name === field.kind,
      ),
    );
    const [target] = targets;
    return targets.length === 1 && target !== undefined
      ? `${change.plan} ${target.address}`
      : `${change.plan} ${change.address}`;
  };
}

function* exposures(groups: ReadonlyMap<string, Group>): Generator<Exposure> {
  for (const { before, after } of groups.values()) {
    const openings = after.map(({ opening }) => opening);
    const bounds = boundsOf([...before, ...openings]);
    // A rule that cannot be read counts as the most open one. It is added to those that the plan shows, and hides no part of
    // their sum.
    const certain = after.filter(({ unread }) => unread.length === 0).map(({ opening }) => opening);
    const reachOf = newReach(before, certain);
    // A rule of every protocol, as one whose protocol cannot be read counts, may add to rules of any.
    const reachOfAny = newReach(
      before,
      certain.map((opening) => ({ ...opening, protocol: "all" })),
    );
    for (const { change, opening, unread } of after) {
      if (change.action === "none" || change.action === "read") continue;
      const isExtra = unread.length > 0;
      const reach = isExtra && opening.protocol === "all" ? reachOfAny : reachOf;
      const reached = partsOf(opening, bounds).flatMap((part) => reach(opening, part, isExtra) ?? []);
      for (const { firstPort, lastPort, share, range } of joined(reached))
        yield {
          ...{ change, protocol: opening.protocol, firstPort, lastPort, range, unread },
          isWhole: share >= mostShare,
        };
    }
  }
}

/** Ports that a rule opens together with the others of its group. */
interface Reach {
  readonly firstPort: number;
  readonly lastPort: number;
  /** Share of the public addresses that newly reach the ports. */
  readonly share: number;
  readonly range: string;
}

/**
 * Returns a function that returns what a rule of a group contributes to newly reached ports; undefined if few addresses newly
 * reach them, or if the rule adds nothing to other rules. `isExtra` is true for a rule that is not among those after the change.
 */
function newReach(
  before: readonly Opening[],
  after: readonly Opening[],
): (opening: Opening, part: Opening, isExtra: boolean) => Reach | undefined {
  const known = new Map<string, { readonly fresh: Spans; readonly large: Spans; readonly share: number }>();
  return ({ range }, part, isExtra) => {
    const { protocol, firstPort, lastPort } = part;
    const bits = bitsOf(range);
    const key = `${protocol} ${firstPort} ${bits}`;
    let found = known.get(key);
    if (found === undefined) {
      const ranges = rangesReaching(after, part);
      const fresh = without(spansOf(ranges), spansOf(rangesReaching(before, part)));
      const large = ranges.filter((one) => shareOf(common(one, fresh), bits) >= manyShare);
      found = { fresh, large: spansOf(large), share: shareOf(fresh, bits) };
      known.set(key, found);
    }
    const { large } = found;
    const fresh = isExtra
      ? union(found.fresh, without(spansOf([range]), spansOf(rangesReaching(before, part))))
      : found.fresh;
    const share = isExtra ? shareOf(fresh, bits) : found.share;
    if (share < manyShare) return undefined;
    const added = common(range, fresh);
    const addedShare = shareOf(added, bits);
    // A small range adds nothing to a large one, which is found itself.
    const isFound = addedShare >= manyShare || (addedShare > 0 && without(added, large).length > 0);
    return isFound ? { firstPort, lastPort, share, range: rangeOf(range, share, addedShare) } : undefined;
  };
}

/** Returns the addresses of a range that are among others. */
function common(range: string, others: Spans): Spans {
  const all = spansOf([range]);
  return without(all, without(all, others));
}

/** Returns the ranges that reach these ports, of the same family. */
const rangesReaching = (openings: readonly Opening[], part: Opening): string[] =>
  openings
    .filter((outer) => bitsOf(outer.range) === bitsOf(part.range))
    .filter((outer) => isWithin({ ...part, range: outer.range }, outer))
    .map(({ range }) => range);

/** Returns the text for the addresses that newly reach ports. */
function rangeOf(range: string, share: number, addedShare: number): string {
  if (share >= 0.999_999) return bitsOf(range) === 128 ? "::/0" : "0.0.0.0/0";
  return addedShare === share
    ? range
    : `${range}, and with other rules to ${Math.floor(share * 100)} % of all public addresses`;
}

/** Returns the ports at which rules of a group begin or end: all ports between two of them are treated alike. */
const boundsOf = (openings: readonly Opening[]): readonly number[] =>
  [...new Set(openings.flatMap(({ firstPort, lastPort }) => [firstPort, lastPort + 1]))].toSorted(
    (a, b) => a - b,
  );

/** Splits the ports of an opening at these bounds. */
function partsOf(opening: Opening, bounds: readonly number[]): Opening[] {
  const { firstPort, lastPort } = opening;
  const inside = bounds.filter((port) => port > firstPort && port <= lastPort);
  return [firstPort, ...inside].map((first, index) => ({
    ...opening,
    firstPort: first,
    lastPort: (inside[index] ?? lastPort + 1) - 1,
  }));
}

/** Joins parts with equal reach whose ports follow each other. */
function joined(parts: readonly Reach[]): Reach[] {
  const found: Reach[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (
      last !== undefined &&
      last.lastPort + 1 === part.firstPort &&
      last.share === part.share &&
      last.range === part.range
    )
      found[found.length - 1] = { ...last, lastPort: part.lastPort };
    else found.push(part);
  }
  return found;
}

/** Returns true if many public addresses reach these ports, by one rule or by several combined. */
const isOpenToMany = (openings: readonly Opening[], part: Opening): boolean =>
  shareOf(spansOf(rangesReaching(openings, part)), bitsOf(part.range)) >= manyShare;

/**
 * Returns the traffic that every address can newly send to an object because this change adds the object to security groups.
 */
export function joinedOpenings(change: Change, context: RuleContext): readonly Opening[] {
  if (change.resource?.opens !== undefined || (!creates(change) && change.action !== "update")) return [];
  const groups = rulesById(context.changes);
  if (groups.size === 0) return [];
  const before = new Set(textsOf(change.before));
  const joined = [...new Set(textsOf(change.after))].filter((text) => groups.has(text) && !before.has(text));
  const known = [...before].flatMap((group) => alwaysOpen(group, context));
  return joined
    .flatMap((group) => alwaysOpen(group, context))
    .filter((opening) => !known.some((old) => isWithin(opening, old)));
}

/** Returns the traffic that a group allows from every address, both before and after this plan. */
function alwaysOpen(id: string, { changes }: RuleContext): readonly Opening[] {
  const rules = rulesById(changes).get(id) ?? [];
  const openings = rules.flatMap((rule) => openingsIn(rule, rule.after)).filter(isIngress);
  const before = rules.flatMap((rule) => openingsIn(rule, rule.before)).filter(isIngress);
  return openings.filter((opening) => isOpenToMany(openings, opening) && isOpenToMany(before, opening));
}

/** Returns true if a plan shows the group with this id, or a rule of it, and the content of all its rules that it has. */
export const isShownGroup = (id: string, { changes }: RuleContext): boolean =>
  (rulesById(changes).has(id) || shownIds(changes).has(id)) &&
  (rulesById(changes).get(id) ?? []).every(
    ({ asRead }) => asRead === undefined || !uncomparedIn(asRead).length,
  );

const shownIds = memoize(
  (changes: readonly Change[]): ReadonlySet<string> => new Set(changes.flatMap(({ id }) => id ?? [])),
);

const byGroup = new WeakMap<readonly Change[], ReadonlyMap<string, readonly Change[]>>();

/** Returns the rules of each group whose id is known; computed once. */
function rulesById(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  const found =
    byGroup.get(changes) ?? Map.groupBy(changes.filter(hasGroupId), (change) => groupIdOf(change));
  byGroup.set(changes, found);
  return found;
}

const hasGroupId = (change: Change): boolean => groupIdOf(change) !== "";

function groupIdOf(change: Change): string {
  const field = groupFieldOf(change);
  const value = field === undefined ? null : change.after?.[field.name];
  return typeof value === "string" ? value : "";
}

/** Returns the texts in the lists of an object, such as the groups of an instance. */
function* textsOf(values: Values | undefined): Generator<string> {
  for (const value of Object.values(values ?? {}))
    if (Array.isArray(value)) for (const item of value) if (typeof item === "string") yield item;
}
