import { expect, test } from "@jest/globals";
import { acme, describeReview, policy } from "../command/world.ts";

describeReview("%s", (_, run) => {
  test("0: explain of a rule of a policy, which a process of its own describes", async () => {
    expect(await run(["explain", "ACME-01", "--policy", policy({}, { "a.js": acme })])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ACME-01: T\n/),
    });
  });
});
