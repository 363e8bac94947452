import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { compareAddresses } from "../../../review/model/address.ts";

/** Order of the addresses in a report. */

test("objects of a count are sorted by their index", () => {
  const inOrder = ["a", "a.b", "a[2].c", "a[2].c[0]", "a[10].c", "a_1", "b[009]", "b[9]", "b[10]"];
  expect(inOrder.toReversed().toSorted(compareAddresses)).toEqual(inOrder);
});

const address = fc.string({ unit: fc.constantFrom(..."019[].ab"), maxLength: 8 });

test("the order of addresses is antisymmetric and transitive", () => {
  fc.assert(
    fc.property(address, address, address, (a, b, c) => {
      expect(Math.sign(compareAddresses(a, b))).toBe(-Math.sign(compareAddresses(b, a)) || 0);
      if (compareAddresses(a, b) <= 0 && compareAddresses(b, c) <= 0)
        expect(compareAddresses(a, c)).toBeLessThanOrEqual(0);
    }),
    { numRuns: 5_000 },
  );
});
