import { attribute, type Text, wording } from "../provider/core/wording.ts";
import type { Fields } from "../provider/definition/field.ts";
import type { Rule } from "../provider/definition/resource.ts";

/**
 * Groups of parameters of which a call has exactly one, with all of its parameters: the ID of an instance, or the ID of the task that
 * creates it. None of them has a default.
 */
export type Alternatives<Name extends string = string> = readonly (readonly Name[])[];

/** Returns the rule of an operation with alternatives. */
export function alternativesRule(alternatives: Alternatives): Rule<Fields> {
  return {
    needs: alternatives.flat(),
    check(inputs) {
      const isSet = (name: string) => inputs[name] !== undefined;
      const problem = (name: string, text: Text) => ({ path: [name], problem: text });
      const [group, second] = alternatives.filter((names) => names.some(isSet));
      const [[first = ""] = [], [other = ""] = []] = alternatives;
      if (group === undefined) return problem(first, wording`set either it or ${attribute(other)}`);
      const set = group.find(isSet) ?? "";
      const conflict = second?.find(isSet);
      if (conflict !== undefined)
        return problem(conflict, wording`conflicts with ${attribute(set)}: set only one of them`);
      const missing = group.find((name) => !isSet(name));
      return missing === undefined
        ? undefined
        : problem(missing, wording`is required with ${attribute(set)}`);
    },
  };
}
