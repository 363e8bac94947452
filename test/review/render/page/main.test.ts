import { expect, test } from "@jest/globals";
import { tabTo, until, usePages } from "./open.ts";
import { many, shop } from "./scene.ts";

/** Sections of the page, by keyboard and by the fragment of the URL. */

const openPage = usePages();

test("sections are folded by keyboard, and a link to a folded section opens the section", async () => {
  const { page } = await openPage(shop);
  await tabTo(page, "SUMMARY Findings");
  await page.keyboard.press("Space");
  const state = "document.getElementById('findings').open";
  expect(await page.evaluate(state)).toBe(false);
  await page.evaluate("document.querySelector('nav a').focus()");
  await page.keyboard.press("Enter");
  await until(page, state);
});

test("the address of a section below the changes shows that section", async () => {
  const { page } = await openPage(many(1_000), "#approval");
  const top = "document.getElementById('approval').getBoundingClientRect().top";
  await until(page, `${top} > 0 && ${top} < innerHeight`);
});
