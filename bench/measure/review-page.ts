import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, launchBrowser, type Page } from "../../tools/browser/browser.ts";
import { inFolder } from "../folder.ts";
import { type Figure, interleave, type Measure, ratio, type Unit } from "../measure.ts";
import { root } from "../plugin.ts";
import { untilExit } from "../process.ts";
import { multiplied } from "./review.ts";

const kcloud = join(root, "dist/kcloud");

/** Opens a file in a separate window and closes it after the visit. */
async function visit<T>(browser: Browser, file: string, during: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href);
    return await during(page);
  } finally {
    await context.close();
  }
}

/** Returns the time in ms until a performance entry of the page, from the start of its loading. */
const untilEntry = (browser: Browser, file: string, type: string, name: string): Promise<number> =>
  visit(browser, file, (page) =>
    page.evaluate<number>(`new Promise((done) =>
      new PerformanceObserver((list) => {
        const [entry] = list.getEntriesByName(${JSON.stringify(name)});
        if (entry) done(entry.startTime + entry.duration);
      }).observe({ type: ${JSON.stringify(type)}, buffered: true }))`),
  );

const firstPaint = (browser: Browser, file: string): Promise<number> =>
  untilEntry(browser, file, "paint", "first-contentful-paint");

const changesPaint = (browser: Browser, file: string): Promise<number> =>
  untilEntry(browser, file, "measure", "changes to paint");

/** Types the given number of letters and deletes them; returns the time in ms from each key to the next paint. */
const filterTimes = (browser: Browser, file: string, letters: number): Promise<number[]> =>
  visit(browser, file, async (page) => {
    const entries = "performance.getEntriesByName('filter to paint').map(({ duration }) => duration)";
    await page.evaluate("document.querySelector('[name=search]').focus()");
    for (let nth = 0; nth < 2 * letters; nth++) {
      if (nth % 2 === 0) await page.keyboard.type(String(nth % 10));
      else await page.keyboard.press("Backspace");
      await page.evaluate(`new Promise((done) => {
        const look = () => (${entries}.length > ${nth} ? done() : requestAnimationFrame(look));
        look();
      })`);
    }
    return page.evaluate<number[]>(entries);
  });

/** Size, first paint and filter of the HTML report, in Chromium. */
export const reviewPage: Measure = {
  name: "review-page",
  about: "HTML report of kcloud review, in Chromium",
  run: (bench) =>
    inFolder(async (folder) => {
      /** Writes the page of `count` updates; returns its path. */
      const page = async (count: number): Promise<string> => {
        const [plan, html] = [join(folder, `${count}.json`), join(folder, `${count}.html`)];
        await writeFile(plan, await multiplied(count));
        const args = ["--in", `net=${plan}`, "--fail-on", "none", "--out", `html:${html}`];
        await untilExit(process.execPath, [kcloud, "review", ...args]);
        return html;
      };
      const [small, large] = [await page(1_000), await page(10_000)];
      const bytes = (await readFile(small)).length;
      const start = "<!doctype html><title>Empty</title><p>Empty</p><!--";
      const empty = join(folder, "empty.html");
      await writeFile(empty, `${start}${"x".repeat(bytes - start.length - 3)}-->`);
      const browser = await launchBrowser();
      try {
        const rounds = bench.rounds(15);
        bench.step(`Chromium ${browser.version()}, ${rounds} rounds of five pages`);
        const paints = await interleave(rounds, {
          empty: () => firstPaint(browser, empty),
          small: () => firstPaint(browser, small),
          large: () => firstPaint(browser, large),
          smallList: () => changesPaint(browser, small),
          largeList: () => changesPaint(browser, large),
        });
        const figure = (what: string, unit: Unit, samples: readonly number[], goal?: number): Figure => ({
          what: `page: ${what}`,
          unit,
          samples,
          goal,
        });
        bench.report(
          figure("1,000 changes", "bytes", [bytes], 2_000_000),
          figure("1,000 changes, first paint", "ms", paints.small),
          figure(
            "1,000 changes, first paint ÷ empty page of as many bytes",
            "×",
            ratio(paints.small, paints.empty),
            3,
          ),
          figure("1,000 changes, list painted", "ms", paints.smallList),
          figure("1,000 changes, filter to next paint", "ms", await filterTimes(browser, small, 10), 100),
          figure("10,000 changes, first paint", "ms", paints.large),
          figure("10,000 changes, list painted", "ms", paints.largeList),
          figure("10,000 changes, filter to next paint", "ms", await filterTimes(browser, large, 10)),
        );
      } finally {
        await browser.close();
      }
    }),
};
