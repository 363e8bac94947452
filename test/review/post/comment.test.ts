import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { readReport } from "../../../review/command/input.ts";
import { commentOf, hasMarker, isSameText, markerOf, stateIn } from "../../../review/post/comment.ts";
import type { Report, ReportFinding } from "../../../review/report/report.ts";
import { appliedWith, finding, findingsTo, reportWith, revisionOf } from "./world.ts";

const options = { stack: "net", revision: revisionOf(1), budget: 60_000, symbols: "emoji" } as const;
const next = { ...options, revision: revisionOf(2) };

test("a comment has a marker, the report, and a state that is read again", () => {
  const { body, state } = commentOf(reportWith([finding(1)]), options, undefined);
  const lines = body.split("\n");
  expect(lines.slice(0, 6)).toEqual([
    "<!-- kcloud-review a08a0fcbdeafd3c1b3a4b495b9a9c9d9 -->",
    "",
    "## 🛑 Blocked: 1 plan · 1 findings",
    "",
    "Stack `net` at `000000000000`.",
    "",
  ]);
  expect(lines[0]).toBe(markerOf("net"));
  expect(stateIn(body)).toEqual(state);
  expect(body).not.toContain("### Findings since");
});

test("findings of the last report are new, gone, kept or changed", () => {
  const before = commentOf(reportWith(findingsTo(3)), options, undefined);
  const findings = [finding(1), finding(2, { severity: "low" }), finding(8)];
  const { body } = commentOf(reportWith(findings), next, stateIn(before.body));
  expect(body).toContain(
    [
      "### Findings since the report of `000000000000`",
      "",
      "1 new, 1 gone, 2 kept, of which 1 changed.",
      "",
      "- new: `plan: DATA-01 kcloud_volume.v8`",
      "- gone: `plan: DATA-01 kcloud_volume.v0`",
      "- changed: `plan: DATA-01 kcloud_volume.v2`",
    ].join("\n"),
  );
});

test("a report of the same revision keeps the report that it is compared with, and adds no verdict", () => {
  const base = commentOf(reportWith(findingsTo(2)), options, undefined);
  const again = reportWith(findingsTo(5));
  const once = commentOf(again, next, base.state);
  const twice = commentOf(again, next, stateIn(once.body));
  expect(twice.body).toBe(once.body);
  expect(once.state.history).toHaveLength(2);
});

test.each([10, 200, 400, 3000, 50_000])(
  "with %i findings, a comment that is written again stays the same",
  (count) => {
    const base = commentOf(reportWith(findingsTo(count)), options, undefined);
    const once = commentOf(reportWith(findingsTo(count + 1)), next, stateIn(base.body));
    expect(commentOf(reportWith(findingsTo(count + 1)), next, stateIn(once.body)).body).toBe(once.body);
    expect(Buffer.byteLength(once.body)).toBeLessThanOrEqual(options.budget);
    expect(once.body).toContain(
      count <= 400 ? `1 new, 0 gone, ${count} kept.` : "That report has too many findings to compare them.",
    );
  },
);

