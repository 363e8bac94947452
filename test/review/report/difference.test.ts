import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { renderHtml } from "../../../review/render/html.ts";
import { renderJson } from "../../../review/render/json.ts";
import type { Report } from "../../../review/report/report.ts";
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
    [[["a\\u{a}false"], '["a\\nfalse"]']],
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

test("entries of a map keep the order of their own change, for any order of the changes", () => {
  const volume = (nth: number, names: readonly string[]) => {
    const metadata = (value: string) => Object.fromEntries(names.map((name) => [name, value]));
    return {
      address: `kcloud_volume.data[${nth}]`,
      mode: "managed",
      type: "kcloud_volume",
      change: {
        actions: ["update"],
        before: { name: `data-${nth}`, metadata: metadata("old") },
        after: { name: `data-${nth}`, metadata: metadata("new") },
      },
    };
  };
  const rows = [volume(0, ["a", "b"]), volume(1, ["b", "a"])];
  for (const resource_changes of [rows, rows.toReversed()]) {
    const text = JSON.stringify({ format_version: "1.2", planned_values: {}, resource_changes });
    const names = differencesIn(text).map((differences) => differences.map(({ name }) => name));
    expect(names).toEqual([
      ["metadata.a", "metadata.b"],
      ["metadata.b", "metadata.a"],
    ]);
  }
});

test("an unmarked secret is hidden before and after, whether or not it changes", () => {
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

/** Returns the changes in the data of the page. */
function changesOfPage(report: Report): unknown {
  const page = [...renderHtml(report)].join("");
  const [, data = ""] = /<script type="application\/json" id="report">([^<]*)<\/script>/.exec(page) ?? [];
  return (JSON.parse(data) as Report).changes;
}

/** Returns the changes as the page has them: without engine, type, and the paths of differences. */
const shownChanges = ({ changes }: Report) =>
  changes.map(({ engine, type, differences, ...change }) => ({
    ...change,
    differences: differences.map(({ path, ...difference }) => difference),
  }));

test.each([0, 1, 63, 64, 65, 300])(
  "the JSON of a report with %s changes equals that of JSON.stringify, and the page has the same changes",
  (count) => {
    const changes = Array.from({ length: count }, (_, at) => {
      // Sequences of objects with equal changes, some without name or id.
      const own = {
        ...(at % 11 === 0 ? {} : { name: `"<${at}>"` }),
        ...(at % 7 === 0 ? {} : { id: `id-${at}` }),
      };
      return {
        before: { ...own, size: 1 },
        after: { ...own, size: 2 + (Math.floor(at / 20) % 3), note: "<\n>" },
      };
    });
    for (const name of ["\u0001", "shop"]) {
      const report = reportOf([readPlan(name, planOf(changes))]);
      expect([...renderJson(report)].join("")).toBe(`${JSON.stringify(report, null, 1)}\n`);
      expect(JSON.stringify(changesOfPage(report))).toBe(JSON.stringify(shownChanges(report)));
    }
  },
);
