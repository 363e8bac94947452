import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { pages } from "../../tools/docs.ts";

const folder = join(import.meta.dirname, "../docs");

test("the pages of docs are those that `node tools/docs.ts` writes, to the letter", () => {
  const found = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  expect(found).toEqual(pages());
});
