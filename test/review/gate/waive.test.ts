import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { rules } from "../../../review/rule/catalogue.ts";
import { at, describeReview, file, plan, planWith, policy, report, soon, text } from "../command/world.ts";

describeReview("%s", (_, run, review) => {
  test("0 and 1: waive", async () => {
    const args = [
      "--address",
      "kcloud_*",
      "--owner",
      "ann",
      "--reason",
      "empty",
      "--until",
      soon,
      "--policy",
      at("new"),
    ];
    expect((await run(["waive", "data-01", ...args])).code).toBe(0);
    expect(JSON.parse(readFileSync(at("new/kcloud-review.json"), "utf8"))).toEqual({
      waivers: [{ rule: "DATA-01", address: "kcloud_*", owner: "ann", reason: "empty", until: soon }],
    });
    for (const wrong of [
      ["waive", ...args],
      ["waive", "DATA-99", ...args],
      ["waive", "DATA-01", ...args.with(-3, "2020-01-01")],
      ["waive", "DATA-01", ...args.with(-3, "soon")],
      ["waive", "DATA-01", ...args.with(-3, "2999-01-01")],
      ["waive", "DATA-01", ...args.with(1, "*")],
      ["waive", "DATA-01", ...args.slice(2)],
    ])
      expect((await run(wrong)).code).toBe(1);
  });

  test("waive --report: waivers of the findings of a report, which apply to the same values of the same objects only", async () => {
    const env = { KCLOUD_REVIEW_KEY: "key" };
    const keyed = async (path: string, ...more: string[]) => {
      const out = `json:${at("report.json")}`;
      return { ...(await run(["--in", `net=${path}`, ...more, "--out", out], env)), report: report() };
    };
    await keyed(plan);
    const folderOf = policy({});
    const decision = ["--owner", "ann", "--reason", "agreed", "--until", soon, "--policy", folderOf];
    const ids = new Set(report().findings.map(({ rule }) => rule));
    for (const id of ids)
      expect((await run(["waive", id, "--report", at("report.json"), ...decision])).code).toBe(0);
    expect((await run(["waive", "DATA-08", "--report", at("report.json"), ...decision])).code).toBe(1);
    expect(await keyed(plan, "--policy", folderOf)).toMatchObject({ code: 0 });
    const other = file("other.json", text.replaceAll(/"port_range_max": ?22\b/g, '"port_range_max":23'));
    const ran = await keyed(other, "--policy", folderOf);
    const open = ran.report.findings.filter(({ waiver }) => waiver === undefined);
    expect([ran.code, open.map(({ rule }) => rule)]).toEqual([3, ["NET-01"]]);
    await review("--in", `net=${plan}`);
    const hidden = await run(["waive", "OPS-03", "--report", at("report.json"), ...decision]);
    expect([hidden.code, hidden.stderr]).toEqual([1, expect.stringContaining("KCLOUD_REVIEW_KEY")]);
  });

  test("a waiver by address does not apply to an object that the plan moves to this address", async () => {
    const [address, rows] = ["kcloud_volume.logs", JSON.parse(text).resource_changes];
    const moved = planWith({
      resource_changes: rows.map((row: { address: string }) =>
        row.address === address ? { ...row, previous_address: "kcloud_volume.old" } : row,
      ),
    });
    const waiver = { rule: "DATA-01", address, owner: "ann", reason: "agreed", until: soon };
    const waived = async (path: string) =>
      (await review("--in", path, "--policy", policy({ waivers: [waiver] }))).report?.findings.find(
        (finding) => finding.rule === "DATA-01" && finding.address === address,
      )?.waiver !== undefined;
    expect([await waived(plan), await waived(moved)]).toEqual([true, false]);
  });

  test("waivers of the base revision apply, those of the reviewed revision are only shown", async () => {
    const waivers = rules.flatMap(({ id }) =>
      ["kcloud_*", "terraform-*"].map((address) => ({
        ...{ rule: id, address, owner: "ann", reason: "agreed", until: soon },
      })),
    );
    const folderOf = policy({ waivers });
    expect(await review("--in", plan, "--policy", folderOf)).toMatchObject({ code: 0 });
    const ran = await review("--in", plan, "--policy-head", folderOf);
    expect(ran.code).toBe(3);
    expect(ran.report?.policyChanges).toMatchObject({ trusted: false, lines: { length: 21 } });
    const trusted = await review("--in", plan, "--policy-head", folderOf, "--trust-head");
    expect(trusted).toMatchObject({ code: 0, report: { policyChanges: { trusted: true } } });
  });

  test("a policy of the reviewed revision with many long waivers is shown in short form, with their number", async () => {
    const waivers = Array.from({ length: 500 }, (_, at) => ({
      rule: "DATA-01",
      address: `${at}`,
      owner: "ann",
      reason: "x".repeat(1_000),
      until: soon,
    }));
    const ran = await review("--in", plan, "--policy-head", policy({ waivers }));
    const lines = ran.report?.policyChanges.lines ?? [];
    expect([lines.length, lines.at(-1)]).toEqual([21, "And 480 more changes."]);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^.{300}… \(\d+ characters\)$/);
  });

  test("an expired waiver is a finding, and the finding counts again", async () => {
    const waiver = {
      rule: "DATA-01",
      address: "kcloud_*",
      owner: "ann",
      reason: "agreed",
      until: "2020-01-01",
    };
    const ran = await review("--in", plan, "--policy", policy({ waivers: [waiver] }));
    expect(ran.code).toBe(3);
    const expired = ran.report?.findings.filter(({ rule }) => rule === "META-06") ?? [];
    expect(expired.map(({ text: said }) => said).join()).toMatch(
      /The waiver of DATA-01 for .* by ann ended on 2020-01-01\./,
    );
    const off = policy({ waivers: [waiver], profiles: { default: { severity: { "META-06": "off" } } } });
    const second = await review("--in", plan, "--policy", off);
    expect(second.report?.findings.some(({ rule }) => rule === "META-06")).toBe(false);
  });
});
