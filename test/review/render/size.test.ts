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

/** Returns how many entries a section lists, with those that it only counts. */
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

test("the names of deleted objects are shown as long as they fit", () => {
  const report = reportOf([planOf(Array.from({ length: 200 }, (_, nth) => changes.delete(nth)))]);
  const text = renderMarkdown(report, { budget: budgets.github, reportUrl: undefined, symbols: "emoji" });
  for (let nth = 0; nth < 200; nth++) expect(text).toContain(`data-${nth}`);
});
