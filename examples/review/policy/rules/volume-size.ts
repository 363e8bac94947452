import { type Change, creates, defineRule, differencesOf } from "@kcloud/iac/review";

/** Maximum size of a volume, in GB, without a waiver of the storage team. */
const largest = 1_000;

const isTooLarge = (change: Change): boolean =>
  change.kind === "volume" && typeof change.after?.sizeGb === "number" && change.after.sizeGb > largest;

const setsSize = (change: Change): boolean =>
  creates(change) || differencesOf(change).some(({ path }) => path[0] === "sizeGb");

export default defineRule({
  id: "STORAGE-01",
  title: "A volume is larger than agreed",
  severity: "high",
  confidence: "proven",
  about: `A volume of more than ${largest} GB is created, or grows beyond that.`,
  remedy: "Ask the storage team, who waive this finding.",
  check: ({ changes }) =>
    changes
      .filter((change) => isTooLarge(change) && setsSize(change))
      .map((change) => ({ change, path: ["sizeGb"], text: `It has ${change.after?.sizeGb as number} GB.` })),
});
