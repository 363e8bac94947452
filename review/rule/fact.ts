import { covers } from "../../provider/core/ip-address.ts";
import { memoize } from "../../provider/core/memoize.ts";
import { camelCase } from "../../provider/core/name.ts";
import {
  at,
  hasUnknown,
  isSecret,
  type Path,
  reveal,
  type Value,
  type Values,
} from "../../provider/core/value.ts";
import {
  type FieldMeaning,
  type FieldOptions,
  type Fields,
  isSetByApi,
  type Leaf,
} from "../../provider/definition/field.ts";
import type { Opening, Resource } from "../../provider/definition/resource.ts";
import { memberOf } from "../../provider/definition/shape.ts";
import { verbInputs } from "../../provider/definition/verb-inputs.ts";
import { dataLoss } from "../../provider/engine/engine.ts";
import { withoutIndices } from "../model/address.ts";
import { type Change, creates, type Origin } from "../model/change.ts";
import { type Difference, differencesOf } from "../model/difference.ts";
import { called, joined, type Sentence, say, word } from "../model/sentence.ts";
import { uncomparedIn } from "../model/uncompared.ts";
import type { Confidence, RuleContext } from "./rule.ts";

/** Derives facts about a planned change from the definition of its resource. */

const lossIn = (resource: Resource, values: Values): string | undefined =>
  dataLoss(resource, { id: "", task: undefined, values, unread: [] });

/** Returns a sentence on the data that a delete of the object destroys; undefined if there is none. */
export const lossOf = ({ resource, before }: Change): string | undefined =>
  resource === undefined || before === undefined ? undefined : lossIn(resource, before);

/** Returns true if the data that a delete destroys depends on a value that cannot be read; it counts as destroyed. */
export function isLossUnread({ resource, before }: Change): boolean {
  const { holdsData } = resource ?? {};
  if (typeof holdsData !== "object" || before === undefined) return false;
  let isUnread = false;
  const observer = new Proxy(before, {
    get(target, name) {
      if (typeof name === "string") isUnread ||= hasUnknown(target[name]);
      return Reflect.get(target, name) ?? undefined;
    },
  });
  holdsData.when(observer as never);
  return isUnread;
}

/** Returns the data that a delete after the change destroys; unknown values count as unset. */
export const laterLossOf = ({ resource, after }: Change): string | undefined =>
  resource === undefined || after === undefined ? undefined : lossIn(resource, knownIn(after));

const knownIn = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !hasUnknown(value)));

/**
 * Returns true for a planned value that no rule can read, so that it counts as the worst one. An id or a computed value of an
 * object that the same plan creates is no such value: it is judged by that object.
 */
export const isUnreadable = (
  change: Change,
  path: Path,
  { changes }: Pick<RuleContext, "changes">,
): boolean => hasUnknown(at(change.after, path)) && !isOfNewObject(change, String(path[0]), changes);

/** Returns true if every reference of an attribute leads to an id or a computed value of an object that the plan creates. */
export function isOfNewObject(change: Change, attribute: string, changes: readonly Change[]): boolean {
  const origins = change.originsOf?.(attribute) ?? [];
  const known = byAddress(changes);
  return (
    origins.length > 0 &&
    origins.every((origin) => {
      const targets = known.get(`${change.plan} ${origin.address}`) ?? [];
      return targets.length > 0 && targets.every((target) => creates(target) && isComputed(target, origin));
    })
  );
}

/** Returns true for an id or a computed value of one of this provider's objects; Pulumi shows no attribute. */
function isComputed({ engine, resource }: Change, { attribute }: Origin): boolean {
  if (resource === undefined) return false;
  if (attribute === undefined) return engine === "pulumi";
  const field = resource.fields[camelCase(attribute)];
  return attribute === "id" || (field !== undefined && field.kind !== "group" && isSetByApi(field));
}

/**
 * Returns true if the engine decides again during the apply whether it replaces the object: Pulumi replaces it in a preview
 * because of values that it does not know yet, and updates it if they turn out to be the old ones. Terraform replaces it anyway.
 */
