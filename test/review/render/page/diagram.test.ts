import { expect, test } from "@jest/globals";
import { until, usePages } from "./open.ts";
import { shop } from "./scene.ts";

/** Diagram of all objects of a plan. */

const openPage = usePages();

test("a plan of a dozen objects has a diagram of all of them", async () => {
  const { page } = await openPage(shop, "#references");
  await until(page, "document.querySelector('#references svg') !== null");
  const names: string[] = await page.evaluate(
    "[...document.querySelectorAll('#references .node')].map((one) => [...one.querySelectorAll('text')].slice(1).map((part) => part.textContent).join(', '))",
  );
  expect(names).toContain("machine, replace instance");
  expect(names).toContain("shop, vpc");
});
