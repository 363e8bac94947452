import { expect, test } from "@jest/globals";
import { budgets, renderMarkdown } from "../../../review/render/markdown.ts";
import { changeOf, planOf } from "../change-of.ts";
import { reportOf } from "./outputs.ts";
import { changes, countedIn } from "./size.ts";

/** Returns the number of objects of a section, shown or omitted. */
function listedIn(text: string, title: string, marked?: RegExp): number {
  const { shown = 0, omitted = 0 } = countedIn(text, title, marked) ?? {};
  return shown + omitted;
}

test("the names of deleted objects are shown if they fit", () => {
  const report = reportOf([planOf(Array.from({ length: 200 }, (_, nth) => changes.delete(nth)))]);
  const text = renderMarkdown(report, { budget: budgets.github, reportUrl: undefined, symbols: "emoji" });
  for (let nth = 0; nth < 200; nth++) expect(text).toContain(`data-${nth}`);
});

test("a comment that omits changes counts them by kind", () => {
  const many = Array.from({ length: 2_000 }, (_, nth) => changes[nth % 2 === 0 ? "delete" : "create"](nth));
  const text = renderMarkdown(reportOf([planOf(many)]), {
    budget: budgets.bitbucket,
    reportUrl: undefined,
    symbols: "emoji",
  });
  expect(countedIn(text, "Changes")).toEqual({ heading: 2_000, shown: 2_000, omitted: 0 });
  expect(listedIn(text, "Created")).toBe(1_000);
  expect(text).toMatch(/^- \d+ more: \d+ × `volume`$/m);
});

test("findings of every severity and the pattern of 1,201 updates fit the smallest comment", () => {
  const bucket = (nth: number, v: string) => ({ name: `bucket-${nth}`, tags: { v } });
  const updates = Array.from({ length: 1_200 }, (_, nth) =>
    changeOf("bucket", bucket(nth, "1"), bucket(nth, `2-${nth}`), { address: `kcloud_bucket.b[${nth}]` }),
  );
  const other = changeOf(
    "instance",
    { vpcId: "vpc-1", name: "web", imageId: "image-1", instanceType: "small", isRunning: true },
    { vpcId: "vpc-1", name: "web", imageId: "image-1", instanceType: "large", isRunning: true },
  );
  const report = reportOf([planOf([...updates, other])]);
  const text = renderMarkdown(report, { budget: budgets.bitbucket, symbols: "emoji" });
  expect(text).toContain("- update 1200 × `bucket`: `tags.v`\n");
  expect(listedIn(text, "Findings")).toBe(report.findings.length);
  expect(Buffer.byteLength(text)).toBeGreaterThan(budgets.bitbucket * 0.9);
});

test("one very long name hides no other object, and its length is shown", () => {
  const volume = (name: string) => ({ vpcId: "vpc-1", name, sizeGb: 10, volumeType: "ssd" });
  const deletes = ["x".repeat(100_000), ...Array.from({ length: 30 }, (_, nth) => `data-${nth}`)].map(
    (name, nth) =>
      changeOf("volume", volume(name), undefined, {
        address: `kcloud_volume.data[${JSON.stringify(name)}]`,
        id: `id-${nth}`,
      }),
  );
  const report = reportOf([planOf(deletes)]);
  for (const budget of [30_000, 60_000, 950_000]) {
    const text = renderMarkdown(report, { budget, symbols: "emoji" });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
    expect(text).toMatch(/x… \(\d+ characters\)/);
    expect(listedIn(text, "Deleted")).toBe(31);
    expect(listedIn(text, "Findings")).toBe(report.findings.length);
    for (let nth = 0; nth < 30; nth++) expect(text).toContain(`data-${nth}`);
  }
});