export function mayStay(change: Change, context: Pick<RuleContext, "changes">): boolean {
  const { engine, action, forcedBy } = change;
  return (
    engine === "pulumi" &&
    action === "replace" &&
    forcedBy.length > 0 &&
    forcedBy.every((path) => isUnreadable(change, path, context) && !isKnownToEngine(change, path))
  );
}

/** Returns true for a masked value without references, which the engine knows when it plans. */
function isKnownToEngine(change: Change, path: Path): boolean {
  const read = change.asRead?.after?.[String(path[0])] ?? null;
  return isMasked(read) && change.originsOf?.(String(path[0]))?.length === 0;
}

/** Returns true for a value that the engine masks, and not for one that is unknown and sensitive. */
const isMasked = (read: Value): boolean => isSecret(read) && !hasUnknown(reveal(read));

/** Returns the confidence of a finding about an object that is deleted or replaced, if it is not that of the rule. */
export const ifReplaced = (
  change: Change,
  context: Pick<RuleContext, "changes">,
): { readonly confidence?: "likely" } => (mayStay(change, context) ? { confidence: "likely" } : {});

/** Returns the verb of a sentence about an object that is deleted or replaced. */
export const fateOf = (change: Change, context: Pick<RuleContext, "changes">): Sentence =>
  word(
    change.action !== "replace" ? "is deleted" : mayStay(change, context) ? "may be replaced" : "is replaced",
  );

/** Objects by plan, kind and id: objects of two kinds may have one id, such as a bucket and its policy. */
const byId = memoize(
  (changes: readonly Change[]): ReadonlyMap<string, Change> =>
    new Map(
      changes.flatMap((change) =>
        change.id === undefined ? [] : [[`${change.plan} ${change.resource?.name} ${change.id}`, change]],
      ),
    ),
);

/** Returns the object of the plan that contains this one, such as the bucket of an object; undefined if no plan shows it. */
export function parentOf(change: Change, context: Pick<RuleContext, "changes">): Change | undefined {
  const name = change.resource?.parents?.[0];
  return name === undefined ? undefined : referredBy(change, name, context);
}

/**
 * Returns the object of the plan to which a field refers, by the values after the change if there are some; undefined if no plan
 * shows it.
 */
export function referredBy(
  { plan, resource, before, after, dependsOn }: Change,
  name: string,
  { changes }: Pick<RuleContext, "changes">,
  values: Values | undefined = after ?? before,
): Change | undefined {
  const field = resource?.fields[name];
  const kind = field?.kind === "field" ? field.options.references : undefined;
  const owner = byId(changes).get(`${plan} ${kind} ${String(values?.[name] ?? "")}`);
  if (owner !== undefined) return owner;
  const targets = dependsOn
    .flatMap((address) => byAddress(changes).get(`${plan} ${address}`) ?? [])
    .filter((target) => target.resource?.name === kind);
  return targets.length === 1 ? targets[0] : undefined;
}

