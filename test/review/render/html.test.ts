import { expect, test } from "@jest/globals";
import { axeSource } from "../../../tools/browser/browser.ts";
import { appliedReport } from "../applied/fixture.ts";
import { changeOf, planOf } from "../change-of.ts";
import { reportOf } from "./outputs.ts";
import { openAll, usePages } from "./page/open.ts";
import { everything, fixtures, many, shop, volume } from "./page/scene.ts";

/** The HTML report in Chromium: accessibility, keyboard, width, and that it sends and runs nothing else. */

const openPage = usePages();

test.each([
  { scheme: "light", width: 1100 },
  { scheme: "dark", width: 1100 },
  { scheme: "light", width: 375 },
  { scheme: "dark", width: 375 },
] as const)("axe finds no violation in the $scheme page, $width pixels wide", async ({ scheme, width }) => {
  const viewport = { width, height: 800 };
  const { applied } = appliedReport("terraform-failed");
  const { page } = await openPage({ ...everything, applied }, "", { colorScheme: scheme, viewport });
  await openAll(page);
  const violations = await page.evaluate(
    `${await axeSource()}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary).join("; ")))`,
  );
  expect(violations).toEqual([]);
});

test.each([
  { name: "every section", report: everything },
  { name: "no changes", report: fixtures("opentofu-drift.json") },
  { name: "1,000 changes", report: many(1_000) },
])("the page of $name sends no request and writes no message", async ({ report }) => {
  const { page, requests, messages } = await openPage(report);
  await openAll(page);
  expect([requests, messages]).toEqual([[], []]);
});

test("the content security policy of the page blocks requests, other scripts and styles", async () => {
  const { page } = await openPage(shop);
  const results = await page.evaluate(`(async () => {
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    const style = document.createElement("style");
    style.textContent = "body { display: none }";
    document.body.append(script, style);
    const image = new Image();
    const loaded = new Promise((done) => { image.onload = () => done("loaded"); image.onerror = () => done("blocked"); });
    image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
    document.body.setAttribute("onclick", "globalThis.ran = true");
    document.body.click();
    return [
      String(globalThis.ran),
      getComputedStyle(document.body).display,
      await loaded,
      await fetch("https://evil.example/").then(() => "sent", ({ message }) => message.includes("Content Security Policy") || message === "Failed to fetch" ? "blocked" : message),
    ];
  })()`);
  expect(results).toEqual(["undefined", "block", "blocked", "blocked"]);
});

test("every control is reached by Tab, in the order of the page, and shows the focus", async () => {
  const { page } = await openPage(shop);
  const visible: string[] = await page.evaluate(
    "[...document.querySelectorAll('a, button, input, select, summary, [tabindex=\"0\"]')].filter((one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true })).map((one, at) => { one.dataset.nth = at; return String(at) })",
  );
  const reached: string[] = [];
  const unseen: string[] = [];
  for (let step = 0; step < visible.length; step++) {
    await page.keyboard.press("Tab");
    const [nth = "", style = "", text = ""]: string[] = await page.evaluate(
      "[document.activeElement.dataset.nth, getComputedStyle(document.activeElement).outlineStyle, document.activeElement.outerHTML.slice(0, 80)]",
    );
    reached.push(nth);
    if (style === "none") unseen.push(text);
  }
  expect(reached).toEqual(visible);
  expect(unseen).toEqual([]);
  expect(visible.length).toBeGreaterThan(50);
});

test("long names and values stay within a narrow page", async () => {
  const name = "x".repeat(300);
  const own = { ...volume(1), name };
  const changed = changeOf(
    "volume",
    own,
    { ...own, sizeGb: 20, volumeType: "y".repeat(400) },
    { address: `kcloud_volume.${name}` },
  );
  const deleted = changeOf("volume", own, undefined, {
    address: `module.${name}.kcloud_volume.gone`,
    id: name,
  });
  const viewport = { width: 320, height: 800 };
  const { page } = await openPage(reportOf([planOf([changed, deleted])]), "", { viewport });
  await openAll(page);
  expect(
    await page.evaluate(
      "[...document.querySelectorAll('body *:not(svg *, svg)')].filter((one) => one.getBoundingClientRect().right > 320).map((one) => one.outerHTML.slice(0, 100))",
    ),
  ).toEqual([]);
});

test("what the apply did stays within a narrow page, and its objects link to their changes", async () => {
  const viewport = { width: 320, height: 800 };
  const report = appliedReport("terraform-failed");
  const { page } = await openPage(report, "", { viewport });
  await openAll(page);
  expect(
    await page.evaluate(
      "[...document.querySelectorAll('#applied *')].filter((one) => one.getBoundingClientRect().right > 320).map((one) => one.outerHTML.slice(0, 100))",
    ),
  ).toEqual([]);
  await page.evaluate(`document.querySelector("#applied a[href$='change=kcloud_volume.fresh']").click()`);
  expect(await page.evaluate("location.hash")).toBe("#plan=net&change=kcloud_volume.fresh");
});

test("without scripts, the page shows the verdict, the findings and what is destroyed", async () => {
  const { page } = await openPage(shop, "", { javaScriptEnabled: false });
  const text = await page.textContent("body");
  for (const part of [
    shop.verdict.line,
    ...shop.findings.flatMap(({ text: about, remedy }) => [about, remedy]),
    ...shop.changes.flatMap(({ action, id }) => (action === "delete" || action === "replace" ? [id] : [])),
  ])
    expect(text).toContain(part);
});
