import { terraformType } from "../../provider/core/name.ts";
import { emptyRecord, reveal, UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { check } from "../../provider/definition/check.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { plan } from "../../provider/engine/plan.ts";
import { resources } from "../../resources/index.ts";
import type { Change } from "../../review/model/change.ts";
import { decidedPlans } from "../../review/model/decided.ts";
import type { Rehearsed } from "../../review/model/outcome.ts";
import type { Plan } from "../../review/model/plan.ts";
import { publishedIn } from "../../review/model/published.ts";
import { relationsOf } from "../../review/model/relation.ts";
import { rules } from "../../review/rule/catalogue.ts";
import type { Hit, RuleSettings } from "../../review/rule/rule.ts";

/** Changes and plans for tests of rules, planned by the engine of the provider. */

/** Returns the definition of a kind. */
export function definitionOf(kind: string): Resource {
  const found = resources.find(({ name }) => name === kind);
  if (found === undefined) throw new Error(`there is no kind ${kind}`);
  return found;
}

/** Returns the stored values of an object with these inputs and computed values; others are null. */
function stored(resource: Resource, given: Values): Values {
  const values = emptyRecord();
  const { inputs } = check(resource, inputsIn(resource, given));
  for (const name of Object.keys(resource.fields)) values[name] = given[name] ?? inputs[name] ?? null;
  return values;
}

/** Returns the values of fields that a configuration can set. */
const inputsIn = ({ fields }: Resource, given: Values): Values =>
  Object.fromEntries(Object.entries(given).filter(([name]) => fields[name]?.kind !== "computed"));

const defaults: RuleSettings = {
  ...{ requiredTags: [], manyDeletes: 20, manyDeletesShare: 0.5, providers: [] },
  requireRehearsal: false,
};

/**
 * Returns the change of one object from one set of values to another; undefined means that the object does not exist. The
 * definition determines whether the change is an update or a replacement, and which fields force the replacement.
 */
export function changeOf(
  kind: string,
  from: Values | undefined,
  to: Values | undefined,
  more: Partial<Change> = {},
): Change {
  const resource = definitionOf(kind);
  const { name } = (to ?? from ?? {}) as { name?: Value };
  const label = typeof name === "string" ? name.replace(/\W/g, "_") : "it";
  const before = from === undefined ? undefined : stored(resource, from);
  const base = {
    plan: "plan",
    engine: "terraform",
    address: `${terraformType(kind)}.${label}`,
    type: terraformType(kind),
    resource,
    name: typeof name === "string" ? name : undefined,
    id: before === undefined ? undefined : `${kind}-${label}-id`,
    before,
    forcedBy: [],
    dependsOn: [],
    parents: [],
  } as const;
  if (to === undefined) return { ...base, action: "delete", after: undefined, ...more };
  const { inputs } = check(resource, inputsIn(resource, to));
  const made = plan(
    resource,
    before === undefined ? undefined : { id: "id", task: undefined, values: before, unread: [] },
    inputs,
  );
  const after = emptyRecord();
  for (const key of Object.keys(resource.fields)) {
    const isGiven = to[key] === UNKNOWN || resource.fields[key]?.kind === "computed";
    after[key] = (isGiven ? to[key] : undefined) ?? made.values[key] ?? null;
  }
  return {
    ...base,
    action: made.action,
    ...(made.action === "replace" ? { order: "delete first" as const } : {}),
    after,
    forcedBy: made.changes.filter(({ effect }) => effect === "replace").map(({ path }) => path),
    ...more,
  };
}

/** Returns an object that the plan does not change. */
export const unchanged = (kind: string, values: Values, more: Partial<Change> = {}): Change => ({
  ...changeOf(kind, values, values, more),
  action: "none",
});

/** Returns a plan of these changes. */
export const planOf = (changes: readonly Change[], more: Partial<Plan> = {}): Plan => ({
  name: "plan",
  engine: "terraform",
  purpose: "change",
  changes,
  unlisted: 0,
  drift: [],
  outputs: [],
  invocations: [],
  providers: [],
  sensitive: [],
  messages: [],
  gaps: [],
  unknownParts: [],
  prior: { digest: "" },
  ...more,
});

export const settingsWith = (settings: Partial<RuleSettings> = {}): RuleSettings => ({
  ...defaults,
  ...settings,
});

/** Returns the hits of one rule. */
export function hitsOf(
  id: string,
  plans: readonly Plan[],
  settings: Partial<RuleSettings> = {},
  rehearsals: readonly Rehearsed[] = [],
): readonly Hit[] {
  const rule = rules.find((known) => known.id === id);
  if (rule === undefined) throw new Error(`unknown rule ${id}`);
  const decided = decidedPlans(plans);
  const changes = decided.flatMap((one) => one.changes);
  return [
    ...rule.check({
      plans: decided,
      changes,
      relations: relationsOf(changes),
      settings: { ...defaults, ...settings },
      published: publishedIn(plans),
      rehearsals,
    }),
  ];
}

/** Returns a plain copy of values, for tests that change them. */
export const plain = (values: Values): Values => reveal(values) as Values;
