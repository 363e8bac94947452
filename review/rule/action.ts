import { snakeCase } from "../../provider/core/name.ts";
import { at, reveal } from "../../provider/core/value.ts";
import type { ActionEffect } from "../../provider/definition/function.ts";
import { called, say, word } from "../model/sentence.ts";
import { runs } from "./fact.ts";
import type { Hit, Rule, RuleContext } from "./rule.ts";

/** Adds actions of this provider, which a plan invokes, to the rules about their effects. */

/**
 * Returns the hits of the actions that have this effect, each about the object of the action if a plan shows it. A rule adds
 * them to those of changed objects.
 */
function* actionHits(
  { plans, changes }: Pick<RuleContext, "plans" | "changes">,
  effect: ActionEffect["is"],
): Generator<Hit> {
  for (const { name: plan, invocations } of plans)
    for (const { address, action, values = null } of invocations) {
      if (action?.effect === undefined || action.effect.is !== effect) continue;
      const { of, text } = action.effect;
      const id = of === undefined ? null : reveal(at(values, ["configuration", snakeCase(of)]) ?? null);
      const change = changes.find((one) => one.plan === plan && one.id !== undefined && one.id === id);
      // A machine that is stopped and stays so is neither stopped nor restarted.
      if (effect === "interrupts" && change !== undefined && runs(change) === false) continue;
      const target =
        change !== undefined
          ? say` of ${called(change)}`
          : typeof id === "string"
            ? say` of ${JSON.stringify(id)}`
            : say``;
      yield {
        ...(change === undefined ? { plan, address } : { change }),
        values,
        text: say`${plan} runs ${address}${target}. ${word(text)}`,
      };
    }
}

/** Adds the hits of actions to those of a rule. */
export const withActions = (rule: Rule, effect: ActionEffect["is"]): Rule => ({
  ...rule,
  *check(context) {
    yield* rule.check(context);
    yield* actionHits(context, effect);
  },
});
