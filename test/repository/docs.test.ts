import { expect, test } from "@jest/globals";
import { help } from "../../emulator/cli/option.ts";
import { existingPages, isGenerated, pages } from "../../tools/docs.ts";

test("the pages marked as generated are exactly those that `npm run docs` writes", async () => {
  expect(existingPages().filter(isGenerated)).toEqual(await pages(help));
});
