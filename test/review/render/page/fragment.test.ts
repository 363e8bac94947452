import { expect, test } from "@jest/globals";
import type { Report } from "../../../../review/report/report.ts";
import { goTo, shown, usePages } from "./open.ts";
import { shop } from "./scene.ts";

/** Fragments of the URL that filter the changes. */

const openPage = usePages();

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
  const { page } = await openPage(shop, "");
  await goTo(page, fragment);
  expect(await shown(page)).toEqual(expected);
});
