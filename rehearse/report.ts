import { productOf } from "../review/model/change.ts";
import type { Rehearsal, RehearsedObject } from "../review/model/rehearsal.ts";
import { visible } from "../review/report/value.ts";

/** Returns the report of a rehearsal for a terminal. */
export function textOf(rehearsal: Rehearsal): string {
  const { engine, isComplete, errors, steps, objects, absent, secondPlan = [] } = rehearsal;
  const { longestPath: path, assumed, unknown, differences, unconfined, drill } = rehearsal;
  const verdict = !isComplete
    ? "The change fails."
    : secondPlan.length > 0
      ? "The change applies, but a second plan would change something."
      : "The change applies, and a second plan is empty.";
  const changed = objects.filter((object) => object.class !== "untouched" || object.isInterrupted);
  const untouched = objects.length - changed.length;
  return linesOf([
    `${verdict} Rehearsed with ${productOf[engine.name]} ${engine.version}${unconfined ? `; ${unconfined}` : ""}.`,
    ...section(
      "Errors",
      errors.map(({ address, text }) => (address ? `${address}: ${text}` : text)),
    ),
    ...section(
      "Steps, in the order in which they ended",
      steps.map(({ address, action, result }, index) => `${index + 1}. ${address}: ${action} ${result}`),
    ),
    ...section(`Longest path${durationOf(rehearsal)}`, new Set(path).size > 1 ? [path.join(" → ")] : []),
    ...section(`Objects; ${untouched} untouched`, changed.map(lineOf)),
    ...section("Absent meanwhile", absent),
    ...section("Would change in a second plan", secondPlan),
    ...section("Different from the given plan", differences),
    ...section("Assumed, since no state has it", assumed),
    ...section("Not known to the emulator", unknown),
    ...section(
      `Drill with the seed ${drill?.seed}: ${drill?.runs.length} requests failed once`,
      drillLines(drill),
    ),
  ]);
}

/** Returns lines for a terminal, with invisible characters escaped. */
export const linesOf = (lines: readonly string[]): string =>
  [...lines, ""]
    .flatMap((line) => line.split("\n"))
    .map(visible)
    .join("\n");

/** Returns the duration of the longest path; nothing if a step has no measured time. */
function durationOf({ steps, longestPath }: Rehearsal): string {
  const rest = steps.toSorted((one, other) => (other.seconds ?? 0) - (one.seconds ?? 0));
  let total = 0;
  for (const address of longestPath) {
    const index = rest.findIndex((step) => step.address === address);
    const seconds = rest.splice(index, 1)[0]?.seconds;
    if (seconds === undefined) return "";
    total += seconds;
  }
  return `, about ${total < 120 ? `${Math.ceil(total)} s` : `${Math.ceil(total / 60)} min`}`;
}

function drillLines(drill: Rehearsal["drill"]): string[] {
  if (drill === undefined) return [];
  const problems = drill.runs.flatMap(({ request, fault, problem }) =>
    problem === undefined ? [] : [`${request}, ${fault}: ${problem}`],
  );
  return problems.length > 0 ? problems : ["the next run converged each time, without a loss"];
}

const lineOf = ({ address, class: effect, isInterrupted, assumptions }: RehearsedObject): string =>
  [
    `${address}: ${effect}`,
    ...(isInterrupted ? ["interrupted"] : []),
    ...(assumptions.length > 0 ? [`assumes ${assumptions.join(", ")}`] : []),
  ].join(", ");

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : ["", `${title}:`, ...lines.map((line) => `  ${line.replaceAll("\n", "\n  ")}`)];
}
