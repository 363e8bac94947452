import { hasUnknown, isRecord } from "../../provider/core/value.ts";
import { creates } from "../model/change.ts";
import { called, say, word } from "../model/sentence.ts";

import { changeRule, type Rule } from "./rule.ts";

/** Rules about the completeness of a plan, its side effects, and tags. */

const tagsMissing = changeRule(
  {
    id: "META-01",
    title: "A required tag is missing",
    severity: "low",
    confidence: "proven",
    about: "An object is created or changed without a tag that the policy requires.",
    remedy: "Add the tag, or set it once as a default tag of the provider.",
  },
  (change, { settings }) => {
    const { resource, after } = change;
    if (
      resource?.fields.tags === undefined ||
      after === undefined ||
      (!creates(change) && change.action !== "update")
    )
      return undefined;
    const all = [after.tagsAll, after.tags].filter((tags) => tags !== undefined).filter(isRecord);
    // Unknown tags may include the required ones.
    if (hasUnknown(after.tagsAll) || hasUnknown(after.tags)) return undefined;
    const missing = settings.requiredTags.filter((name) => !all.some((tags) => Object.hasOwn(tags, name)));
    return missing.length === 0
      ? undefined
      : { path: ["tags"], text: say`${called(change)} has no tag ${word(missing.join(", "))}.` };
  },
);

const incomplete: Rule = {
  id: "META-03",
  title: "The plan is not complete",
  severity: "high",
  confidence: "proven",
  about:
    "The plan ended with an error, was limited by -target, or defers a part. An apply does not do exactly what the plan shows.",
  remedy: "Create a complete plan and review it.",
  *check({ plans }) {
    for (const { name, gaps } of plans)
      for (const gap of gaps) yield { plan: name, text: say`${name}: ${gap}.` };
  },
};

const sideEffects: Rule = {
  id: "META-04",
  title: "The apply does more than change objects",
  severity: "medium",
  confidence: "proven",
  about: "The apply invokes an action, a provisioner or a command. A plan does not show what these change.",
  remedy: "Read the code that runs, in the configuration or the program.",
  *check({ plans }) {
    for (const { name, invocations } of plans)
      for (const { address, type, triggeredBy } of invocations) {
        const by =
          triggeredBy === undefined || triggeredBy === address ? say`` : say`, triggered by ${triggeredBy}`;
        yield { plan: name, text: say`${name} runs ${type} of ${address}${by}.` };
      }
  },
};

export const planRules: readonly Rule[] = [tagsMissing, incomplete, sideEffects];
