import { covers, parseRange } from "../../provider/core/ip-address.ts";
import { isSecret, reveal, UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { verbInputs } from "../../provider/definition/check.ts";
import type { FieldMeaning } from "../../provider/definition/field.ts";
import type { Opening } from "../../provider/definition/resource.ts";
import { dataLoss } from "../../provider/engine/engine.ts";
import { type Change, kindOfChange } from "../model/change.ts";
import { type Difference, differencesOf } from "../model/difference.ts";

/** Facts of definitions about one planned change. */

/** Returns the loss of data that deleting the object causes, as a sentence; undefined if it holds none. */
export const lossOf = ({ resource, before }: Change): string | undefined =>
  resource === undefined || before === undefined
    ? undefined
    : dataLoss(resource, { id: "", task: undefined, values: before, unread: [] });

/** Returns the differences in fields of this meaning, with the values before and after. */
export const withMeaning = (change: Change, meaning: FieldMeaning): readonly Difference[] =>
  differencesOf(change).filter(({ field }) => field?.kind === "field" && field.options.meaning === meaning);

/** Returns the traffic that the object lets through; empty for values that are unknown, or that nothing opens. */
export function openingsIn({ resource }: Change, values: Values | undefined): readonly Opening[] {
  if (resource?.opens === undefined || values === undefined) return [];
  const known = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== UNKNOWN));
  return resource.opens(verbInputs(known) as never);
}

/** Returns the openings after the change that none of those before covers. */
export function newOpenings(change: Change): readonly Opening[] {
  const before = openingsIn(change, change.before);
  return openingsIn(change, change.after).filter((after) => !before.some((old) => isWithin(after, old)));
}

/** Returns true if the second opening lets everything through that the first one does. */
export const isWithin = (inner: Opening, outer: Opening): boolean =>
  inner.direction === outer.direction &&
  (outer.protocol === "all" || outer.protocol === inner.protocol) &&
  outer.firstPort <= inner.firstPort &&
  inner.lastPort <= outer.lastPort &&
  covers(outer.range, inner.range);

/** Returns true for a range of every address. */
export const isAnywhere = ({ range }: Opening): boolean => parseRange(range)?.prefix === 0;

/** Returns the kind of an object and its name, as in `volume "data"`; without one, that in the configuration. */
export const called = (change: Change): string =>
  `${kindOfChange(change).replaceAll("-", " ")} ${JSON.stringify(change.name ?? logicalName(change))}`;

/** Returns the name of an object in its configuration or program. */
const logicalName = ({ engine, address }: Change): string =>
  engine === "pulumi"
    ? (address.split("::").at(-1) ?? address)
    : (/[^.]+$/.exec(address.replace(/ \(deposed.*$/, ""))?.[0] ?? address);

/** Returns the names of objects, the first few of many. */
export function listed(changes: readonly Change[], most = 5): string {
  const names = changes.slice(0, most).map(called);
  const rest = changes.length - names.length;
  return rest > 0 ? `${names.join(", ")} and ${rest} more` : names.join(", ");
}

/** Returns a value that is true or false; undefined for any other, unknown or sensitive one. */
export const flagOf = (value: Value): boolean | undefined => {
  const plain = isSecret(value) ? reveal(value) : value;
  return typeof plain === "boolean" ? plain : undefined;
};

/** Returns a number with its noun, in the plural where it is not one. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;

/** Returns a text with a capital letter at its start, as the first word of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
