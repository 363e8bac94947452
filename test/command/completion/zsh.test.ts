import { test } from "@jest/globals";
import { zsh } from "../../../command/completion/zsh.ts";
import { commands } from "../../../command/table.ts";
import { expectComplete } from "./script.ts";

test("the script for zsh has every command, option and value", () =>
  expectComplete(
    zsh(commands),
    (option) => `--${option}`,
    (text) => text.replaceAll(":", "\\:"),
  ));
