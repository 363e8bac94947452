import { type Change, destroys } from "../model/change.ts";
import { joined, say, word } from "../model/sentence.ts";
import type { Rule } from "./rule.ts";

/** Rule about objects of other providers, whose data and effects this package does not know. */

/** Types whose objects exist in the state only. */
const stateOnly = /^(?:null|random|time|tls|terraform|template)_|^(?:random|tls|time|null):/;

/** Providers and stacks, which the engine itself manages. */
const isOfEngine = /^pulumi:/;

export const foreignDestroyed: Rule = {
  id: "META-11",
  title: "Objects of another provider are deleted or replaced",
  severity: "high",
  confidence: "likely",
  about:
    "The plan deletes or replaces objects of types that this package does not know, one finding for each type: they may hold data, and other objects may need them. The severity is medium for types whose objects exist in the state only, such as random_password.",
  remedy: "Read what the provider says about a delete of the type.",
  *check({ plans }) {
    for (const { name: plan, changes } of plans) {
      const destroyed = changes.filter(
        (change) => change.resource === undefined && destroys(change) && !isOfEngine.test(change.type),
      );
      for (const [type, all] of Map.groupBy(destroyed, (change) => change.type))
        yield {
          plan,
          address: type,
          ...(stateOnly.test(type) ? { severity: "medium" as const } : {}),
          text: say`${plan} ${verbOf(all)} ${all.length} × ${type}: ${joined(
            all.slice(0, 5).map(({ address }) => say`${address}`),
            ", ",
          )}${word(all.length > 5 ? ` and ${all.length - 5} more` : "")}.`,
        };
    }
  },
};

const verbOf = (all: readonly Change[]) => {
  const actions = new Set(all.map(({ action }) => action));
  return word(actions.size > 1 ? "deletes or replaces" : actions.has("replace") ? "replaces" : "deletes");
};
