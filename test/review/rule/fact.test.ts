import { expect, test } from "@jest/globals";
import { resources } from "../../../resources/index.ts";
import { rules } from "../../../review/rule/catalogue.ts";
import { changeOf, hitsOf, planOf } from "../change-of.ts";

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
