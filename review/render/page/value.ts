import type { ReportInner, Shown } from "../../report/report.ts";
import { element } from "./element.ts";

/** Values of a difference as elements. */

export function valueText(value: Shown): string {
  switch (value.kind) {
    case "none":
      return "(none)";
    case "unknown":
      return "(known after apply)";
    case "sensitive":
      return value.mark ? `(sensitive ${value.mark})` : "(sensitive)";
    case "value":
      return value.cut
        ? `${value.text}… (${value.cut} characters${value.sha256 ? `, SHA-256 ${value.sha256.slice(0, 12)}…` : ""})`
        : value.text;
  }
}

/** Numbers of letters that two values have in common at the start and at the end. */
interface Common {
  readonly start: number;
  readonly end: number;
}

function commonLetters(before: Shown, after: Shown): Common | undefined {
  if (before.kind !== "value" || after.kind !== "value") return undefined;
  const [left, right] = [[...valueText(before)], [...valueText(after)]];
  const most = Math.min(left.length, right.length);
  let [start, end] = [0, 0];
  while (start < most && left[start] === right[start]) start++;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  return start + end > 0 ? { start, end } : undefined;
}

/** Returns an element with a value, in which the letters are highlighted that are not common. */
function valueElement(value: Shown, common: Common | undefined): HTMLElement {
  const code = element("code", undefined, value.kind === "value" ? "" : "absent");
  const letters = [...valueText(value)];
  const { start, end } = common ?? { start: letters.length, end: 0 };
  const part = (from: number, to?: number) => letters.slice(from, to).join("");
  code.append(part(0, start));
  if (start < letters.length - end) code.append(element("mark", part(start, letters.length - end)));
  if (common) code.append(part(letters.length - end));
  return code;
}

/** Returns the elements of the values before and after a change. */
export function valueElements(before: Shown, after: Shown): readonly [HTMLElement, HTMLElement] {
  const common = commonLetters(before, after);
  return [valueElement(before, common), valueElement(after, common)];
}

const signs = { removed: "− ", added: "+ ", changed: "~ ", moved: "moved ", kept: "  " } as const;

/** Returns the elements of the differences inside of a value, one for each part. */
export function innerElements({ parts, omitted }: ReportInner): HTMLElement[] {
  const lines = parts.map(({ effect, at, before, after }) => {
    const values = [before, after].flatMap((value) => (value ? [valueText(value)] : []));
    return element("code", `${signs[effect]}${at && `${at}: `}${values.join(" → ")}`, `part ${effect}`);
  });
  return omitted > 0 ? [...lines, element("span", `${omitted} more`, "soft")] : lines;
}
