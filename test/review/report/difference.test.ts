import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { renderHtml } from "../../../review/render/html.ts";
import { renderJson } from "../../../review/render/json.ts";
import { reportOf } from "../render/outputs.ts";

/** Differences that several changes share, and reports with many changes. */

/** Returns a plan of another provider whose objects change from these values to others. */
const planOf = (changes: readonly { before: object; after: object; masks?: object }[]): string =>
  JSON.stringify({
    format_version: "1.2",
    planned_values: {},
    resource_changes: changes.map(({ before, after, masks = {} }, at) => ({
      address: `db_user.shop[${at}]`,
      mode: "managed",
      type: "db_user",
      change: {
        actions: ["update"],
        before,
        after,
        before_sensitive: masks,
        after_sensitive: masks,
        after_unknown: {},
      },
    })),
  });

const differencesIn = (text: string, key?: string) =>
  reportOf([readPlan("shop", text)], key).changes.map(({ differences }) => differences);

test("a key with dots and an object inside of another one are different values", () => {
  const found = differencesIn(
    planOf([
      { before: { a: { "b.c": 1 } }, after: { a: { "b.c": 2 } } },
      { before: { a: { b: { c: 1 } } }, after: { a: { b: { c: 2 } } } },
      { before: { "a\nfalse": 1 }, after: { "a\nfalse": 2 } },
    ]),
  );
  expect(found.map((differences) => differences.map(({ path, name }) => [path, name]))).toEqual([
    [[["a", "b.c"], 'a["b.c"]']],
    [[["a", "b", "c"], "a.b.c"]],
    [[["a false"], '["a\\nfalse"]']],
  ]);
});

test("with a key, the marks of two secrets differ, and a text that equals a mark stays a text", () => {
  const masks = { pin: true };
  const changes = ["one-secret", "two-secret", "one-secret"].map((pin) => ({
    before: { pin: "old-secret" },
    after: { pin },
    masks,
  }));
  const [first, second, third] = differencesIn(planOf(changes), "key");
  const mark = first?.[0]?.after;
  expect([mark?.kind, third]).toEqual(["sensitive", first]);
  expect(second).not.toEqual(first);
  const text = mark?.kind === "sensitive" ? (mark.mark ?? "") : "";
  const plain = { before: { pin: "old" }, after: { pin: text } };
  expect(differencesIn(planOf([...changes, plain]), "key")[3]?.[0]?.after).toEqual({
    kind: "value",
    text: JSON.stringify(text),
  });
});

test("an unmarked secret is hidden before and after, whether it stays or changes", () => {
  const [one, other] = ["AKIAABCDEFGHIJKLMNOP", "AKIAABCDEFGHIJKLMNOQ"];
  const text = planOf([
    { before: { note: one, size: 1 }, after: { note: one, size: 2 } },
    { before: { note: "a", copy: "plain text" }, after: { note: other, copy: "plain text" } },
    { before: { note: "plain text", copy: one }, after: { note: one, copy: "plain text" } },
  ]);
  const report = JSON.stringify(reportOf([readPlan("shop", text)]));
  for (const secret of [one, other]) expect(report).not.toContain(secret);
  expect(report).toContain("plain text");
});

test.each([0, 1, 63, 64, 65, 300])(
  "the JSON of a report with %s changes is that of all its parts, and the page has the same changes",
  (count) => {
    const changes = Array.from({ length: count }, (_, at) => {
      // Runs of objects that change alike, some without name or id.
      const own = {
        ...(at % 11 === 0 ? {} : { name: `"<${at}>"` }),
        ...(at % 7 === 0 ? {} : { id: `id-${at}` }),
      };
      return {
        before: { ...own, size: 1 },
        after: { ...own, size: 2 + (Math.floor(at / 20) % 3), note: "<\n>" },
      };
    });
    const report = reportOf([readPlan("shop", planOf(changes))]);
    expect([...renderJson(report)].join("")).toBe(`${JSON.stringify(report, null, 1)}\n`);
    const page = [...renderHtml(report)].join("");
    const [, data = ""] = /<script type="application\/json" id="report">([^<]*)<\/script>/.exec(page) ?? [];
    const shown = report.changes.map(({ engine, type, differences, ...change }) => ({
      ...change,
      differences: differences.map(({ path, ...difference }) => difference),
    }));
    expect(JSON.stringify(JSON.parse(data).changes)).toBe(JSON.stringify(shown));
  },
);
