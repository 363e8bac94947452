import { expect, test } from "@jest/globals";
import { focused, tabTo, until, usePages } from "./open.ts";
import { shop } from "./scene.ts";

/** Values of a change before and after, to which a finding links. */

const openPage = usePages();

test("a finding links to its change, which opens and closes by keyboard", async () => {
  const { page } = await openPage(shop);
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
