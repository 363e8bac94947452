import { expect, test } from "@jest/globals";
import { budgets, renderMarkdown } from "../../../review/render/markdown.ts";
import { changeOf, planOf } from "../change-of.ts";
import { reportOf } from "./outputs.ts";

/** Comments within the budgets of the hosts. */

const before = (nth: number) => ({ vpcId: "vpc-1", name: `data-${nth}`, sizeGb: 10, volumeType: "ssd" });
const changes = {
  create: (nth: number) =>
    changeOf("volume", undefined, before(nth), { address: `kcloud_volume.data[${nth}]` }),
  update: (nth: number) =>
    changeOf(
      "volume",
      before(nth),
      { ...before(nth), sizeGb: 20 + nth },
      { address: `kcloud_volume.data[${nth}]` },
    ),
  delete: (nth: number) =>
    changeOf("volume", before(nth), undefined, { address: `kcloud_volume.data[${nth}]` }),
};

/** Returns the number of entries of a section: those that it lists and match `marked`, and those that it only counts. */
function listedIn(text: string, title: string, marked = /^- /): number {
  const section = text.split(/^### /m).find((part) => part.startsWith(title)) ?? "";
  const entries = section.split("\n").filter((line) => line.startsWith("- "));
  const rest = Number(/^- and (\d+) more/m.exec(section)?.[1] ?? 0);
  return entries.filter((line) => !/^- and \d+ more/.test(line) && marked.test(line)).length + rest;
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

test("the names of deleted objects are shown if they fit", () => {
  const report = reportOf([planOf(Array.from({ length: 200 }, (_, nth) => changes.delete(nth)))]);
  const text = renderMarkdown(report, { budget: budgets.github, reportUrl: undefined, symbols: "emoji" });
  for (let nth = 0; nth < 200; nth++) expect(text).toContain(`data-${nth}`);
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

test("the shortest comment has the number of omitted changes", () => {
  const many = Array.from({ length: 2_000 }, (_, nth) => changes[nth % 2 === 0 ? "delete" : "create"](nth));
  const text = renderMarkdown(reportOf([planOf(many)]), {
    budget: budgets.bitbucket,
    reportUrl: undefined,
    symbols: "emoji",
  });
  expect(text).toContain("1000 changes in short form, 1000 omitted.");
});
