import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { planOf } from "../plan-of.ts";
import { reportOf } from "../render/outputs.ts";

const differencesIn = (text: string, key?: string) =>
  reportOf([readPlan("shop", text)], key).changes.map(({ differences }) => differences);

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
