import { describe, expect, test } from "@jest/globals";
import type { Report } from "../../../review/report/report.ts";
import { canary } from "../change.ts";
import { at, describeReview, file, plan, planWith, preview, type Row, report, text } from "./world.ts";

describeReview("%s", (_, run, review) => {
  describe("verify", () => {
    const verify = (...args: string[]) => run(["verify", ...args]);
    const approved = async (...inputs: string[]): Promise<string> =>
      (await review(...inputs.flatMap((input) => ["--in", input]))).report?.approval.digest ?? "";

    test("0: the approved plans, in any order and under any name", async () => {
      const digest = await approved(plan, preview);
      const ran = await verify("--in", `x=${preview}`, "--in", `y=${plan}`, "--approved", digest);
      expect([ran.code, ran.stderr]).toEqual([0, ""]);
      expect(ran.stdout).toMatch(
        /^These are the approved plans, with \d+ changes\. Their prior state was not compared/,
      );
    });

    test("0: the approved plan, made from the reviewed state", async () => {
      const digest = await approved(plan);
      const ran = await verify("--in", plan, "--approved", digest, "--report", at("report.json"));
      expect([ran.code, ran.stdout]).toEqual([
        0,
        expect.stringMatching(/^These are the approved plans, with 9 changes\.\nIt covers only .* sensitive/),
      ]);
    });

    test("5: another plan; the outputs show it, and what changed since the approved one", async () => {
      const digest = await approved(plan);
      const { resource_changes: rows } = JSON.parse(text);
      const same = (row: Row): Row =>
        row.change.actions[0] === "update"
          ? { ...row, change: { ...row.change, actions: ["no-op"], after: row.change.before } }
          : row;
      const before = new Map(rows.map((row: Row) => [row.address, same(row).change.after]));
      const { planned_values: planned } = JSON.parse(text);
      for (const object of planned.root_module.resources) object.values = before.get(object.address);
      const less = planWith({ planned_values: planned, resource_changes: rows.map(same) });
      const ran = await verify(
        "--in",
        `terraform-1.16.0=${less}`,
        "--approved",
        digest,
        "--report",
        at("report.json"),
        "--out",
        `json:${at("verify.json")}`,
      );
      expect(ran.code).toBe(5);
      expect(ran.stderr).toContain("These are not the approved plans.");
      expect(ran.stderr).toContain(`not the approved ${digest}`);
      expect(report("verify.json").verdict).toMatchObject({
        code: 5,
        reasons: [expect.stringContaining(digest)],
      });
      // The review had a policy, and verify has none: their findings are not compared.
      const { added = [], changed = [], removed = [] } = report("verify.json").since ?? {};
      expect([added, changed]).toEqual([[], []]);
      expect(removed.length).toBeGreaterThan(0);
      expect(removed.filter((name) => !name.startsWith("terraform-1.16.0: update "))).toEqual([]);
      const shown = await verify("--in", less, "--approved", digest, "--out", "text");
      expect([shown.code, shown.stdout.slice(0, 14)]).toEqual([5, "Not approved: "]);
    });

    test("5: the approved changes, but from another state", async () => {
      const digest = await approved(plan);
      const { prior_state: prior } = JSON.parse(text);
      prior.values.outputs = { size: { value: 1, sensitive: false } };
      const later = planWith({ prior_state: prior });
      const ran = await verify(
        "--in",
        `terraform-1.16.0=${later}`,
        "--approved",
        digest,
        "--report",
        at("report.json"),
      );
      expect(ran.code).toBe(5);
      expect(ran.stderr).toContain("terraform-1.16.0: the state changed since the review.");
    });

    test("5: a plan that is not in the report", async () => {
      const digest = await approved(plan);
      const ran = await verify("--in", `other=${plan}`, "--approved", digest, "--report", at("report.json"));
      expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("other is not in the report")]);
    });

    test("5: a digest of an earlier version, with that reason", async () => {
      const digest = await approved(plan);
      const ran = await verify("--in", plan, "--approved", digest.replace("kr2-", "kr1-"));
      expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("digest is of version kr1")]);
    });

    test("4: a plan that cannot be reviewed, even if its digest is approved", async () => {
      const partial = planWith({ complete: false });
      const digest = await approved(partial);
      const ran = await verify("--in", partial, "--approved", digest);
      expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("cannot be verified")]);
    });

    test("4 and 5: the output contains no control character, no command and no secret", async () => {
      const hostile = "\u001b[2J\n::error::forged echo ";
      const { resource_changes: rows } = JSON.parse(text);
      const [row, ...others] = rows;
      const unknown = {
        ...row,
        address: `${hostile}${canary}`,
        change: { ...row.change, actions: ["explode"] },
      };
      const other = planWith({ resource_changes: [unknown, ...others] });
      for (const [path, approved] of [
        [other, "kr2-0"],
        [plan, hostile],
      ] as const) {
        const { stderr } = await verify("--in", path, "--approved", approved);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not occur.
        expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|^\s*::error::/m);
        expect(stderr).not.toContain(canary);
        expect(stderr).toContain("forged");
      }
    });

    test("1: without a digest, with a report instead of a plan, with invalid JSON", async () => {
      const digest = await approved(plan);
      expect((await verify("--in", plan)).code).toBe(1);
      expect((await verify("--in", plan, "--approved", digest, "--fail-on", "none")).code).toBe(1);
      expect((await verify("--in", at("report.json"), "--approved", digest)).code).toBe(1);
      expect((await verify("--in", file("cut.json", "{"), "--approved", digest)).code).toBe(1);
      expect((await verify("--in", plan, "--approved", digest, "--report", plan)).code).toBe(1);
      expect((await run(["--in", plan, "--approved", digest])).code).toBe(1);
    });

    test("a key makes sensitive values part of the digest", async () => {
      const withKey = { KCLOUD_REVIEW_KEY: "key" };
      const keyed = await run(["--in", plan, "--out", "json"], withKey);
      const { approval } = JSON.parse(keyed.stdout) as Report;
      expect(approval.coversSensitive).toBe(true);
      expect((await run(["verify", "--in", plan, "--approved", approval.digest], withKey)).code).toBe(0);
      expect((await run(["verify", "--in", plan, "--approved", approval.digest])).code).toBe(5);
      const other = file("other.json", text.replaceAll("again", "encore"));
      expect((await run(["verify", "--in", other, "--approved", approval.digest], withKey)).code).toBe(5);
    });
  });
});
