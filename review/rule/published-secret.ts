import { attribute } from "../../provider/core/wording.ts";
import { called, joined, say, word } from "../model/sentence.ts";
import type { Rule } from "./rule.ts";

/** Rule about sensitive values that outputs and attributes show. */
export const secretPublished: Rule = {
  id: "SEC-08",
  title: "A sensitive value is published",
  severity: "high",
  confidence: "likely",
  about:
    "An output or an attribute that is not marked as sensitive newly contains a sensitive value, as behind nonsensitive(), or an output looks like a secret. Plans, states and logs show it in clear text. Of an attribute the severity is medium, since another value may be equal by chance.",
  remedy:
    "Mark the output or the attribute as sensitive, or remove the value from it. Replace a secret that was shown.",
  *check({ plans, published }) {
    const byPlan = Map.groupBy(published ?? [], ({ plan }) => plan);
    for (const { name: plan, changes: members } of plans)
      for (const { at, path } of byPlan.get(plan) ?? []) {
        if ("output" in at) {
          yield {
            plan,
            address: `output.${at.output}`,
            text: say`The output ${at.output} of ${plan} shows a sensitive value.`,
          };
          continue;
        }
        const change = members[at.change];
        if (change === undefined) continue;
        const name = joined(
          path.map((step, index) => (index === 0 ? word(attribute(String(step))) : say`${step}`)),
          ".",
        );
        yield {
          ...{ change, path, severity: "medium" as const },
          text: say`${called(change)} contains a sensitive value in ${name}, which is not marked.`,
        };
      }
  },
};
