import { expect, test } from "@jest/globals";
import type { Report } from "../../../../review/report/report.ts";
import { changeOf, planOf } from "../../change-of.ts";
import { reportOf } from "../outputs.ts";
import { goTo, openAll, usePages } from "./open.ts";
import { volume } from "./scene.ts";

/** Names and values that look like markup or script. */

const openPage = usePages();

const hostile = [
  "</script><script>globalThis.ran = true</script>",
  '"><img src=x onerror="globalThis.ran=true">',
  "'-alert(1)-' javascript:alert(1)",
  "<!-- --> ]]> </details></main></style> &lt;b&gt; &amp;",
  "\u202eevil\u2066 \u0000 \ud800 `${globalThis.ran = true}`",
  "__proto__ constructor #plan=x&change=y %22 %zz",
];

test.each(hostile)("the name %j runs no script, and changes only the text of the page", async (text) => {
  const reportWith = (name: string): Report => {
    const own = { ...volume(1), name };
    const more = { address: `kcloud_volume.data[${JSON.stringify(name)}]`, plan: "plan" };
    return reportOf([
      planOf([
        changeOf("volume", own, { ...own, sizeGb: 20, volumeType: name }, more),
        changeOf("volume", undefined, own, {
          address: "kcloud_volume.other",
          dependsOn: ["kcloud_volume.data"],
        }),
      ]),
    ]);
  };
  const structure = async (name: string) => {
    const { page, requests, messages } = await openPage(reportWith(name));
    await openAll(page);
    const elements: string[] = await page.evaluate(
      "[...document.querySelectorAll('body *:not(mark)')].map((one) => one.tagName + ' ' + [...one.attributes].map(({ name }) => name).join(' '))",
    );
    expect([await page.evaluate("String(globalThis.ran)"), requests, messages]).toEqual([
      "undefined",
      [],
      [],
    ]);
    const change: string = await page.evaluate(
      "document.querySelector('.change .body a[href]').getAttribute('href')",
    );
    await goTo(page, change);
    return elements;
  };
  expect(await structure(text)).toEqual(await structure("plain"));
});
