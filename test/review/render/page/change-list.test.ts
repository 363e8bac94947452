import { expect, test } from "@jest/globals";
import { goTo, shown, status, usePages } from "./open.ts";
import { many } from "./scene.ts";

/** List of the changes, in parts of 200. */

const openPage = usePages();

test.each([1_000, 10_000])(
  "a page of %d changes shows them in parts of 200, and a link opens any of them",
  async (count) => {
    const { page, messages } = await openPage(many(count));
    expect(await status(page)).toBe(`${count} changes, the first 200 are shown`);
    await page.evaluate("document.getElementById('more').focus()");
    await page.keyboard.press("Enter");
    expect(await status(page)).toBe(`${count} changes, the first 400 are shown`);
    expect(await shown(page)).toHaveLength(400);
    await goTo(page, `#${new URLSearchParams({ plan: "plan", change: `kcloud_volume.data[${count - 1}]` })}`);
    expect(await page.evaluate("document.querySelector('.change[open] .what code').textContent")).toBe(
      `kcloud_volume.data[${count - 1}]`,
    );
    // The VPC is drawn, the other volumes in it are not.
    expect(await page.evaluate("document.querySelectorAll('.change[open] svg .node').length")).toBe(2);
    expect(messages).toEqual([]);
  },
);
