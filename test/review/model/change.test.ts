import { expect, test } from "@jest/globals";
import { approvalOf } from "../../../review/report/digest.ts";
import { planOf, unchanged } from "../change-of.ts";

test("the end of a protection by the engine is an effect, which the digest covers", () => {
  const digest = (more: Parameters<typeof unchanged>[2]) =>
    approvalOf([planOf([unchanged("vpc", { name: "net" }, { isProtected: true, ...more })])], undefined)
      .digest;
  expect(digest({})).not.toBe(digest({ unprotects: true }));
});
