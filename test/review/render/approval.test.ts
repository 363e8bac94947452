import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { describeReview, fixtures } from "../command/world.ts";

describeReview("%s", (_, run, review) => {
  test("4: verify --require-covered, if the digest does not cover every effect; else 0, and the output names them", async () => {
    const actions = join(fixtures, "terraform-actions.json");
    const digest = (await review("--in", actions)).report?.approval.digest ?? "";
    const passed = await run(["verify", "--in", actions, "--approved", digest]);
    expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("It does not cover: ")]);
    const refused = await run(["verify", "--in", actions, "--approved", digest, "--require-covered"]);
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("It does not cover: ")]);
  });
});
