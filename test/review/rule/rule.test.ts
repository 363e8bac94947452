import { expect, test } from "@jest/globals";
import { inAllWords, inWordsOf } from "../../../provider/core/wording.ts";
import { resources } from "../../../resources/index.ts";
import { textOf } from "../../../review/model/sentence.ts";
import { rules } from "../../../review/rule/catalogue.ts";
import { lossKindOf } from "../../../review/rule/data.ts";
import { changeOf, hitsOf, planOf } from "../change-of.ts";
import { ruleCases } from "./all-cases.ts";

/** Tests every rule with matching and non-matching changes, planned by the engine of the provider. */

test.each(ruleCases.map((one) => [`${one.rule}: ${one.name}`, one] as const))("%s", (_name, one) => {
  const rule = rules.find(({ id }) => id === one.rule);
  const found = hitsOf(one.rule, one.plans, one.settings).map(({ text, severity, confidence }) => ({
    severity: severity ?? rule?.severity,
    confidence: confidence ?? rule?.confidence,
    text: inWordsOf("terraform", textOf(text)),
  }));
  const expected = one.finds.map((find) => {
    const { text, severity, confidence } =
      typeof find === "string"
        ? { text: find, severity: undefined, confidence: undefined }
        : { severity: undefined, confidence: undefined, ...find };
    return {
      severity: severity ?? rule?.severity,
      confidence: confidence ?? rule?.confidence,
      text: expect.stringContaining(text),
    };
  });
  expect(found).toEqual(expected);
});

test("every rule has a case in which it applies and one in which it does not", () => {
  for (const { id } of rules) {
    const own = ruleCases.filter(({ rule }) => rule === id);
    expect([
      id,
      own.some(({ finds }) => finds.length > 0),
      own.some(({ finds }) => finds.length === 0),
    ]).toEqual([id, true, true]);
  }
});

test("the delete of every kind that holds data is a critical finding of exactly one rule", () => {
  const kinds = resources.filter(({ holdsData }) => holdsData !== undefined);
  expect(kinds.map(({ name }) => name)).not.toEqual([]);
  for (const { name: kind } of kinds) {
    const given = { name: "it", bootVolume: { imageKrn: "image-1", sizeGb: 1 }, forceDestroy: true };
    const gone = changeOf(kind, given, undefined);
    const hits = rules
      .filter(({ id }) => /^DATA-0[1248]$/.test(id))
      .flatMap(({ id, severity }) => hitsOf(id, [planOf([gone])]).map((hit) => hit.severity ?? severity));
    expect([kind, hits]).toEqual([kind, ["critical"]]);
  }
});

test("every kind that can be interrupted and holds data has a rule about its disks", () => {
  const kinds = resources.filter(
    ({ holdsData, interrupts }) => holdsData !== undefined && interrupts === true,
  );
  for (const resource of kinds) expect(lossKindOf(resource)).not.toBe("other");
});

test("ids of rules are unique, and their texts are sentences", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { id, title, about, remedy } of rules)
    expect([
      id,
      /[^.]$/.test(title),
      /\.$/.test(inAllWords(about)),
      /[.)A-Z]$/.test(inAllWords(remedy)),
    ]).toEqual([id, true, true, true]);
});
