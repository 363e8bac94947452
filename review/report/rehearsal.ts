import { outcomeOf, type Rehearsed } from "../model/outcome.ts";
import type { RehearsedObject, RehearsedStep } from "../model/rehearsal.ts";
import type { ReportRehearsal } from "./report.ts";
import { onOneLine } from "./value.ts";

/** Returns a rehearsal as the report has it: the objects in the order of their steps, without the errors, which are findings. */
export function reportRehearsal(
  { plan, rehearsal }: Rehearsed,
  redact: (text: string) => string,
): ReportRehearsal {
  const shown = (text: string): string => onOneLine(redact(text));
  const { engine, unconfined, longestPath, assumed, unknown, absent, secondPlan = [], drill } = rehearsal;
  const objects = objectsIn(rehearsal, new Set(longestPath));
  const relevant = objects.filter(
    ({ class: effect, steps, isInterrupted }) => effect !== "untouched" || steps.length > 0 || isInterrupted,
  );
  return {
    plan,
    engine: engine.name,
    engineVersion: shown(engine.version),
    outcome: outcomeOf(rehearsal),
    ...(unconfined === undefined ? {} : { unconfined: shown(unconfined) }),
    untouched: objects.length - relevant.length,
    objects: relevant.map((object) => ({
      ...object,
      address: shown(object.address),
      ...(object.kind === undefined ? {} : { kind: shown(object.kind) }),
      assumptions: object.assumptions.map(shown),
    })),
    longestPath: longestPath.map(shown),
    absent: absent.map(shown),
    secondPlan: secondPlan.map(shown),
    assumed: assumed.map(shown),
    unknown: unknown.map(shown),
    ...(drill === undefined
      ? {}
      : {
          drill: {
            seed: drill.seed,
            runs: drill.runs.length,
            problems: drill.runs.filter(({ problem }) => problem !== undefined).length,
          },
        }),
  };
}

/** Returns the objects of a rehearsal and of its steps, those without a step last. */
function objectsIn(
  { objects, steps }: Rehearsed["rehearsal"],
  longest: ReadonlySet<string>,
): ReportRehearsal["objects"] {
  const stepsOf = Map.groupBy(steps, ({ address }) => address);
  const known = new Map<string, RehearsedObject>();
  for (const object of objects) known.set(object.address, object);
  const addresses = new Set([...stepsOf.keys(), ...known.keys()]);
  return [...addresses]
    .map((address) => {
      const object = known.get(address);
      return {
        address,
        ...(object === undefined ? {} : { kind: object.kind, class: object.class }),
        isInterrupted: object?.isInterrupted ?? false,
        isOnLongestPath: longest.has(address),
        assumptions: object?.assumptions ?? [],
        steps: (stepsOf.get(address) ?? []).map(stepOf).toSorted((a, b) => a.start - b.start),
      };
    })
    .toSorted((a, b) => startOf(a) - startOf(b));
}

const stepOf = ({ action, result, start, end, seconds }: RehearsedStep) => ({
  ...{ action, result, start, end },
  ...(seconds === undefined ? {} : { seconds }),
});

const startOf = ({ steps: [first] }: { readonly steps: readonly { readonly start: number }[] }): number =>
  first?.start ?? Number.MAX_VALUE;
