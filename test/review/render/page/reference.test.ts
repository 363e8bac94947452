import { expect, test } from "@jest/globals";
import { changeOf, planOf } from "../../change-of.ts";
import { reportOf } from "../outputs.ts";
import { usePages } from "./open.ts";
import { volume } from "./scene.ts";

/** Objects related to one object. */

const openPage = usePages();

test("the diagram of an object with thousands of dependents stays small, and a cycle of references is drawn", async () => {
  const vpc = changeOf(
    "vpc",
    { name: "net", description: "old" },
    { name: "net", description: "new" },
    { address: "kcloud_vpc.net", id: "vpc-of-all", dependsOn: ["kcloud_volume.data"] },
  );
  const volumes = Array.from({ length: 3_000 }, (_, nth) =>
    changeOf("volume", undefined, volume(nth), { address: `kcloud_volume.data[${nth}]` }),
  );
  const { page, messages } = await openPage(
    reportOf([planOf([vpc, ...volumes])]),
    "#plan=plan&change=kcloud_vpc.net",
  );
  expect(await page.evaluate("document.querySelectorAll('.change[open] svg .node').length")).toBeLessThan(40);
  expect(await page.evaluate("document.querySelector('.change[open]').innerText")).toMatch(
    /\d+ more are not shown/,
  );
  expect(messages).toEqual([]);
});
