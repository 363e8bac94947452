import { expect, test } from "@jest/globals";
import { verdictText } from "../../../review/render/symbol.ts";
import { changeOf, planOf } from "../change-of.ts";
import { outputsOf, reportOf } from "./outputs.ts";

test("two names that differ only in invisible characters look different in every output", () => {
  const named = (name: string) =>
    outputsOf(
      reportOf([
        planOf([
          changeOf("volume", { vpcId: "vpc-1", name, sizeGb: 1, volumeType: "ssd" }, undefined, {
            address: "a.b",
          }),
        ]),
      ]),
    );
  const texts = [
    "a b",
    "a\nb",
    "a\tb",
    "a\u00a0b",
    "a\u3000b",
    "ab",
    "a\u200bb",
    "a\ufe0fb",
    "a\u3164b",
    "a\ud800b",
    "a\udc00b",
  ];
  const outputs = texts.map(named);
  for (const format of ["text", "Markdown for github", "html", "json", "sarif"])
    expect(new Set(outputs.map((output) => output[format])).size).toBe(texts.length);
  for (const output of outputs)
    for (const text of Object.values(output)) expect(text.isWellFormed()).toBe(true);
});

test("a verdict has a word of its own after an apply", () => {
  const verdict = (code: 0 | 3 | 7 | 8, line: string) => ({ code, line, reasons: [], failOn: "none" });
  const applied = { review: verdict(0, ""), plans: [], objects: [], omittedErrors: 0 };
  expect([
    verdictText({ verdict: verdict(0, "1 plan · drift: 0") }, "words"),
    verdictText({ verdict: verdict(0, "Applied: 2 done."), applied }, "emoji"),
    verdictText({ verdict: verdict(7, "Applied: 1 done, 1 failed."), applied }, "emoji"),
    verdictText({ verdict: verdict(8, "Applied: 1 unknown."), applied }, "emoji"),
  ]).toEqual([
    "Passed: 1 plan; drift: 0",
    "Applied: 2 done.",
    "Apply incomplete: 1 done, 1 failed.",
    "Apply differs: 1 unknown.",
  ]);
});
