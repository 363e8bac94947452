import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { noRehearsals, readRehearsals } from "../../../review/command/rehearsal.ts";
import type { Rehearsed } from "../../../review/model/outcome.ts";
import type { Plan } from "../../../review/model/plan.ts";
import type { Rehearsal } from "../../../review/model/rehearsal.ts";
import { readPlan } from "../../../review/read/read.ts";
import type { Report, ReportFinding } from "../../../review/report/report.ts";
import { canary } from "../change.ts";
import { rehearsalOf } from "../rehearsal-of.ts";
import { reportOf } from "../render/outputs.ts";
import {
  at,
  describeReview,
  file,
  fixtures,
  plan,
  planWith,
  policy,
  preview,
  report,
  soon,
  text,
} from "./world.ts";

/** Rehearsals of the inputs of a command line. */

const net = readPlan("net", text);

/** Writes the rehearsal of the plan, and returns its path. */
const written = (more: Partial<Rehearsal> = {}, name = "rehearsal.json"): string =>
  file(name, rehearsalOf(net, more));

const orders = "kcloud_volume.orders";

const bad: Partial<Rehearsal> = {
  isComplete: false,
  errors: [
    { address: orders, text: "409 Conflict: the volume is in use" },
    { address: 'kcloud_port.gone["a"]', text: "404" },
    { text: "Error: the plugin crashed" },
  ],
  absent: ['the address 203.0.113.7 at the instance "machine"'],
};

/** Returns what the rules of the families of plans found. */
const withoutRehearsal = (findings: readonly ReportFinding[]): ReportFinding[] =>
  findings.filter(({ rule }) => !rule.startsWith("RUN-"));

