import { expect, test } from "@jest/globals";
import { changeOf, planOf } from "../../change-of.ts";
import { reportOf } from "../outputs.ts";
import { tabTo, until, usePages } from "./open.ts";
import { shop, volume } from "./scene.ts";

/** Commands that the page copies. */

const openPage = usePages();

test("commands are copied by keyboard, ready for a shell", async () => {
  const hostile = `kcloud_volume.data["$(touch x)'; rm -rf ~ #"]`;
  const deleted = changeOf("volume", volume(1), undefined, { address: hostile });
  const { page, messages } = await openPage(reportOf([planOf([deleted])]));
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
  await until(page, "document.getElementById('copy-status').textContent === 'Copied.'");
  expect(await page.evaluate("copied")).toEqual([
    "kcloud review explain DATA-01",
    `kcloud review waive DATA-01 --address 'kcloud_volume.data["$(touch x)'\\''; rm -rf ~ #"]' --owner NAME --reason TEXT --until DATE --policy DIR`,
  ]);
  expect(messages).toEqual([]);
});

test("without a clipboard, a command is selected", async () => {
  const { page } = await openPage(shop, "#approval");
  await page.evaluate(
    "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.querySelector('#approval button').focus()",
  );
  await page.keyboard.press("Enter");
  await until(page, "document.getElementById('copy-status').textContent.startsWith('Selected')");
  expect(await page.evaluate("String(getSelection())")).toBe(
    `kcloud review verify --in PLAN --approved ${shop.approval.digest}`,
  );
});
