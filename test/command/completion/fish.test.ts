import { test } from "@jest/globals";
import { fish } from "../../../command/completion/fish.ts";
import { commands } from "../../../command/table.ts";
import { expectComplete } from "./script.ts";

test("the script for fish has every command, option and value", () =>
  expectComplete(fish(commands), (option) => ` -l ${option} `));
