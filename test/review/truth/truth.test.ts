import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { rules } from "../../../review/rule/catalogue.ts";
import { classes, classNames, markdownOfClasses } from "./class.ts";
import { markdownOf, outcomesOf, precisionOf, recallOf, tableOf } from "./compare.ts";
import { corpusFile, readEdits } from "./corpus.ts";

/** Compares the findings of the review with the effects of plans that real engines created and applied. */

const edits = await readEdits(corpusFile);
const outcomes = edits.flatMap(outcomesOf);
const rows = tableOf(outcomes);
const page = readFileSync(new URL("../../../docs/review-accuracy.md", import.meta.url), "utf8");

test.each(rows.map((row) => [classes[row.danger].title, row] as const))(
  "%s: precision and recall of proven findings are at least 98 %",
  (_, row) => {
    expect(row.positives).toBeGreaterThanOrEqual(60);
    expect(row.negatives).toBeGreaterThanOrEqual(60);
    expect(precisionOf(row)).toBeGreaterThanOrEqual(0.98);
    expect(recallOf(row)).toBeGreaterThanOrEqual(0.98);
    const hidden = Object.values(row.hidden).reduce((sum, count) => sum + count, 0);
    expect(hidden / (row.positives + hidden)).toBeLessThanOrEqual(0.05);
  },
);

test("the page shows the table of the recorded plans", () => {
  expect(page).toContain(markdownOf(rows));
});

test("the page shows the observed dangers and the rules that report them", () => {
  expect(page).toContain(markdownOfClasses());
});

test("the page has the seeds and the number of recorded plans", () => {
  const [first, last] = [edits.at(0)?.seed, edits.at(-1)?.seed];
  const counted = (name: string) => edits.filter(({ engine }) => engine === name).length;
  expect(page).toContain(`seeds ${first} to ${last}`);
  expect(page).toContain(
    `${counted("terraform")} plans of Terraform and ${counted("pulumi")} previews of Pulumi`,
  );
});

test("every rule of a danger exists", () => {
  const known = rules.map(({ id }) => id);
  for (const danger of classNames)
    for (const id of Object.keys(classes[danger].rules)) expect(known).toContain(id);
});

test("every edit was recorded with the effects of its apply", () => {
  expect(edits.length).toBeGreaterThan(0);
  for (const { seed, witnesses } of edits) expect([seed, typeof witnesses]).toEqual([seed, "object"]);
});
