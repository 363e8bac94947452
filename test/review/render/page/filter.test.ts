import { expect, test } from "@jest/globals";
import { changeOf, planOf } from "../../change-of.ts";
import { reportOf } from "../outputs.ts";
import { shown, status, tabTo, until, usePages } from "./open.ts";
import { shop, volume } from "./scene.ts";

/** Filter of the changes. */

const openPage = usePages();

test("the search finds a value inside of a long text, which the change shows in part", async () => {
  const text = (port: number) => [...Array(300).keys(), `port ${port}`].join("\n");
  const template = (port: number) => ({ ...volume(port), description: text(port) });
  const changes = [4711, 815].map((port) =>
    changeOf("volume", template(80), template(port), { address: `kcloud_volume.at_${port}` }),
  );
  const { page } = await openPage(reportOf([planOf(changes)]), "#search=port+4711");
  expect(await shown(page)).toEqual(["kcloud_volume.at_4711"]);
});

test("typing filters the changes, keeps the filter in the address, and a reset shows all again", async () => {
  const { page } = await openPage(shop);
  await page.evaluate("document.querySelector('[name=search]').focus()");
  await page.keyboard.type("size_gb");
  expect(await shown(page)).toEqual(["kcloud_volume.archive", "kcloud_volume.queue"]);
  expect(await status(page)).toBe("2 of 9 changes");
  expect(await page.evaluate("location.hash")).toBe("#search=size_gb");
  await tabTo(page, "BUTTON Reset");
  await page.keyboard.press("Enter");
  await until(page, "document.querySelectorAll('.change').length === 9");
  expect(await status(page)).toBe("9 changes");
});
