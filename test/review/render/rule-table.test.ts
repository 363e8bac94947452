import { expect, test } from "@jest/globals";
import { renderHtml } from "../../../review/render/html.ts";
import { renderMarkdown } from "../../../review/render/markdown.ts";
import { renderText } from "../../../review/render/text.ts";
import { changeOf, planOf, unchanged } from "../change-of.ts";
import { at, kind, rule, web } from "../report/group-rule.ts";
import { reportOf } from "./outputs.ts";

test("text, Markdown and page show the rules of a group in one place", () => {
  const report = reportOf([
    planOf([
      web,
      changeOf(kind, rule(22, "10.0.0.0/8"), rule(22, "0.0.0.0/0"), at("ssh")),
      ...Array.from({ length: 12 }, (_, nth) =>
        unchanged(kind, rule(8000 + nth, "10.0.0.0/8"), at(`kept-${String(nth).padStart(2, "0")}`)),
      ),
    ]),
  ]);
  const rows = [
    "- ingress tcp 22   10.0.0.0/8 rule.ssh",
    "+ ingress tcp 22   0.0.0.0/0  rule.ssh (opens to the world)",
    "  ingress tcp 8000 10.0.0.0/8 rule.kept-00",
  ];
  const markdown = renderMarkdown(report, { budget: 60_000, symbols: "emoji" });
  expect(markdown).toContain(
    `### Rules of \`kcloud_security_group.web\`\n\n\`\`\`diff\n${rows.join("\n")}\n`,
  );
  expect(markdown).toContain("  and 2 more that are kept\n```\n");
  const text = [...renderText(report, { colour: false, symbols: "letter", width: 100 })].join("");
  expect(text).toContain(`Rules of kcloud_security_group.web\n${rows.map((row) => `  ${row}`).join("\n")}\n`);
  const spoken = [...renderText(report, { colour: false, symbols: "words", width: 100 })].join("");
  expect(spoken).toContain(
    "  removed ingress tcp 22   10.0.0.0/8 rule.ssh\n  added   ingress tcp 22   0.0.0.0/0  rule.ssh (opens to the world)\n",
  );
  const html = [...renderHtml(report)].join("");
  expect(html.match(/<tr class="(removed|added|kept)">/g)).toHaveLength(14);
});

test("a table that is cut keeps the rule that opens to the world, and counts the others", () => {
  const report = reportOf([
    planOf([
      ...Array.from({ length: 600 }, (_, nth) =>
        changeOf(kind, undefined, rule(1000 + nth, "10.0.0.0/8"), at(`new-${nth}`)),
      ),
      ...Array.from({ length: 20 }, (_, nth) =>
        unchanged(kind, rule(100 + nth, "10.0.0.0/8"), at(`old-${nth}`)),
      ),
      changeOf(kind, undefined, rule(9000, "0.0.0.0/0"), at("open")),
    ]),
  ]);
  const markdown = renderMarkdown(report, { budget: 60_000, symbols: "emoji" });
  expect(markdown).toMatch(/^\+ ingress tcp 9000 0\.0\.0\.0\/0 +rule\.open \(opens to the world\)$/m);
  expect(markdown).toContain("  and 551 more that change\n  and 20 more that are kept\n```");
  const [html = ""] = [...renderHtml(report)].join("").split("<script");
  expect(html.match(/<tr class="(removed|added|kept)">/g)).toHaveLength(500);
  expect(html).toContain('<strong class="critical">opens to the world</strong>');
  expect(html).toContain("<p>and 121 more</p>");
});