describeReview("%s", (_, run, review) => {
  test("a rehearsal adds findings to the report, and changes no other", async () => {
    const before = await review("--in", `net=${plan}`, "--fail-on", "none");
    const ran = await review("--in", `net=${plan}`, "--rehearsal", written(bad), "--fail-on", "none");
    expect([before.code, ran.code, ran.stderr]).toEqual([0, 0, ""]);
    const findings = ran.report?.findings ?? [];
    expect(withoutRehearsal(findings)).toEqual(before.report?.findings);
    expect(
      findings
        .filter(({ rule }) => rule.startsWith("RUN-"))
        .map(({ rule, severity, plan: name, address, id, kind }) => [
          ...[rule, severity, name, address, id !== undefined, kind],
        ]),
    ).toEqual([
      ["RUN-01", "high", "net", 'kcloud_port.gone["a"]', false, undefined],
      ["RUN-01", "high", "net", orders, true, "volume"],
      ["RUN-01", "high", "net", "net", false, undefined],
      ["RUN-04", "medium", "net", "net", false, undefined],
    ]);
    expect(ran.report?.approval).toEqual(before.report?.approval);
  });

  test("3: a failure blocks at its severity, unless it is waived", async () => {
    const args = ["--in", `net=${planWith({ resource_drift: [] })}`];
    const other = readPlan("net", readFileSync(at("other.json"), "utf8"));
    const errors = [{ address: orders, text: "409 Conflict" }];
    const path = file("rehearsal.json", rehearsalOf(other, { errors }));
    const severity = Object.fromEntries(
      [...new Set(reportOf([other]).findings.map(({ rule }) => rule))].map((rule) => [rule, "off"]),
    );
    const waiver = { rule: "RUN-01", address: orders, owner: "ann", reason: "known", until: soon };
    for (const [waivers, code] of [
      [[], 3],
      [[waiver], 0],
    ] as const) {
      const folder = policy({ profiles: { default: { failOn: "high", severity } }, waivers });
      expect((await run([...args, "--rehearsal", path, "--policy", folder])).code).toBe(code);
    }
  });

  test.each([
    ["a text", () => file("r.json", "The change applies."), "it is not JSON, or is truncated"],
    ["a plan", () => file("r.json", text), "it is not a rehearsal: kcloud rehearse --out writes one"],
    [
      "another version",
      () => written({ version: 2 } as object, "r.json"),
      "it is a rehearsal of version 2; this version of kcloud reads version 1",
    ],
    [
      "a damaged file",
      () => written({ errors: [{}] } as object, "r.json"),
      "it is a damaged rehearsal: errors.0.text: Invalid input",
    ],
    [
      "the rehearsal of another plan",
      () => file("r.json", rehearsalOf(readPlan("app", readFileSync(preview, "utf8")))),
      "it is of another plan than net: rehearse the plan that is reviewed (kcloud rehearse --plan)",
    ],
  ] as const)("4: %s is no rehearsal of the input; the report is written", async (_name, path, reason) => {
    const ran = await review("--in", `net=${plan}`, "--rehearsal", path(), "--fail-on", "none");
    const [first = "", ...others] = ran.report?.verdict.reasons ?? [];
    expect([ran.code, ran.report?.verdict.code, others]).toEqual([4, 4, []]);
    expect(first.slice(0, first.indexOf("it "))).toBe(`The rehearsal ${at("r.json")} cannot be used: `);
    expect(first.slice(first.indexOf("it "))).toMatch(reason);
    expect(ran.report?.rehearsals).toBeUndefined();
    expect(ran.report?.changes.length).toBeGreaterThan(0);
  });

  test("no output shows a credential or a sensitive value of the plan in a text of a rehearsal", async () => {
    const token = `ghp_${"a".repeat(36)}`;
    const texts = [`401 for ${token}`, `#!/bin/sh\necho ${canary}\n`];
    const errors = texts.map((one) => ({ address: `kcloud_port.x["${token}"]`, text: one }));
    const path = written({ errors, absent: texts, assumed: texts, unconfined: texts.join(" ") });
    const args = ["--in", `net=${plan}`, "--rehearsal", path, "--fail-on", "none"];
    for (const format of ["text", "md", "html", "json", "sarif", "junit", "gitlab", "annotations"]) {
      const { code, stdout } = await run([...args, "--out", format]);
      expect([format, code, stdout.includes(token), stdout.includes(canary)]).toEqual([
        ...[format, 0, false, false],
      ]);
    }
  });

  test("a rehearsal belongs to the input with its plan, or to the named one", async () => {
    const both = ["--in", `net=${plan}`, "--in", `app=${preview}`, "--fail-on", "none"];
    const ran = await review(...both, "--rehearsal", written());
    expect([ran.code, ran.report?.rehearsals?.map((one) => one.plan)]).toEqual([0, ["net"]]);
    expect((await review(...both, "--rehearsal", `net=${written()}`)).code).toBe(0);
    const other = await review(...both, "--rehearsal", `app=${written()}`);
    expect([other.code, other.report?.verdict.reasons]).toEqual([
      4,
      [expect.stringContaining("is of another plan than app")],
    ]);
  });

  test("4: an unnamed rehearsal of two equal plans is ambiguous", async () => {
    const equal = ["--in", `a=${plan}`, "--in", `b=${plan}`, "--fail-on", "none"];
    const ran = await review(...equal, "--rehearsal", written());
    expect([ran.code, ran.report?.verdict.reasons]).toEqual([
      4,
      [expect.stringContaining("it fits a and b: name the input, as in --rehearsal a=")],
    ]);
    const named = await review(...equal, "--rehearsal", `b=${written()}`);
    expect([named.code, named.report?.rehearsals?.map((one) => one.plan)]).toEqual([0, ["b"]]);
  });

  test("1: a rehearsal that cannot be opened, of an unknown input, of a report, and of verify", async () => {
    for (const [args, message] of [
      [["--in", plan, "--rehearsal", at("none.json")], /none\.json cannot be read: .*ENOENT/],
      [["--in", plan, "--rehearsal", "app=x.json"], /--rehearsal: no input is called app/],
      [["--in", "-", "--rehearsal", "-"], /standard input can be read once/],
      [["verify", "--in", plan, "--approved", "kr2-x", "--rehearsal", "x"], /verify only compares plans/],
    ] as const)
      expect(await run(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    await review("--in", plan);
    expect(await run(["--in", at("report.json"), "--rehearsal", written()])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("rehearsals are those of the JSON report"),
    });
  });

  test("a JSON report with a rehearsal is written in every other format, and compared with the last one", async () => {
    const args = ["--in", `net=${plan}`, "--fail-on", "none"];
    await review(...args);
    const previous = file("previous.json", report());
    const ran = await review(...args, "--rehearsal", written(bad), "--previous", previous);
    expect(ran.report?.since?.added).toEqual([
      ...['net: RUN-01 kcloud_port.gone["a"]', `net: RUN-01 ${orders}`, "net: RUN-01 net"],
      "net: RUN-04 net",
    ]);
    const again = file("again.json", report());
    for (const [format, part] of [
      ["text", "net: the apply fails. Rehearsed with Terraform 1.16.0;"],
      ["md", "### Rehearsal\n\n- net: the apply fails\\."],
      ["html", "<h3>net: the apply fails. Rehearsed with"],
      ["sarif", '"ruleId": "RUN-01"'],
      ["junit", "RUN-01"],
      ["gitlab", "RUN-01"],
      ["annotations", "RUN-04"],
      ["json", '"outcome": "fails"'],
    ] as const)
      expect((await run(["--in", again, "--out", format])).stdout).toContain(part.replace("\\", ""));
  });

  test("3: a profile requires a rehearsal, which the policy of the reviewed revision cannot drop", async () => {
    const severity = Object.fromEntries(
      [...new Set(reportOf([net]).findings.map(({ rule }) => rule))].map((rule) => [rule, "off"]),
    );
    const folder = policy({ profiles: { default: { severity, requireRehearsal: true } } });
    const args = ["--in", `net=${plan}`, "--policy", folder];
    const missing = await review(...args);
    expect([missing.code, missing.report?.findings.map(({ rule }) => rule)]).toEqual([3, ["RUN-09"]]);
    expect((await review(...args, "--rehearsal", written())).code).toBe(0);
    expect((await review(...args, "--rehearsal", written({ isComplete: false }))).code).toBe(3);
    mkdirSync(at("head"));
    file("head/kcloud-review.json", { profiles: { default: { severity, requireRehearsal: false } } });
    const dropped = await review(...args, "--policy-head", at("head"));
    expect([dropped.code, dropped.report?.policyChanges.lines]).toEqual([
      3,
      ['Changes requireRehearsal of the profile "default" from true to false.'],
    ]);
  });
});

/** Returns a rehearsal in which everything is bad that can be. */
const worstOf = (input: Plan): Rehearsed => ({
  plan: input.name,
  rehearsal: rehearsalOf(input, {
    ...bad,
    errors: input.changes.map(({ address }) => ({ address, text: "no" })),
    secondPlan: input.changes.map(({ address }) => address),
    differences: ["x: create in the given plan, nothing in the rehearsed one"],
    objects: rehearsalOf(input).objects.map((object) => ({
      ...object,
      class: "not reached",
      isInterrupted: true,
      assumptions: ["quotas"],
    })),
    unconfined: "it was not",
    drill: { seed: 1, runs: [{ request: "r", fault: "f", problem: "lost" }] },
  }),
});

const plans = readdirSync(fixtures, { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.jsonl?$/.test(name),
);

/** Returns a report without the parts to which a rehearsal adds, or whose order follows from the findings. */
const rest = ({ findings, changes, verdict, rehearsals, graph, ...others }: Report) => ({
  ...others,
  changes: changes.map((change) => JSON.stringify(change)).toSorted(),
});

test("the other findings of every fixture are the same with and without a rehearsal, good or bad", () => {
  for (const name of plans) {
    const input = readPlan("net", readFileSync(join(fixtures, name), "utf8"));
    const alone = reportOf([input]);
    const good: Rehearsed = { plan: "net", rehearsal: rehearsalOf(input) };
    for (const rehearsed of [good, worstOf(input)]) {
      const both = reportOf([input], undefined, [rehearsed]);
      expect([name, withoutRehearsal(both.findings)]).toEqual([name, alone.findings]);
      expect([name, rest(both)]).toEqual([name, rest(alone)]);
      expect([name, both.findings.length > alone.findings.length]).toEqual([name, rehearsed !== good]);
    }
  }
});

test("the rehearsal of the JSON of a plan belongs to its plan file too, which holds more", () => {
  const configuration = { "": "digest" };
  const command = { kind: "command", address: "a", type: "local-exec", isPartial: true } as const;
  const json: Plan = { ...net, invocations: [command] };
  const path = file("rehearsal.json", rehearsalOf(json));
  const found = readRehearsals([{ name: undefined, path }], [{ ...json, configuration }]);
  expect([found.rehearsals.length, found.problems]).toEqual([1, []]);
  const other: Plan = { ...json, configuration, invocations: [{ ...command, address: "b" }] };
  expect(readRehearsals([{ name: undefined, path }], [other]).problems).toHaveLength(1);
});

test("an input that cannot be reviewed has no rehearsal, not even one of an empty plan", () => {
  const empty: Plan = { ...net, changes: [], outputs: [], invocations: [], providers: [], drift: [] };
  const path = file("rehearsal.json", rehearsalOf(empty));
  expect(readRehearsals([{ name: undefined, path }], [empty]).rehearsals).toHaveLength(1);
  const unknown: Plan = { ...empty, engine: "unknown", gaps: ["is a state"] };
  expect(readRehearsals([{ name: undefined, path }], [unknown]).problems).toHaveLength(1);
  expect(readRehearsals([], [unknown])).toEqual(noRehearsals);
});
