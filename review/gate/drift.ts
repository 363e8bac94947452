import { attribute } from "../../provider/core/wording.ts";
import { canonical } from "../model/canonical.ts";
import type { Change } from "../model/change.ts";
import { driftOf, driftStateOf } from "../model/drift.ts";
import type { Plan } from "../model/plan.ts";
import { relationsOf } from "../model/relation.ts";
import { called, joined, type Sentence, say, word } from "../model/sentence.ts";
import type { Hit, Rule, RuleContext, RuleDescription, RuleHits } from "../rule/rule.ts";

/** Judges drift by the rules about objects, as if the change outside the engine were planned. */

export const changedOutside: RuleDescription = {
  id: "OPS-13",
  title: "An object was changed outside the engine",
  severity: "medium",
  confidence: "proven",
  about:
    "The cloud has other values than the state, and the plan does not restore them. Other rules report a change that destroys data or opens access. The finding blocks only a plan that changes the object, unless failOnDrift is set.",
  remedy: "Find out who changed it and why. Add the change to the configuration, or revert it.",
};

/** Families of rules about the values of an object, rather than about its update. */
const isAboutValues = ({ id }: Rule): boolean => /^(?:DATA|NET|PUB|SEC)-/.test(id);

/** Returns the hits of rules in drift; those of `changedOutside` are about differences that no other rule reports. */
export function driftHits(rules: readonly Rule[], judged: RuleContext): RuleHits[] {
  const drifted = judged.plans.filter(({ drift }) => drift.some(isUpdate));
  if (drifted.length === 0) return [];
  const originals = new Map<Change, Change>();
  const plans = drifted.map((plan) => ({
    ...plan,
    changes: outsideChanges(plan, originals),
    invocations: [],
  }));
  const changes = plans.flatMap((plan) => plan.changes);
  const context: RuleContext = { ...judged, plans, changes, relations: relationsOf(changes) };
  const plannedFor = plannedChanges(drifted);
  const found = rules.filter(isAboutValues).map((rule) => ({
    rule,
    hits: [...rule.check(context)].flatMap(({ change, ...hit }): Hit[] =>
      change === undefined || !isUpdate(change)
        ? []
        : [
            {
              ...hit,
              change,
              text: say`Outside the engine: ${withOriginals(hit.text, originals)}`,
              drift: driftStateOf(change, plannedFor(change), hit.path),
            },
          ],
    ),
  }));
  const reported = Map.groupBy(
    found.flatMap(({ hits }) => hits),
    ({ change }) => change,
  );
  const others = drifted
    .flatMap(({ drift }) => drift.filter(isUpdate))
    .flatMap((change) => otherHit(change, reported.get(change) ?? [], plannedFor(change)));
  return [...found, { rule: changedOutside, hits: others }];
}

const isUpdate = ({ action }: Change): boolean => action === "update";

const keyOf = ({ plan, address }: Change): string => `${plan} ${address}`;

function plannedChanges(plans: readonly Plan[]): (drift: Change) => Change | undefined {
  const planned = new Map(plans.flatMap(({ changes }) => changes).map((change) => [keyOf(change), change]));
  return (drift) => planned.get(keyOf(drift));
}

/** Returns the objects of a plan with their changes outside the engine; `originals` gets the changes of other objects. */
function outsideChanges({ changes, drift }: Plan, originals: Map<Change, Change>): Change[] {
  const rows = drift.filter(isUpdate);
  const drifted = new Set(rows.map(keyOf));
  const others = changes.flatMap((change): Change[] => {
    if (change.before === undefined || drifted.has(keyOf(change))) return [];
    const same: Change = { ...change, action: "none", after: change.before };
    originals.set(same, change);
    return [same];
  });
  return [...rows, ...others];
}

/** Returns a sentence with the original objects, which the report redacts. */
const withOriginals = ({ parts }: Sentence, originals: ReadonlyMap<Change, Change>): Sentence => ({
  parts: parts.map((part) =>
    "object" in part ? { object: originals.get(part.object) ?? part.object } : part,
  ),
});

/** Maximum length of a value in a finding, in characters. */
const longest = 60;

const shown = (value: Parameters<typeof canonical>[0]): Sentence => {
  if (value === null) return word("none");
  const text = canonical(value);
  return text.length > longest ? word("a long value") : say`${text}`;
};

/** Returns the hit for the differences of an object that the plan keeps and no rule reports. */
function otherHit(change: Change, reported: readonly Hit[], planned: Change | undefined): Hit[] {
  const isReported = (step: string | number | undefined): boolean =>
    reported.some(({ path }) => path === undefined || path[0] === step);
  const differences = driftOf(change).filter(
    ({ path }) => !isReported(path[0]) && driftStateOf(change, planned, path) !== "undone",
  );
  const [first] = differences;
  if (first === undefined) return [];
  const values = differences
    .slice(0, 5)
    .map(
      ({ path, before, after }) =>
        say`${attribute(String(path[0]))} from ${shown(before)} to ${shown(after)}`,
    );
  const rest = word(differences.length > 5 ? ` and ${differences.length - 5} more` : "");
  const state = driftStateOf(change, planned, first.path);
  return [
    {
      change,
      path: first.path,
      drift: state,
      text: say`${called(change)} was changed outside the engine: ${joined(values, ", ")}${rest}.`,
    },
  ];
}
