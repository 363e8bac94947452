import { expect, test } from "@jest/globals";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { textOf } from "../../../review/model/sentence.ts";
import type { Rule } from "../../../review/rule/rule.ts";
import { hitsOf } from "../change-of.ts";
import { familyCases } from "./case/all.ts";
import type { RuleCase } from "./case/case.ts";

/** Tests rules with matching and non-matching changes, planned by the engine of the provider. */
export function testRules(rules: readonly Rule[], all: readonly RuleCase[] = familyCases): void {
  const cases = all.flatMap((one) => {
    const rule = rules.find(({ id }) => id === one.rule);
    return rule === undefined ? [] : [[`${one.rule}: ${one.name}`, one, rule] as const];
  });
  test.each(cases)("%s", (_name, one, rule) => {
    const found = hitsOf(one.rule, one.plans, one.settings, one.rehearsals).map(
      ({ text, severity, confidence }) => ({
        severity: severity ?? rule.severity,
        confidence: confidence ?? rule.confidence,
        text: inWordsOf("terraform", textOf(text)),
      }),
    );
    const expected = one.finds.map((find) => {
      const { text, severity, confidence } =
        typeof find === "string"
          ? { text: find, severity: undefined, confidence: undefined }
          : { severity: undefined, confidence: undefined, ...find };
      return {
        severity: severity ?? rule.severity,
        confidence: confidence ?? rule.confidence,
        text: expect.stringContaining(text),
      };
    });
    expect(found).toEqual(expected);
  });
}
