import { expect, test } from "@jest/globals";
import { prose } from "../../../review/render/markdown.ts";

test("prose contains no reference that a host would link", () => {
  const references = [
    "!12",
    "$12",
    "&12",
    "~bug",
    "%12",
    "^alert#3",
    "[vulnerability:4]",
    "@ann",
    "#5",
    "GH-6",
  ];
  const sha = "16c999e8c71134401a78d4d46435517b2271d6ac";
  const shown = prose(`${references.join(" ")} ${sha} ${sha.slice(0, 7)}`);
  const decoded = shown.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  expect(decoded).not.toMatch(/[!$&~%^@#]\w|\[\w+:|GH-\d|[0-9a-f]{7}/);
});
