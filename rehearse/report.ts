import type { Rehearsal, RehearsedObject } from "./rehearsal.ts";

/** Returns the report of a rehearsal for a terminal. */
export function textOf(rehearsal: Rehearsal): string {
  const { isComplete, errors, order, objects, absent, secondPlan = [], assumed, differences } = rehearsal;
  const verdict = !isComplete
    ? "The change fails."
    : secondPlan.length > 0
      ? "The change applies, but a second plan would change something."
      : "The change applies, and a second plan is empty.";
  const changed = objects.filter((object) => object.class !== "untouched" || object.isInterrupted);
  const untouched = objects.length - changed.length;
  return [
    `${verdict} Rehearsed with ${rehearsal.engine}; the network of programs is not confined.`,
    ...section(
      "Errors",
      errors.map(({ address, text }) => (address ? `${address}: ${text}` : text)),
    ),
    ...section(
      "Steps, in the order in which they ended",
      order.map(({ address, action, result }, index) => `${index + 1}. ${address}: ${action} ${result}`),
    ),
    ...section(`Objects; ${untouched} untouched`, changed.map(lineOf)),
    ...section("Absent meanwhile", absent),
    ...section("Would change in a second plan", secondPlan),
    ...section("Different from the given plan", differences),
    ...section("Assumed, since no state has it", assumed),
    "",
  ].join("\n");
}

const lineOf = ({ address, class: effect, isInterrupted }: RehearsedObject): string =>
  `${address}: ${effect}${isInterrupted ? ", interrupted" : ""}`;

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : ["", `${title}:`, ...lines.map((line) => `  ${line.replaceAll("\n", "\n  ")}`)];
}
