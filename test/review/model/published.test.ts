import { expect, test } from "@jest/globals";
import { secret } from "../../../provider/core/value.ts";
import { planOf } from "../change-of.ts";
import { outputsOf, reportOf } from "../render/outputs.ts";

test("a sensitive number is redacted as the text of it is", () => {
  const outputs = [{ name: "pin", action: "create" as const, before: null, after: { pin: 918273645546 } }];
  const report = reportOf([planOf([], { sensitive: [secret(918273645546)], outputs })]);
  expect(Object.values(outputsOf(report)).join("\n")).not.toContain("918273");
  expect(report.findings.map(({ rule }) => rule)).toContain("SEC-08");
});
