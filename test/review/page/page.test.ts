import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Change } from "../../../review/model/change.ts";
import { readPlan } from "../../../review/read/read.ts";
import { renderHtml } from "../../../review/render/html.ts";
import type { Report } from "../../../review/report/report.ts";
import { axeSource, type Page } from "../../../tools/browser/browser.ts";
import { changeOf, planOf, unchanged } from "../change-of.ts";
import { reportOf } from "../render/outputs.ts";
import { goTo, openPages, type Pages, until } from "./open.ts";

/** The HTML report in Chromium: keyboard, filter, references, accessibility, size, and that it sends and runs nothing else. */

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
afterAll(async () => {
  await pages.close();
});

const read = (name: string): string => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");
const fixtures = (...names: readonly string[]): Report =>
  reportOf(names.map((name) => readPlan(name.replace(/\..*/, ""), read(name))));

const shop = fixtures("terraform-1.16.0.json");
/** Report with every section: two engines, drift, moves, an error, and a policy that changes. */
const everything: Report = {
  ...fixtures(
    "terraform-1.16.0.json",
    "pulumi.json",
    "opentofu-drift.json",
    "opentofu-moved.json",
    "terraform-errored.json",
    "terraform-actions.json",
  ),
  policyChanges: { trusted: false, lines: ["Adds a waiver of DATA-01 for kcloud_volume.*"] },
  since: {
    added: ["shop: create kcloud_volume.new"],
    changed: [],
    removed: ["shop: update kcloud_volume.old"],
  },
};

const volume = (nth: number) => ({ vpcId: "vpc-of-all", name: `data-${nth}`, sizeGb: 10, volumeType: "ssd" });

/** Returns a report with the given numbers of creates, updates and deletes of volumes in one VPC. */
function many(count: number): Report {
  const changes = Array.from({ length: count }, (_, nth): Change => {
    const [from, to] = [volume(nth), { ...volume(nth), sizeGb: 20 }];
    const more = { address: `kcloud_volume.data[${nth}]` };
    return nth % 3 === 0
      ? changeOf("volume", undefined, to, more)
      : changeOf("volume", from, nth % 3 === 1 ? to : undefined, more);
  });
  const vpc = unchanged("vpc", { name: "net" }, { address: "kcloud_vpc.net", id: "vpc-of-all" });
  return reportOf([planOf([vpc, ...changes])]);
}

/** Returns the addresses of the changes in the list. */
const shown = (page: Page): Promise<string[]> =>
  page.evaluate("[...document.querySelectorAll('.change .what code')].map((one) => one.textContent)");

const status = (page: Page): Promise<string> =>
  page.evaluate("document.getElementById('status').textContent");

/** Returns a description of the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.textContent.trim()");

/** Presses Tab until the tag and text of the focused element begin with `start`. Throws after 300 presses. */
async function tabTo(page: Page, start: string): Promise<void> {
  for (let step = 0; step < 300; step++) {
    await page.keyboard.press("Tab");
    if ((await focused(page)).startsWith(start)) return;
  }
  throw new Error(`Tab does not reach ${start}`);
}

/** Opens all sections, the first changes and the commands of a page. */
async function openAll(page: Page): Promise<void> {
  await page.evaluate(
    "for (const one of [...document.querySelectorAll('details')].slice(0, 150)) one.open = true",
  );
  await until(page, "document.querySelector('.change[open] > :last-child:not(.body)') === null");
}

test.each([
  { scheme: "light", width: 1100 },
  { scheme: "dark", width: 1100 },
  { scheme: "light", width: 375 },
  { scheme: "dark", width: 375 },
] as const)("axe finds no violation in the $scheme page, $width pixels wide", async ({ scheme, width }) => {
  const viewport = { width, height: 800 };
  const { page } = await pages.open(everything, "", { colorScheme: scheme, viewport });
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
  const { page, requests, messages } = await pages.open(report);
  await openAll(page);
  expect([requests, messages]).toEqual([[], []]);
});

