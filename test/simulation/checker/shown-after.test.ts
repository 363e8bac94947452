import { expect, test } from "@jest/globals";
import { shownAfterMs } from "./checker.ts";

test("an attachment is shown after the sum of listing lag, task time and delay of its volume", () => {
  const cloud = { listingLagMs: 3_000, taskMs: 900, assume: { attachmentsAfterMs: 10_000 } };
  expect(shownAfterMs("volume-attachment", cloud)).toBe(13_900);
  expect(shownAfterMs("volume", cloud)).toBe(3_000);
  expect(shownAfterMs("volume-attachment", {})).toBe(0);
});
