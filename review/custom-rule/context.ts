import { isRecord, isSecret, UNKNOWN, type Value } from "../../provider/core/value.ts";
import { type Change, destroys, kindOfChange } from "../model/change.ts";
import { differencesOf } from "../model/difference.ts";
import { digitsOf } from "../model/exact-number.ts";
import type { Plan } from "../model/plan.ts";
import { relationsOf } from "../model/relation.ts";
import { withoutUncompared } from "../model/uncompared.ts";
import type { RuleSettings } from "../rule/rule.ts";

/** Returns the objects of all plans in the order of `context.changes`. */
export const changesOf = (plans: readonly Plan[]): readonly Change[] =>
  plans.flatMap(({ changes }) => changes);

/** Returns the context of custom rules as JSON, without any sensitive value; `decodeContext` of `sandbox.ts` reads it. */
export function contextJson(plans: readonly Plan[], settings: RuleSettings): string {
  const changes = changesOf(plans);
  const relations = relationsOf(changes);
  const row = (change: Change): object => {
    const shown = withoutUncompared(change);
    const { resource, forcedBy, changedPaths, unmarkedSecrets, before, after, name, id, ...facts } = shown;
    return {
      ...facts,
      kind: kindOfChange(change),
      name: name ?? undefined,
      id: id ?? undefined,
      before: before === undefined ? undefined : tagged(before),
      after: after === undefined ? undefined : tagged(after),
      differences: differencesOf(shown).map((difference) => ({
        path: difference.path,
        before: tagged(difference.before),
        after: tagged(difference.after),
        forcesReplacement: difference.forcesReplacement,
      })),
      dependents: destroys(change) ? relations.dependentsOf(change).all.map(({ address }) => address) : [],
    };
  };
  return JSON.stringify({
    plans: plans.map(({ name, engine, engineVersion, purpose, drift, outputs, invocations, messages }) => ({
      name,
      engine,
      engineVersion,
      purpose,
      drift: drift.map(row),
      outputs: outputs.map((output) => ({
        ...output,
        before: tagged(output.before),
        after: tagged(output.after),
      })),
      invocations: invocations.map(({ values, action, ...invocation }) => invocation),
      messages,
    })),
    changes: changes.map(row),
    settings,
  });
}

/** Returns a value as JSON; an object with the entry `$` encodes each value that JSON cannot represent. */
function tagged(value: Value): unknown {
  if (value === UNKNOWN) return { $: "unknown" };
  if (isSecret(value)) return { $: "sensitive" };
  if (Array.isArray(value)) return value.map(tagged);
  if (!isRecord(value)) return digitsOf(value) ?? value;
  const of = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, tagged(part)]));
  return Object.hasOwn(of, "$") ? { $: "record", of } : of;
}