test("the content security policy of the page blocks requests, other scripts and styles", async () => {
  const { page } = await pages.open(shop);
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
  const { page } = await pages.open(shop);
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

test("a finding links to its change, which opens and closes by keyboard", async () => {
  const { page } = await pages.open(shop);
  await tabTo(page, "A kcloud_instance.machine");
  await page.keyboard.press("Enter");
  await until(page, "document.activeElement.tagName === 'SUMMARY'");
  expect(await focused(page)).toMatch(/^SUMMARY ±replace kcloud_instance\.machine/);
  expect(await page.evaluate("document.activeElement.parentElement.innerText")).toMatch(
    /instance_type\s+forces the replacement\s+"c1.small"\s+"c1.large"/,
  );
  // Enter closes and opens the change.
  for (const isOpen of [false, true]) {
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.parentElement.open")).toBe(isOpen);
  }
});

test("sections are folded by keyboard, and a link to a folded section opens the section", async () => {
  const { page } = await pages.open(shop);
  await tabTo(page, "SUMMARY Findings");
  await page.keyboard.press("Space");
  const state = "document.getElementById('findings').open";
  expect(await page.evaluate(state)).toBe(false);
  await page.evaluate("document.querySelector('nav a').focus()");
  await page.keyboard.press("Enter");
  await until(page, state);
});

test("the address of a section below the changes shows that section", async () => {
  const { page } = await pages.open(many(1_000), "#approval");
  const top = "document.getElementById('approval').getBoundingClientRect().top";
  await until(page, `${top} > 0 && ${top} < innerHeight`);
});

test("commands are copied by keyboard, ready for a shell", async () => {
  const hostile = `kcloud_volume.data["$(touch x)'; rm -rf ~ #"]`;
  const deleted = changeOf("volume", volume(1), undefined, { address: hostile });
  const { page, messages } = await pages.open(reportOf([planOf([deleted])]));
  await page.evaluate(
    "globalThis.copied = []; Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void copied.push(text) } })",
  );
  await tabTo(page, "SUMMARY Commands");
  await page.keyboard.press("Enter");
  await until(page, "document.querySelectorAll('.fold[open] .command').length > 1");
  for (let nth = 0; nth < 2; nth++) {
    await tabTo(page, "BUTTON Copy");
    await page.keyboard.press("Enter");
  }
  await until(page, "document.getElementById('said').textContent === 'Copied.'");
  expect(await page.evaluate("copied")).toEqual([
    "kcloud review explain DATA-01",
    `kcloud review waive DATA-01 --address 'kcloud_volume.data["$(touch x)'\\''; rm -rf ~ #"]' --owner NAME --reason TEXT --until DATE --policy DIR`,
  ]);
  expect(messages).toEqual([]);
});

test("without a clipboard, a command is selected", async () => {
  const { page } = await pages.open(shop, "#approval");
  await page.evaluate(
    "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.querySelector('#approval button').focus()",
  );
  await page.keyboard.press("Enter");
  await until(page, "document.getElementById('said').textContent.startsWith('Selected')");
  expect(await page.evaluate("String(getSelection())")).toBe(
    `kcloud review verify --in PLAN --approved ${shop.approval.digest}`,
  );
});

const inShop = (isWanted: (change: Report["changes"][number]) => boolean): string[] =>
  shop.changes.filter(isWanted).map(({ address }) => address);

test.each([
  { fragment: "#action=delete", expected: inShop(({ action }) => action === "delete") },
  { fragment: "#kind=volume&action=update", expected: ["kcloud_volume.archive"] },
  { fragment: "#finding=critical", expected: shop.changes.slice(0, 5).map(({ address }) => address) },
  { fragment: "#finding=NET-05", expected: ["kcloud_instance.machine"] },
  { fragment: "#search=C1.LARGE+machine", expected: ["kcloud_instance.machine"] },
  { fragment: "#search=nothing+is+called+so", expected: [] },
  { fragment: "#action=no+such+action", expected: inShop(() => true) },
])("the address $fragment filters the changes", async ({ fragment, expected }) => {
  expect(expected.length).toBeLessThanOrEqual(shop.changes.length);
  const { page } = await pages.open(shop, "");
  await goTo(page, fragment);
  expect(await shown(page)).toEqual(expected);
});

test("the search finds a value inside of a long text, which the change shows in part", async () => {
  const text = (port: number) => [...Array(300).keys(), `port ${port}`].join("\n");
  const template = (port: number) => ({ ...volume(port), description: text(port) });
  const changes = [4711, 815].map((port) =>
    changeOf("volume", template(80), template(port), { address: `kcloud_volume.at_${port}` }),
  );
  const { page } = await pages.open(reportOf([planOf(changes)]), "#search=port+4711");
  expect(await shown(page)).toEqual(["kcloud_volume.at_4711"]);
});

test("typing filters the changes, keeps the filter in the address, and a reset shows all again", async () => {
  const { page } = await pages.open(shop);
  await page.evaluate("document.querySelector('[name=search]').focus()");
  await page.keyboard.type("size_gb");
  expect(await shown(page)).toEqual(["kcloud_volume.archive", "kcloud_volume.queue"]);
  expect(await status(page)).toBe("2 of 9 changes");
  expect(await page.evaluate("location.hash")).toBe("#search=size_gb");
  await tabTo(page, "BUTTON Reset");
  await page.keyboard.press("Enter");
  await until(page, "document.querySelectorAll('.change').length === 9");
  expect(await status(page)).toBe("9 changes");
});

test.each([1_000, 10_000])(
  "a page of %d changes shows them in parts of 200, and a link opens any of them",
  async (count) => {
    const { page, messages } = await pages.open(many(count));
    expect(await status(page)).toBe(`${count} changes, the first 200 are shown`);
    await page.evaluate("document.getElementById('more').focus()");
    await page.keyboard.press("Enter");
    expect(await status(page)).toBe(`${count} changes, the first 400 are shown`);
    expect(await shown(page)).toHaveLength(400);
    await goTo(page, `#${new URLSearchParams({ plan: "plan", change: `kcloud_volume.data[${count - 1}]` })}`);
    expect(await page.evaluate("document.querySelector('.change[open] .what code').textContent")).toBe(
      `kcloud_volume.data[${count - 1}]`,
    );
    // The VPC is drawn, the other volumes in it are not.
    expect(await page.evaluate("document.querySelectorAll('.change[open] svg .node').length")).toBe(2);
    expect(messages).toEqual([]);
  },
);

/** Returns the labels in the diagram of the open change, by column from left to right. */
const columns = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(`(() => {
    const found = {};
    for (const node of document.querySelectorAll(".change[open] svg .node"))
      (found[node.querySelector("rect").getAttribute("x")] ||= []).push(node.querySelectorAll("text")[1].textContent);
    return Object.values(found).map((names) => names.sort());
  })()`);

test("a change shows what it refers to on the left and what refers to it on the right", async () => {
  const changes = [
    unchanged("vpc", { name: "net" }, { address: "kcloud_vpc.net", id: "vpc-of-all" }),
    changeOf("volume", volume(0), { ...volume(0), sizeGb: 20 }, { address: "kcloud_volume.data" }),
    changeOf("volume", undefined, volume(1), {
      address: "kcloud_volume.copy",
      dependsOn: ["kcloud_volume.data"],
    }),
    changeOf("volume", undefined, volume(2), { address: "kcloud_volume.apart" }),
  ];
  const { page } = await pages.open(reportOf([planOf(changes)]), "#plan=plan&change=kcloud_volume.data");
  expect(await columns(page)).toEqual([["net"], ["data-0"], ["data-1"]]);
  // The copy is in the VPC too, but its edge to the data already implies that.
  expect(await page.evaluate("document.querySelectorAll('.change[open] svg .edge').length")).toBe(2);
  const links: string[] = await page.evaluate(
    "[...document.querySelectorAll('.change[open] .properties a')].map((one) => one.textContent)",
  );
  expect(links).toEqual(["kcloud_volume.copy"]);
  await page.evaluate("document.querySelector('.change[open] .properties a').focus()");
  await page.keyboard.press("Enter");
  await until(page, "document.activeElement.textContent.includes('kcloud_volume.copy')");
});

test("a plan of a dozen objects has a diagram of all of them", async () => {
  const { page } = await pages.open(shop, "#references");
  await until(page, "document.querySelector('#references svg') !== null");
  const names: string[] = await page.evaluate(
    "[...document.querySelectorAll('#references .node')].map((one) => [...one.querySelectorAll('text')].slice(1).map((part) => part.textContent).join(', '))",
  );
  expect(names).toContain("machine, replace instance");
  expect(names).toContain("shop, vpc");
});

test("the diagram of an object with thousands of dependents stays small, and a cycle of references is drawn", async () => {
  const vpc = changeOf(
    "vpc",
    { name: "net", description: "old" },
    { name: "net", description: "new" },
    { address: "kcloud_vpc.net", id: "vpc-of-all", dependsOn: ["kcloud_volume.data"] },
  );
  const volumes = Array.from({ length: 3_000 }, (_, nth) =>
    changeOf("volume", undefined, volume(nth), { address: `kcloud_volume.data[${nth}]` }),
  );
  const { page, messages } = await pages.open(
    reportOf([planOf([vpc, ...volumes])]),
    "#plan=plan&change=kcloud_vpc.net",
  );
  expect(await page.evaluate("document.querySelectorAll('.change[open] svg .node').length")).toBeLessThan(40);
  expect(await page.evaluate("document.querySelector('.change[open]').innerText")).toMatch(
    /\d+ more are not shown/,
  );
  expect(messages).toEqual([]);
});

const hostile = [
  "</script><script>globalThis.ran = true</script>",
  '"><img src=x onerror="globalThis.ran=true">',
  "'-alert(1)-' javascript:alert(1)",
  "<!-- --> ]]> </details></main></style> &lt;b&gt; &amp;",
  "\u202eevil\u2066 \u0000 \ud800 `${globalThis.ran = true}`",
  "__proto__ constructor #plan=x&change=y %22 %zz",
];

test.each(hostile)("the name %j runs no script, and changes only the text of the page", async (text) => {
  const reportWith = (name: string): Report => {
    const own = { ...volume(1), name };
    const more = { address: `kcloud_volume.data[${JSON.stringify(name)}]`, plan: "plan" };
    return reportOf([
      planOf([
        changeOf("volume", own, { ...own, sizeGb: 20, volumeType: name }, more),
        changeOf("volume", undefined, own, {
          address: "kcloud_volume.other",
          dependsOn: ["kcloud_volume.data"],
        }),
      ]),
    ]);
  };
  const structure = async (name: string) => {
    const { page, requests, messages } = await pages.open(reportWith(name));
    await openAll(page);
    const elements: string[] = await page.evaluate(
      "[...document.querySelectorAll('body *:not(mark)')].map((one) => one.tagName + ' ' + [...one.attributes].map(({ name }) => name).join(' '))",
    );
    expect([await page.evaluate("String(globalThis.ran)"), requests, messages]).toEqual([
      "undefined",
      [],
      [],
    ]);
    const change: string = await page.evaluate(
      "document.querySelector('.change .body a[href]').getAttribute('href')",
    );
    await goTo(page, change);
    return elements;
  };
  expect(await structure(text)).toEqual(await structure("plain"));
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
  const { page } = await pages.open(reportOf([planOf([changed, deleted])]), "", { viewport });
  await openAll(page);
  expect(
    await page.evaluate(
      "[...document.querySelectorAll('body *:not(svg *, svg)')].filter((one) => one.getBoundingClientRect().right > 320).map((one) => one.outerHTML.slice(0, 100))",
    ),
  ).toEqual([]);
});

test("a printed page contains every change with its values", async () => {
  const { page } = await pages.open(shop);
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.emulateMedia({ media: "print" });
  const text: string = await page.evaluate("document.body.innerText");
  for (const { address, differences } of shop.changes)
    for (const part of [address, ...differences.map(({ name }) => name)]) expect(text).toContain(part);
  expect(text).not.toContain("Search in names");
});

test("without scripts, the page shows the verdict, the findings and what is destroyed", async () => {
  const { page } = await pages.open(shop, "", { javaScriptEnabled: false });
  const text = await page.textContent("body");
  for (const part of [
    shop.verdict.line,
    ...shop.findings.flatMap(({ text: about, remedy }) => [about, remedy]),
    ...shop.changes.flatMap(({ action, id }) => (action === "delete" || action === "replace" ? [id] : [])),
  ])
    expect(text).toContain(part);
});

test("actions and severities are words in every mode, their marks are hidden from screen readers, and none is an emoji", async () => {
  expect([...renderHtml(everything)].join("").replaceAll(/[©®]/g, "")).not.toMatch(
    /\p{Emoji_Presentation}|\ufe0f/u,
  );
  const { page } = await pages.open(everything);
  const spoken: string[] = await page.evaluate(
    "[...document.querySelectorAll('.change .action')].map((one) => [...one.childNodes].filter((part) => part.ariaHidden !== 'true').map((part) => part.textContent).join(''))",
  );
  expect(spoken).toEqual(everything.changes.map(({ action }) => (action === "none" ? "no change" : action)));
  const badges: string[] = await page.evaluate(
    "[...document.querySelectorAll('.badge')].map((one) => one.textContent)",
  );
  expect(new Set(badges)).toEqual(new Set(everything.findings.map(({ severity }) => severity)));
});
