import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { topicOf } from "../../command/help/help.ts";
import { emulatorCommand } from "../../emulator/cli/option.ts";
import { pages } from "../../tools/docs.ts";

const folder = join(import.meta.dirname, "../../docs");

const found = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));

test("the pages marked as generated are exactly those that `node tools/docs.ts` writes", async () => {
  expect(found.filter(({ text }) => text.includes("<!-- Written by `node tools/docs.ts` -->"))).toEqual(
    await pages(topicOf(emulatorCommand)),
  );
});
