import { isRecord, type Value } from "../../provider/core/value.ts";
import { type InnerDifference, type InnerPart, innerDifference } from "../model/inner-difference.ts";
import { distinct } from "../model/text-difference.ts";
import type { ReportInner, Shown } from "./report.ts";
import { show, type ValueOptions, visible } from "./value.ts";

/** Settings of two sides of a value. */
interface SideOptions extends ValueOptions {
  /** True if the object, and so the value before, does not exist yet. */
  readonly isNew: boolean;
  /** True if the order of the items has no meaning. */
  readonly isUnordered: boolean;
}

/** Value before and after a change in a report. */
interface Sides {
  readonly before: Shown;
  readonly after: Shown;
  readonly inner?: ReportInner;
}

/** Returns both sides of a value for the report, with the differences inside of it if these tell more. */
export function shownSides(before: Value, after: Value, options: SideOptions): Sides {
  const sides = distinctValues(show(before, options), show(after, options));
  const [one, other] = sides;
  const isWhole = before === null || after === null;
  const isLong = sides.some((side) => side.kind === "value" && side.cut !== undefined);
  const isList = !options.isNew && (Array.isArray(before) || Array.isArray(after));
  const inner = isWhole && !isLong && !isList ? undefined : innerDifference(before, after, options);
  if (inner?.isSecret) return { before: hidden, after: hidden, inner: reportInner(inner, options) };
  return inner === undefined || (!options.isUnordered && areShort(before, after, sides))
    ? { before: one, after: other }
    : { before: one, after: other, inner: reportInner(inner, options) };
}

const hidden: Shown = { kind: "sensitive" };

/** Maximum length of two lists of one item each that are shown as they are. */
const shortest = 80;

/** Returns true for two ordered lists of at most one item that fit one line and hold no objects. */
const areShort = (before: Value, after: Value, texts: readonly Shown[]): boolean =>
  [before ?? [], after ?? []].every(
    (value) => Array.isArray(value) && value.length < 2 && !value.some(isRecord),
  ) && texts.every((shown) => shown.kind !== "value" || shown.text.length <= shortest);

/** Maximum number of parts of one difference in a report, and their number if the report has no room for more. */
const [most, least] = [100, 3];

function reportInner({ formats, parts }: InnerDifference, values: ValueOptions): ReportInner {
  const shown = parts.slice(0, Math.min(most, Math.max(least, values.room.parts)));
  values.room.parts -= shown.length;
  const omitted = parts.slice(shown.length).filter(({ effect }) => effect !== "kept").length;
  return { formats: [...formats], parts: shown.map((part) => partOf(part, values)), omitted };
}

function partOf(part: InnerPart, values: ValueOptions): ReportInner["parts"][number] {
  return { effect: part.effect, at: visible(part.at), ...sidesOf(part, values) };
}

function sidesOf(part: InnerPart, values: ValueOptions): { before?: Shown; after?: Shown } {
  if ("texts" in part) {
    const { before, after } = part.texts;
    return {
      ...(before === undefined ? {} : { before: { kind: "value", text: visible(before) } }),
      ...(after === undefined ? {} : { after: { kind: "value", text: visible(after) } }),
    };
  }
  if (part.effect === "removed") return { before: show(part.before, values) };
  if (part.effect !== "changed") return { after: show(part.after, values) };
  const [before, after] = distinctValues(show(part.before, values), show(part.after, values));
  return { before, after };
}

/** Returns two different values so that they look different. */
function distinctValues(before: Shown, after: Shown): readonly [Shown, Shown] {
  if (before.kind !== "value" || after.kind !== "value") return [before, after];
  const [one, other] = distinct(before.text, after.text);
  return one === before.text
    ? [before, after]
    : [
        { ...before, text: one },
        { ...after, text: other },
      ];
}
