import type { InnerDifference, InnerPart } from "../model/inner-difference.ts";
import { distinct } from "../model/text-difference.ts";
import type { ReportInner, Shown } from "./report.ts";
import { show, type ValueOptions, visible } from "./value.ts";

/** Maximum number of parts of one difference in a report. */
const most = 100;

/** Converts the differences inside of a value for the report. */
export function reportInner({ formats, parts }: InnerDifference, values: ValueOptions): ReportInner {
  const omitted = parts.slice(most).filter(({ effect }) => effect !== "kept").length;
  return { formats: [...formats], parts: parts.slice(0, most).map((part) => partOf(part, values)), omitted };
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
export function distinctValues(before: Shown, after: Shown): readonly [Shown, Shown] {
  if (before.kind !== "value" || after.kind !== "value") return [before, after];
  const [one, other] = distinct(before.text, after.text);
  return one === before.text
    ? [before, after]
    : [
        { ...before, text: one },
        { ...after, text: other },
      ];
}
