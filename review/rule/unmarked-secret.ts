import { capital } from "../../provider/core/name.ts";
import { attribute } from "../../provider/core/wording.ts";
import { called } from "./fact.ts";
import { changeRule, type Rule } from "./rule.ts";

/** Secret in a value that neither the engine nor the definition marks as sensitive. The value is hidden when it is read. */
export const unmarkedSecret: Rule = changeRule(
  {
    id: "SEC-03",
    title: "A value looks like a secret, and is not marked as one",
    severity: "high",
    confidence: "likely",
    about:
      "A tag, a description or another value has the form of a password, key or token. Plans, states and logs show it in clear.",
    remedy:
      "Mark the value as sensitive, or keep it in a store of secrets. Replace it if it was shown before.",
  },
  (change) =>
    // What the API sets, as a checksum, may look random, and a user cannot mark it.
    (change.unmarkedSecrets ?? [])
      .filter(([first]) => change.resource?.fields[first ?? ""]?.kind !== "computed")
      .map((path) => ({
        change,
        path,
        text: `${capital(called(change))} has a value in ${path.map((step, at) => (at === 0 ? attribute(String(step)) : String(step))).join(".")} that looks like a secret.`,
      })),
);
