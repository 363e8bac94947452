import { equal, hasUnknown, type Value, type Values } from "../../provider/core/value.ts";
import { attribute } from "../../provider/core/wording.ts";
import type { FieldOptions, Leaf } from "../../provider/definition/field.ts";
import { type Change, creates } from "../model/change.ts";
import { called, joined, type Sentence, say, word } from "../model/sentence.ts";
import { isOfNewObject, isUnreadable, referredBy, whyUnreadable } from "./fact.ts";
import { changeRule, type Rule, type RuleContext } from "./rule.ts";

/** Rule about data that is discarded later, without another apply. */

/** Field whose change discards data, with the reason as a clause. */
interface Discarding {
  readonly name: string;
  readonly isHidden: boolean;
  readonly reason: Sentence;
}

/** Returns the fields through which the API discards data that it keeps before the change. */
function discardingsIn(change: Change, context: RuleContext): Discarding[] {
  const { resource, before = {}, after = {} } = change;
  const isNew = startsAnew(change);
  const old: Values = isNew ? {} : before;
  return Object.entries(resource?.fields ?? {}).flatMap(([name, field]): Discarding[] => {
    const discards =
      field.kind === "field" ? (field as Leaf<unknown, FieldOptions<unknown>>).options.discards : undefined;
    if (discards === undefined) return [];
    const from: Value = old[name] ?? null;
    const to: Value = after[name] ?? null;
    const isHidden = hasUnknown(from) || hasUnknown(to);
    const isDiscarded = isHidden
      ? hasUnknown(from) || isUnreadable(change, [name], context)
      : !equal(from, to) && discards(from, to, { before: old, after });
    if (!isDiscarded) return [];
    const reason = isHidden
      ? whyUnreadable(change, [name])
      : from === null
        ? say`is ${String(to)}`
        : say`changes from ${String(from)} to ${to === null ? word("none") : String(to)}`;
    return [{ name, isHidden, reason }];
  });
}

const isHiddenSwitch =
  ({ before, after }: Change) =>
  ({ name, isHidden }: Discarding): boolean =>
    isHidden && [before?.[name], after?.[name]].some((value) => typeof value === "boolean");

/** Returns true for an object that has another parent after the change, or is new: what it did before does not count. */
const startsAnew = ({ action, resource, forcedBy }: Change): boolean =>
  action === "create" ||
  (action === "replace" && forcedBy.some(([first]) => resource?.parents?.includes(String(first)) === true));

/** Returns true if the plan creates the object that holds the data, which is then empty. */
function isInNewObject(change: Change, context: RuleContext): boolean {
  const [parent] = change.resource?.parents ?? [];
  if (parent === undefined) return false;
  if (hasUnknown(change.after?.[parent])) return isOfNewObject(change, parent, context.changes);
  const owner = referredBy(change, parent, context);
  return owner !== undefined && creates(owner);
}

export const discardedEarlier: Rule = changeRule(
  {
    id: "DATA-12",
    title: "Objects are discarded earlier",
    severity: "high",
    confidence: "proven",
    about:
      "A lifecycle rule newly deletes objects or versions of a bucket that exists, deletes them after fewer days, or keeps fewer versions. The API deletes them later, without another apply, and they cannot be restored.",
    remedy: "Copy what must be kept to another bucket first, or keep the age and the number of versions.",
  },
  (change, context) => {
    if (change.action !== "update" && !creates(change)) return undefined;
    const found = discardingsIn(change, context);
    const [first] = found;
    if (first === undefined || isInNewObject(change, context)) return undefined;
    // A rule whose switch cannot be read may be off.
    const isHidden = found.every((one) => one.isHidden) || found.some(isHiddenSwitch(change));
    return {
      path: [first.name],
      ...(isHidden ? { confidence: "likely" as const } : {}),
      text: say`${called(change)} ${word(isHidden ? "may discard" : "discards")} objects that are kept now: ${joined(
        found.map(({ name, reason }) => say`${attribute(name)} ${reason}`),
        ", ",
      )}.`,
    };
  },
);
