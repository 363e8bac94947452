import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { constants } from "../../../mcp/library/constant.ts";
import { existingPages } from "../../../tools/docs.ts";

test("the library has every page of a definition and every guide, as they are in the repository", () => {
  const bytes = brotliDecompressSync(Buffer.from(constants().library, "base64"));
  const { pages } = JSON.parse(bytes.toString("utf8")) as { pages: Record<string, string> };
  const inFolders = existingPages().filter(({ name }) => name.includes("/"));
  expect(inFolders.length).toBeGreaterThan(100);
  for (const { name, text } of inFolders) expect(pages[name.replace(/\.md$/, "")]).toBe(text);
});