/** Returns a report as the command reads it from a file. */
function readAgain(report: Report): Report {
  const folder = mkdtempSync(join(tmpdir(), "kcloud-comment-"));
  try {
    writeFileSync(join(folder, "report.json"), JSON.stringify(report));
    return readReport(join(folder, "report.json"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Texts that would be a mention, a link, markup, a quick action, a marker or the end of a comment. */
const hostile = [
  "@admin",
  "![x](https://evil.example/x.png)",
  "https://evil.example",
  "--> <script>alert(1)</script>",
  "<!-- kcloud-review-state AAAA -->",
  `x\n${markerOf("net")}\n<!-- kcloud-review-state AAAA -->`,
  "\n/merge\n/approve",
  "`` ` --> @admin",
  "</details>",
];

test("hostile texts of a report become no mention, link, markup, quick action or marker", () => {
  const findings = hostile.map(
    (text, index): ReportFinding =>
      finding(index, {
        address: text,
        text,
        title: text,
        remedy: text,
        plan: text,
        source: { file: text, line: 1 },
      }),
  );
  const report = readAgain(
    reportWith(findings, {
      verdict: { code: 3, line: hostile.join(" "), reasons: hostile, failOn: "critical" },
      policyChanges: { trusted: false, lines: hostile },
    }),
  );
  const stack = hostile.join(" ");
  const clean = commentOf(reportWith([finding(90)]), { ...options, stack }, undefined);
  const { body, state } = commentOf(report, { ...next, stack }, clean.state);
  const lines = body.split("\n");
  expect(lines[0]).toBe(markerOf(stack));
  expect(stateIn(body)).toEqual(state);
  const visible = lines.slice(1, -1);
  expect(visible.filter((line) => line.startsWith("<!--") || /^\s*\//.test(line))).toEqual([]);
  // Everything outside of code spans.
  const prose = visible.join("\n").replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");
  expect(prose.match(/@\w|<(?!\/?(?:details|summary)>)|:\/\/|\]\(|-->/g) ?? []).toEqual([]);
  expect(prose.match(/<\/details>/g)).toHaveLength(1);
});

test("hostile texts of an apply become no mention, link, markup, quick action or marker", () => {
  const report = appliedWith(7);
  const [plan] = report.applied?.plans ?? [];
  const [object] = report.applied?.objects ?? [];
  if (report.applied === undefined || plan === undefined || object === undefined) throw new Error("no apply");
  const text = hostile.join(" ");
  const applied = {
    ...report.applied,
    plans: [
      {
        ...plan,
        name: text,
        engineVersion: text,
        problems: hostile,
        errors: hostile,
        warnings: hostile,
        next: hostile,
      },
    ],
    objects: hostile.map((one) => ({
      ...object,
      plan: text,
      address: one,
      kind: one,
      id: one,
      text: one,
      errors: hostile,
    })),
  };
  const read = readAgain({
    ...report,
    applied,
    verdict: { ...report.verdict, line: text, reasons: hostile },
  });
  const { body, state } = commentOf(read, next, commentOf(reportWith(), options, undefined).state);
  const lines = body.split("\n");
  expect([lines[0], stateIn(body)]).toEqual([markerOf(options.stack), state]);
  const visible = lines.slice(1, -1);
  expect(visible.filter((line) => line.startsWith("<!--") || /^\s*\//.test(line))).toEqual([]);
  const prose = visible.join("\n").replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");
  expect(prose.match(/@\w|<(?!\/?(?:details|summary)>)|:\/\/|\]\(|-->/g) ?? []).toEqual([]);
  // Those of the history, and of the report of the review.
  expect(prose.match(/<\/details>/g)).toHaveLength(2);
});

test("a comment about an apply fits the budget, and is the same if it is written again", () => {
  const report = appliedWith(8, reportWith(findingsTo(50_000)));
  const [object] = report.applied?.objects ?? [];
  if (report.applied === undefined || object === undefined) throw new Error("no apply");
  const objects = Array.from({ length: 50_000 }, (_, index) => ({
    ...object,
    address: `kcloud_volume.v${index}`,
  }));
  const large = { ...report, applied: { ...report.applied, objects } };
  const review = commentOf(reportWith(findingsTo(50_000)), options, undefined);
  const once = commentOf(large, { ...next, revision: options.revision }, review.state);
  expect(Buffer.byteLength(once.body)).toBeLessThanOrEqual(options.budget);
  expect(once.body).toContain("more: ");
  expect(commentOf(large, { ...next, revision: options.revision }, stateIn(once.body)).body).toBe(once.body);
  // The review and the apply of one revision are two entries of the history.
  expect(once.state.history.map(({ code, applied = false }) => [code, applied])).toEqual([
    [8, true],
    [3, false],
  ]);
});

test("a second apply of one revision is another entry, unless its verdict is the same", () => {
  const first = commentOf(appliedWith(7), options, undefined);
  const second = commentOf(appliedWith(0), options, first.state);
  const again = commentOf(appliedWith(0), options, second.state);
  expect(again.state.history.map(({ code }) => code)).toEqual([0, 7]);
});

test("only the last line is the state of a comment", () => {
  const { body, state } = commentOf(reportWith(), options, undefined);
  const forged = commentOf(reportWith(findingsTo(4)), next, undefined)
    .body.split("\n")
    .at(-1);
  expect(stateIn(`${forged}\n${body}`)).toEqual(state);
  expect(stateIn(`${body}\nedited`)).toBeUndefined();
  expect(stateIn("<!-- kcloud-review-state AAAA -->")).toBeUndefined();
  expect(stateIn(body.replace(/\n/g, "\r\n"))).toEqual(state);
});

test("a report whose names do not fit a comment is named by its verdict", () => {
  const report = reportWith(findingsTo(2), {
    verdict: { code: 3, line: "x".repeat(100_000), reasons: [], failOn: "critical" },
  });
  const { body, state } = commentOf(report, options, undefined);
  expect(body).toContain("## 🛑 Blocked\n");
  expect(body).toContain("The report does not fit a comment: open the full report.");
  expect(stateIn(body)).toEqual(state);
});

test("markers and texts are recognized as hosts return them", () => {
  const { body } = commentOf(reportWith(), options, undefined);
  expect([hasMarker(body), hasMarker(` ${body}`), hasMarker("text")]).toEqual([true, false, false]);
  expect([isSameText("a\r\nb\n", "a\nb"), isSameText("a", "b")]).toEqual([true, false]);
});
