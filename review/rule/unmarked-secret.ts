import { attribute } from "../../provider/core/wording.ts";
import { called, joined, say, word } from "../model/sentence.ts";

import { changeRule, type Rule } from "./rule.ts";

/**
 * Rule about a secret in a value that neither the engine nor the definition marks as sensitive. The reader has already hidden
 * the value.
 */
export const unmarkedSecret: Rule = changeRule(
  {
    id: "SEC-03",
    title: "A value looks like a secret but is not marked as one",
    severity: "high",
    confidence: "likely",
    about:
      "A tag, a description or another value has the form of a password, key or token. Plans, states and logs show it in clear text.",
    remedy: "Mark the value as sensitive, or keep it in a secret store. Replace it if it was shown before.",
  },
  (change) =>
    // A computed value, such as a checksum, may look random, and the user cannot mark it.
    (change.unmarkedSecrets ?? [])
      .filter(([first]) => change.resource?.fields[first ?? ""]?.kind !== "computed")
      .map((path) => ({
        change,
        path,
        text: say`${called(change)} has a value in ${joined(
          path.map((step, index) => (index === 0 ? word(attribute(String(step))) : say`${step}`)),
          ".",
        )} that looks like a secret.`,
      })),
);
