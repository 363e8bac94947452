import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { alignmentOf } from "../../../review/model/alignment.ts";

const leaf = fc.oneof(fc.constantFrom("a", "b", "c", 1, 2, true), fc.constant("a\u0301"), fc.constant("á"));

test("the parts of a list turn the one list into the other", () => {
  fc.assert(
    fc.property(fc.array(leaf, { maxLength: 12 }), fc.array(leaf, { maxLength: 12 }), (before, after) => {
      const [one, other] = [before, after].map((list) => list.map((item) => JSON.stringify(item)));
      const pairs = alignmentOf(one ?? [], other ?? []);
      for (const [at, next] of pairs) expect(one?.[at]).toBe(other?.[next]);
      for (const [nth, pair] of pairs.entries()) {
        const last = pairs[nth - 1] ?? [-1, -1];
        expect(pair[0] > last[0] && pair[1] > last[1]).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("the comparison of long lists and texts takes time that grows with their length", () => {
  const count = 100_000;
  const lists = [
    Array.from({ length: count }, (_, at) => String(at)),
    Array.from({ length: count }, (_, at) => String((at * 7_919) % count)),
    Array.from({ length: count }, () => "same"),
    Array.from({ length: count }, (_, at) => String(at % 3)),
  ];
  const start = process.cpuUsage();
  for (const one of lists) for (const other of lists) alignmentOf(one, other);
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(20);
});
