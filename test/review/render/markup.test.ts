import { expect, test } from "@jest/globals";
import { codeElement, listOf, markOf } from "../../../review/render/markup.ts";

test("no text becomes markup", () => {
  expect(codeElement(`<b a="1">&'`)).toBe("<code>&lt;b a=&quot;1&quot;&gt;&amp;&#39;</code>");
  expect(listOf(["<b>", "c"])).toBe('<ul class="list"><li>&lt;b&gt;</li>\n<li>c</li></ul>');
  expect([listOf([]), markOf("- ")]).toEqual(["", '<span class="mark" aria-hidden="true">−</span>']);
});
