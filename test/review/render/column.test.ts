import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { padded, widthOf, wrapped } from "../../../review/render/column.ts";
import { changeOf, planOf } from "../change-of.ts";
import { outputsOf, reportOf } from "./outputs.ts";

/** Lines by columns of a terminal. */

test.each([
  ["plain text", 10],
  ["日本", 4],
  ["한국어", 6],
  ["ｆｕｌｌ", 8],
  ["e\u0301te\u0301", 3],
  ["🛑🟠", 4],
  ["👍🏽", 2],
  ["🇩🇪", 2],
  ["é", 1],
  ["नमस्ते", 3],
])("%s takes %s columns", (text, width) => {
  expect(widthOf(text)).toBe(width);
  expect(widthOf(padded(text, 20))).toBe(20);
});

test("a text without blanks breaks between wide letters, and never before a combining mark", () => {
  expect(wrapped(`  ${"日本語".repeat(5)}`, 14, "    ")).toBe("  日本語日本語\n    日本語日本\n    語日本語");
  expect(wrapped("aa e\u0301e\u0301 bb", 5, "")).toBe("aa e\u0301e\u0301\nbb");
  expect(wrapped("a 👍👍👍 b", 6, "")).toBe("a 👍👍\n👍 b");
  expect(wrapped("  kcloud_volume.with_a_long_name is deleted", 20, "    ")).toBe(
    "  kcloud_volume.with_a_long_name\n    is deleted",
  );
});

test("no line is wider than its limit, and none loses a letter", () => {
  const words = fc.array(
    fc.string({ unit: fc.constantFrom(..."ab日한é🛑", "e\u0301"), minLength: 1, maxLength: 12 }),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(words, fc.integer({ min: 20, max: 60 }), (all, width) => {
      const lines = wrapped(all.join(" "), width, "  ").split("\n");
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
      expect(lines.join("").replaceAll(" ", "")).toBe(all.join(""));
    }),
    { numRuns: 1_000 },
  );
});

test("the lines of a report with wide names fit the terminal", () => {
  const volume = { vpcId: "vpc-1", name: "日本語の名前".repeat(20), sizeGb: 10, volumeType: "ssd" };
  const report = reportOf([
    planOf([changeOf("volume", volume, undefined, { address: "kcloud_volume.one", id: "volume-id" })]),
  ]);
  const { text = "" } = outputsOf(report);
  for (const line of text.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(100);
});
