import { expect, test } from "@jest/globals";
import { usePages } from "./open.ts";
import { shop } from "./scene.ts";

/** Details of all changes, in print. */

const openPage = usePages();

test("a printed page contains every change with its values", async () => {
  const { page } = await openPage(shop);
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.emulateMedia({ media: "print" });
  const text: string = await page.evaluate("document.body.innerText");
  for (const { address, differences } of shop.changes)
    for (const part of [address, ...differences.map(({ name }) => name)]) expect(text).toContain(part);
  expect(text).not.toContain("Search in names");
});
