import { mkdirSync, symlinkSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { at, describeReview, plan, policy } from "../command/world.ts";

describeReview("%s", (_, _run, review) => {
  test("rules of the reviewed revision do not run without --trust-head", async () => {
    const folderOf = policy({}, { "a.js": "throw new Error('it ran')" });
    const ran = await review("--in", plan, "--policy-head", folderOf);
    expect([ran.code, ran.report?.policyChanges.lines]).toEqual([3, ['Adds the rule file "a.js".']]);
    const trusted = await review("--in", plan, "--policy-head", folderOf, "--trust-head");
    expect([trusted.code, trusted.stderr]).toEqual([1, expect.stringContaining("it ran")]);
  });

  test("a policy of the reviewed revision that cannot be read is reported without quoting a file of this machine", async () => {
    mkdirSync(at("head"));
    symlinkSync("/etc/passwd", at("head/kcloud-review.json"));
    const ran = await review("--in", plan, "--policy-head", at("head"));
    expect(ran.report?.policyChanges.lines).toEqual([
      expect.stringMatching(/^The policy of this revision cannot be read: .* is not a regular file\.$/),
    ]);
  });
});
