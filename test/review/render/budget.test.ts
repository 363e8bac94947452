import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { budgets, renderMarkdown } from "../../../review/render/markdown.ts";
import { changeOf, planOf } from "../change-of.ts";
import { reportOf } from "./outputs.ts";
import { changes, countedIn } from "./size.ts";

/** Comments within the budgets of the hosts. */

/** Returns the number of objects of a section, shown or omitted. */
function listedIn(text: string, title: string, marked?: RegExp): number {
  const { shown = 0, omitted = 0 } = countedIn(text, title, marked) ?? {};
  return shown + omitted;
}

const hosts = Object.entries(budgets).filter(([host]) => host !== "none");

test.each(
  (Object.keys(changes) as (keyof typeof changes)[]).flatMap((action) =>
    [1, 30, 1_000, 10_000].map((count) => ({ action, count })),
  ),
)("a comment about $count × $action fits each host", ({ action, count }) => {
  const report = reportOf([planOf(Array.from({ length: count }, (_, nth) => changes[action](nth)))]);
  for (const [host, budget] of hosts) {
    const text = renderMarkdown(report, { budget, reportUrl: "https://ci.example/1", symbols: "emoji" });
    expect([host, Buffer.byteLength(text) <= budget]).toEqual([host, true]);
    expect(text).toContain(`${count} ${action}`);
    expect(text).toContain(report.approval.digest);
    const severe = report.findings.filter(({ severity }) => severity === "critical" || severity === "high");
    expect([host, listedIn(text, "Findings", /\*\*(critical|high)\*\*/)]).toEqual([host, severe.length]);
    const destroyed = action === "delete" ? count : 0;
    expect([host, listedIn(text, "Deleted")]).toEqual([host, destroyed]);
    expect((text.match(/`/g) ?? []).length % 2).toBe(0);
  }
});

test.each(hosts)(
  "the parts from the reviewed revision and the last report fit into a comment of %s",
  (_, budget) => {
    const report = reportOf([planOf(Array.from({ length: 300 }, (_row, nth) => changes.delete(nth)))]);
    const text = renderMarkdown(
      {
        ...report,
        verdict: { ...report.verdict, reasons: Array.from({ length: 100 }, () => "<`_*#>".repeat(60)) },
        policyChanges: { trusted: false, lines: Array.from({ length: 21 }, () => "<`_*#>".repeat(50)) },
        plans: report.plans.map((plan) => ({
          ...plan,
          unknownParts: Array.from({ length: 1_000 }, (_part, nth) => `part-${nth}`.repeat(100)),
        })),
        since: {
          added: Array.from({ length: 5_000 }, (_name, nth) => `plan: create ${"x".repeat(900)}${nth}`),
          changed: [],
          removed: [],
        },
      },
      { budget, reportUrl: "https://ci.example/1", symbols: "emoji" },
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
    expect(listedIn(text, "Deleted")).toBe(300);
    expect(text).toMatch(/^### This revision changes the policy$/m);
  },
);

test("the URL of the full report keeps its escapes", () => {
  const report = reportOf([planOf([changes.create(0)])]);
  const reportUrl = "https://ci.example/a%20b?signature=a%2Fb%3D&x=<1>";
  expect(renderMarkdown(report, { budget: budgets.github, reportUrl, symbols: "emoji" })).toContain(
    "<https://ci.example/a%20b?signature=a%2Fb%3D&x=%3C1%3E>",
  );
});

const severities = ["critical", "high", "medium", "low"] as const;

const label = fc.string({ unit: fc.constantFrom(..."ab`_*<é字"), minLength: 1, maxLength: 30 });

const someChanges = fc
  .array(fc.tuple(fc.constantFrom("create", "update", "delete", "tag"), label, fc.nat(5)), { maxLength: 150 })
  .map((rows) =>
    rows.map(([action, name, number], nth) => {
      const volume = { vpcId: "vpc-1", name, sizeGb: 10, volumeType: "ssd" };
      const address = `kcloud_volume.data[${JSON.stringify(`${name}${nth}`)}]`;
      const after =
        action === "tag"
          ? { ...volume, metadata: { [`k${number}`]: name } }
          : { ...volume, sizeGb: 20 + number };
      return changeOf(
        "volume",
        action === "create" ? undefined : volume,
        action === "delete" ? undefined : after,
        {
          address,
          id: action === "create" ? undefined : `volume-id-${nth}`,
        },
      );
    }),
  );

const someFindings = fc
  .array(fc.tuple(fc.constantFrom(...severities), fc.nat(40), label), { maxLength: 200 })
  .map((rows) =>
    rows
      .map(([severity, number, text], nth) => ({
        fingerprint: String(nth),
        rule: `ACME-${String(number).padStart(2, "0")}`,
        title: `Rule ${number}`,
        severity,
        confidence: "proven" as const,
        plan: "plan",
        address: `a.${text}`,
        text: `It is ${text}.`,
        remedy: "Change it.",
      }))
      .toSorted(
        (a, b) =>
          severities.indexOf(a.severity) - severities.indexOf(b.severity) || (a.rule < b.rule ? -1 : 1),
      ),
  );

test("a comment of any budget counts everything once, findings first, in any order of the input", () => {
  fc.assert(
    fc.property(
      someChanges,
      someFindings,
      fc.integer({ min: 9_000, max: 60_000 }),
      (rows, findings, budget) => {
        const report = { ...reportOf([planOf(rows)]), findings };
        const options = { budget, reportUrl: "https://ci.example/1", symbols: "emoji" } as const;
        const text = renderMarkdown(report, options);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
        expect(listedIn(text, "Findings")).toBe(findings.length);
        for (const severity of severities) {
          const count = findings.filter((finding) => finding.severity === severity).length;
          expect(listedIn(text, "Findings", new RegExp(`\\*\\*${severity}\\*\\*`))).toBe(count);
        }
        const titles = ["Deleted", "Updated", "Created"];
        const counts = titles.map((title) => listedIn(text, title));
        const of = (action: string) => report.changes.filter((change) => change.action === action).length;
        expect(counts).toEqual(["delete", "update", "create"].map(of));
        const patterns = countedIn(text, "Changes");
        if (patterns !== undefined) expect(patterns.shown + patterns.omitted).toBe(report.changes.length);
        else for (const title of titles) expect(countedIn(text, title)?.omitted ?? 0).toBe(0);
        const places = ["Findings", "Changes", ...titles]
          .map((title) => text.indexOf(`\n### ${title} (`))
          .filter((at) => at >= 0);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        // Ids only of what is destroyed.
        for (const { action, id = "" } of report.changes)
          if (action === "update") expect(text).not.toContain(`\`${id}\``);
        const reversed = { ...reportOf([planOf(rows.toReversed())]), findings };
        expect(renderMarkdown(reversed, options)).toBe(text);
      },
    ),
    { numRuns: 150 },
  );
}, 60_000);
