import { expect, test } from "@jest/globals";
import type { Page } from "../../../../tools/browser/browser.ts";
import { changeOf, planOf, unchanged } from "../../change-of.ts";
import { reportOf } from "../outputs.ts";
import { until, usePages } from "./open.ts";
import { volume } from "./scene.ts";

/** Columns of a diagram. */

const openPage = usePages();

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
  const { page } = await openPage(reportOf([planOf(changes)]), "#plan=plan&change=kcloud_volume.data");
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
