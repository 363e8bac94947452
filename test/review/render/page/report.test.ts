import { expect, test } from "@jest/globals";
import { renderHtml } from "../../../../review/render/html.ts";
import { usePages } from "./open.ts";
import { everything } from "./scene.ts";

/** Actions and severities of the changes. */

const openPage = usePages();

test("actions and severities are words in every mode, their marks are hidden from screen readers, and none is an emoji", async () => {
  expect([...renderHtml(everything)].join("").replaceAll(/[©®]/g, "")).not.toMatch(
    /\p{Emoji_Presentation}|\ufe0f/u,
  );
  const { page } = await openPage(everything);
  const spoken: string[] = await page.evaluate(
    "[...document.querySelectorAll('.change .action')].map((one) => [...one.childNodes].filter((part) => part.ariaHidden !== 'true').map((part) => part.textContent).join(''))",
  );
  expect(spoken).toEqual(everything.changes.map(({ action }) => (action === "none" ? "no change" : action)));
  const badges: string[] = await page.evaluate(
    "[...document.querySelectorAll('.badge')].map((one) => one.textContent)",
  );
  expect(new Set(badges)).toEqual(new Set(everything.findings.map(({ severity }) => severity)));
});