const byAddress = memoize(
  (changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> =>
    Map.groupBy(changes, ({ plan, address }) => `${plan} ${withoutIndices(address)}`),
);

/** Returns the reason why a planned value cannot be read, as a clause about it. */
export const whyUnreadable = ({ asRead }: Change, path: Path): Sentence =>
  word(
    asRead !== undefined && uncomparedIn(asRead).includes(String(path[0]))
      ? "is not shown by the API"
      : isSecret(at(asRead?.after, path))
        ? "is hidden in the plan"
        : "is known only after the apply",
  );

/**
 * Returns the confidence that a changed flag is on after the change, or off; undefined if the plan shows that it is not. A flag
 * that cannot be read counts as the worse one.
 */
export function confidenceOfFlag(
  change: Change,
  { path, after }: Difference,
  isOn: boolean,
  context: Pick<RuleContext, "changes">,
): Confidence | undefined {
  if (hasUnknown(after)) return isUnreadable(change, path, context) ? "likely" : undefined;
  return (flagOf(after) === true) === isOn ? "proven" : undefined;
}

/** Changed field with its whole values; for a map, the values include all entries. */
export interface FieldChange {
  readonly path: Path;
  readonly field: Leaf<unknown, FieldOptions<unknown>>;
  readonly before: Value;
  readonly after: Value;
}

/** Returns a function that caches a fact of each definition. */
function factOf<T>(compute: (resource: Resource) => T): (resource: Resource) => T {
  const known = new Map<Resource, T>();
  return (resource) => {
    const found = known.get(resource) ?? compute(resource);
    known.set(resource, found);
    return found;
  };
}

/** Options of the fields that the user sets, at any depth. */
const optionsOf = factOf(({ fields }) => optionsIn(fields));

const optionsIn = (fields: Fields): FieldOptions<unknown>[] =>
  Object.values(fields).flatMap((field) =>
    field.kind === "group" ? optionsIn(field.fields) : field.kind === "field" ? [field.options] : [],
  );

const meaningsOf = factOf((resource) => new Set(optionsOf(resource).map(({ meaning }) => meaning)));

/** Returns true if a field of the definition has this meaning, at any depth. */
export const hasMeaning = (resource: Resource | undefined, meaning: FieldMeaning): boolean =>
  resource !== undefined && meaningsOf(resource).has(meaning);

/** Returns the differences in fields of this meaning, with the values before and after. */
export const withMeaning = (change: Change, meaning: FieldMeaning): readonly Difference[] =>
  hasMeaning(change.resource, meaning)
    ? differencesOf(change).filter(
        ({ field }) => field?.kind === "field" && field.options.meaning === meaning,
      )
    : [];

const namesByMeaning = factOf(({ fields }) =>
  Map.groupBy(Object.keys(fields), (name) => {
    const field = fields[name];
    return field?.kind === "field" ? field.options.meaning : undefined;
  }),
);

/** Returns the names of the fields of an object with this meaning, at the top level. */
export const namesWithMeaning = ({ resource }: Change, meaning: FieldMeaning): readonly string[] =>
  resource === undefined ? [] : (namesByMeaning(resource).get(meaning) ?? []);

/**
 * Returns true if a flag with this meaning was set before the change, or may have been. A delete uses that value.
 */
export const wasSet = (change: Change, meaning: FieldMeaning): boolean =>
  mayBeSet(change, change.before, meaning);

const mayBeSet = (change: Change, values: Values | undefined, meaning: FieldMeaning): boolean =>
  namesWithMeaning(change, meaning).some(
    (name) => hasUnknown(values?.[name]) || flagOf(values?.[name] ?? null) === true,
  );

/** Returns true if a flag with this meaning before the change cannot be read. */
export const isSetUnread = (change: Change, meaning: FieldMeaning): boolean =>
  namesWithMeaning(change, meaning).some((name) => hasUnknown(change.before?.[name]));

/** Returns true if a flag with this meaning is set before and after the change. */
export const staysSet = (change: Change, meaning: FieldMeaning): boolean =>
  namesWithMeaning(change, meaning).some((name) =>
    [change.before, change.after].every((values) => flagOf(values?.[name] ?? null) === true),
  );

/** Returns true if a flag with this meaning is set after the change, or may be. */
export const willBeSet = (change: Change, meaning: FieldMeaning): boolean =>
  mayBeSet(change, change.after, meaning);

const effectsOf = factOf((resource) => new Set(optionsOf(resource).flatMap(Object.keys)));

/** Returns the changed fields whose definition states this effect of a change, each once. */
export function changesWith(change: Change, effect: "destroysData" | "interrupts"): readonly FieldChange[] {
  if (change.resource === undefined || !effectsOf(change.resource).has(effect)) return [];
  const found = new Map<string, FieldChange>();
  for (const { path, isEntry, field } of differencesOf(change)) {
    if (field?.kind !== "field" || field.options[effect] === undefined) continue;
    const fieldPath = isEntry ? path.slice(0, -1) : path;
    const key = fieldPath.join("\0");
    if (found.has(key)) continue;
    const before = at(change.before, fieldPath) ?? null;
    const after = at(change.after, fieldPath) ?? null;
    found.set(key, { path: fieldPath, field, before, after });
  }
  return [...found.values()];
}

/** Returns false for a machine that is stopped before and after the change; undefined if a value cannot be read. */
export function runs({ before, after }: Change): boolean | undefined {
  const states = [before, after ?? before].map((values): Value => values?.powerState ?? null);
  if (states.some((state) => state !== "stopped" && !hasUnknown(state))) return true;
  return states.some(hasUnknown) ? undefined : false;
}

/**
 * Returns true for an attribute that no configuration sets, so that the API chooses its value: a default, or what another
 * attribute implies.
 */
export function isLeftToApi(change: Change, name: string): boolean {
  const field = change.resource?.fields[name];
  const isOptional = field !== undefined && field.kind !== "group" && isSetByApi(field);
  // Only a configured value is masked.
  if (!isOptional || isMasked(change.asRead?.after?.[name] ?? null)) return false;
  return change.originsOf === undefined || change.originsOf(name)?.length === 0;
}

/** Traffic that an object allows. */
export interface Openings {
  readonly openings: readonly Opening[];
  /** Fields with values that cannot be read: unknown ones, and required ones that the input lacks. These count as unset. */
  readonly unread: readonly string[];
}

const closed: Openings = { openings: [], unread: [] };

/** Returns the traffic that the object allows with these values; empty for objects that open nothing. */
export function openingsOf({ resource }: Change, values: Values | undefined): Openings {
  if (resource?.opens === undefined || values === undefined) return closed;
  const unread = new Set<string>();
  const known: Values = verbInputs(knownIn(values));
  const observer = new Proxy(known, {
    get(target, name) {
      if (typeof name === "string" && isUnread(resource, name, values[name] ?? null)) unread.add(name);
      return Reflect.get(target, name);
    },
  });
  const openings = resource.opens(observer as never);
  return { openings, unread: [...unread] };
}

const isUnread = ({ fields }: Resource, name: string, value: Value): boolean => {
  const field = fields[name];
  return hasUnknown(value) || (value === null && field !== undefined && memberOf(field).required);
};

/** Returns true if a value of the object is sensitive: a text must not show anything derived from it. */
export const hasSensitive = ({ asRead }: Change): boolean =>
  [asRead?.before, asRead?.after].some((values) => Object.values(values ?? {}).some(isSecret));

/** Returns the traffic that the object certainly allows with these values. */
export function openingsIn(change: Change, values: Values | undefined): readonly Opening[] {
  const { openings, unread } = openingsOf(change, values);
  return unread.length === 0 ? openings : [];
}

/** Returns the openings after the change that no opening before it covers. */
export function newOpenings(change: Change): readonly Opening[] {
  const before = openingsIn(change, change.before);
  return openingsIn(change, change.after).filter((after) => !before.some((old) => isWithin(after, old)));
}

/** Returns true if the outer opening allows all traffic of the inner one. */
export const isWithin = (inner: Opening, outer: Opening): boolean =>
  inner.direction === outer.direction &&
  (outer.protocol === "all" || outer.protocol === inner.protocol) &&
  outer.firstPort <= inner.firstPort &&
  inner.lastPort <= outer.lastPort &&
  covers(outer.range, inner.range);

/** Returns the names of up to `most` objects, and the number of the others. */
export function listed(changes: readonly Change[], most = 5): Sentence {
  const names = joined(changes.slice(0, most).map(called), ", ");
  return changes.length > most ? say`${names} and ${changes.length - most} more` : names;
}

/** Returns a boolean value, also a sensitive one; undefined for any other value. */
export const flagOf = (value: Value): boolean | undefined => {
  const plain = isSecret(value) ? reveal(value) : value;
  return typeof plain === "boolean" ? plain : undefined;
};

/** Returns a number with its noun, in the plural unless the number is 1. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;
