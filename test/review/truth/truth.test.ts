import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { rules } from "../../../review/rule/catalogue.ts";
import { classes, classNames, markdownOfClasses } from "./class.ts";
import { markdownOf, outcomesOf, sumOf, tableOf } from "./compare.ts";
import { corpusFile, readEdits } from "./corpus.ts";
import { forms } from "./program.ts";

/** Compares the findings of the review with the effects of plans that real engines created and applied. */

const edits = await readEdits(corpusFile);
const outcomes = edits.flatMap(outcomesOf);
const rows = tableOf(outcomes);
const page = readFileSync(new URL("../../../docs/review-accuracy.md", import.meta.url), "utf8");
const named = rows.map((row) => [classes[row.danger].title, row] as const);

/** Smallest shares of one form of values. A third each is drawn, but a delete has no planned values. */
const leastShares = { positives: 0.1, negatives: 0.05 };

test.each(named)("%s: happened and did not happen often enough, in every form of the values", (_, row) => {
  for (const name of ["positives", "negatives"] as const) {
    expect(sumOf(row[name])).toBeGreaterThanOrEqual(60);
    for (const form of forms)
      expect(row[name][form] / sumOf(row[name])).toBeGreaterThanOrEqual(leastShares[name]);
  }
});

test.each(named)("%s: precision and recall of proven findings are at least 98 %", (_, { proven }) => {
  expect(proven.precision).toBeGreaterThanOrEqual(0.98);
  expect(proven.recall).toBeGreaterThanOrEqual(0.98);
});

test.each(named)("%s: what no rule can read is found in at least 98 %", (_, row) => {
  expect(row.likely.recall).toBeGreaterThanOrEqual(0.98);
  expect(row.hidden / (sumOf(row.positives) + row.hidden)).toBeLessThanOrEqual(0.05);
});

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
