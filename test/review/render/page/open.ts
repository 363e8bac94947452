import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll } from "@jest/globals";
import { renderHtml } from "../../../../review/render/html.ts";
import type { Report } from "../../../../review/report/report.ts";
import {
  type Browser,
  type ContextOptions,
  launchBrowser,
  type Page,
} from "../../../../tools/browser/browser.ts";

/** Pages of reports in a real browser. */

/** Open page, with its requests and messages. */
export interface Opened {
  readonly page: Page;
  /** Addresses of requests, without that of the page itself. */
  readonly requests: readonly string[];
  /** Messages of the console, errors of scripts and dialogs. */
  readonly messages: readonly string[];
}

/**
 * Waits until a condition, an expression in JavaScript, is true on a page. Rejects after 10 s. The content security policy of
 * the page blocks the wait functions of the library.
 */
export const until = (page: Page, condition: string): Promise<void> =>
  page.evaluate(`new Promise((done, fail) => {
    const end = performance.now() + 10_000;
    const check = () => {
      if (${condition}) done();
      else if (performance.now() > end) fail(new Error(${JSON.stringify(`never: ${condition}`)}));
      else requestAnimationFrame(check);
    };
    check();
  })`);

/** Sets the fragment of the address, and waits for the `hashchange` event. */
export const goTo = (page: Page, fragment: string): Promise<void> =>
  page.evaluate(`new Promise((done) => {
    addEventListener("hashchange", () => done(), { once: true });
    location.hash = ${JSON.stringify(fragment)};
  })`);

/** Browser of a test file. */
interface Pages {
  /** Opens the page of a report at a fragment, such as `#findings`, and waits until the changes are shown. */
  open(report: Report, fragment?: string, options?: ContextOptions): Promise<Opened>;
  close(): Promise<void>;
}

async function openPages(): Promise<Pages> {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-page-"));
  const browser: Browser = await launchBrowser();
  let count = 0;
  return {
    async open(report, fragment = "", options = {}) {
      const file = join(folder, `${count++}.html`);
      await writeFile(file, [...renderHtml(report)].join(""));
      const url = pathToFileURL(file).href;
      const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
      const page = await context.newPage();
      const requests: string[] = [];
      const messages: string[] = [];
      page.on("request", (request) => {
        if (request.url().split("#")[0] !== url) requests.push(request.url());
      });
      page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
      page.on("pageerror", (error) => messages.push(`error: ${error.message}`));
      page.on("dialog", (dialog) => {
        messages.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(`${url}${fragment}`);
      if (options.javaScriptEnabled !== false)
        await until(page, "document.getElementById('status').textContent !== ''");
      return { page, requests, messages };
    },
    async close() {
      await browser.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts a browser for the tests of a file, and closes it after them. Returns the function that opens a page in it. */
export function usePages(): Pages["open"] {
  let pages: Pages;
  beforeAll(async () => {
    pages = await openPages();
  });
  afterAll(async () => {
    await pages.close();
  });
  return (...args) => pages.open(...args);
}

/** Returns the addresses of the changes in the list. */
export const shown = (page: Page): Promise<string[]> =>
  page.evaluate("[...document.querySelectorAll('.change .what code')].map((one) => one.textContent)");

export const status = (page: Page): Promise<string> =>
  page.evaluate("document.getElementById('status').textContent");

/** Returns a description of the focused element. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.textContent.trim()");

/** Presses Tab until the tag and text of the focused element begin with `start`. Throws after 300 presses. */
export async function tabTo(page: Page, start: string): Promise<void> {
  for (let step = 0; step < 300; step++) {
    await page.keyboard.press("Tab");
    if ((await focused(page)).startsWith(start)) return;
  }
  throw new Error(`Tab does not reach ${start}`);
}

/** Opens all sections, the first changes and the commands of a page. */
export async function openAll(page: Page): Promise<void> {
  await page.evaluate(
    "for (const one of [...document.querySelectorAll('details')].slice(0, 150)) one.open = true",
  );
  await until(page, "document.querySelector('.change[open] > :last-child:not(.body)') === null");
}
