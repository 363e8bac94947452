import type { Shown } from "../../report/report.ts";
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
      return value.cut ? `${value.text}… (${value.cut} characters)` : value.text;
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
  const made = element("code", undefined, value.kind === "value" ? "" : "absent");
  const letters = [...valueText(value)];
  const { start, end } = common ?? { start: letters.length, end: 0 };
  const part = (from: number, to?: number) => letters.slice(from, to).join("");
  made.append(part(0, start));
  if (start < letters.length - end) made.append(element("mark", part(start, letters.length - end)));
  if (common) made.append(part(letters.length - end));
  return made;
}

/** Returns the elements of the values before and after a change. */
export function valueElements(before: Shown, after: Shown): readonly [HTMLElement, HTMLElement] {
  const common = commonLetters(before, after);
  return [valueElement(before, common), valueElement(after, common)];
}
