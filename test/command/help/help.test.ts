import { expect, test } from "@jest/globals";
import { helpOf } from "../../../command/help/help.ts";
import { commands } from "../../../command/table.ts";
import { expectGolden } from "../../support/golden.ts";
import { texts } from "../help-text.ts";

/** Tests `kcloud --version`, `kcloud help` and `--help`. */

test("the texts of the help are those of the golden file", () => {
  const { "emulator-reference": _, ...others } = texts;
  expectGolden(
    "help.txt",
    Object.entries(others)
      .map(([name, text]) => `$ ${`kcloud help ${name}`.trim()}\n${text}`)
      .join("\n"),
  );
});

test("every line fits a terminal of 80 columns, except for longer ids", () => {
  const long = Object.values(texts).flatMap((text) => text.split("\n").filter((line) => line.length > 80));
  expect(long.filter((line) => !/^ +krn:\S+$/.test(line))).toEqual([]);
});

test("the help of the emulator fits a screen of 24 lines, with the prompt below it", () => {
  expect(helpOf(commands.emulator).split("\n").length).toBeLessThanOrEqual(24);
});
