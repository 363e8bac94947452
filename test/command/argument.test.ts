import { readdirSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { UsageError } from "../../command/argument.ts";
import { install } from "../../command/install/main.ts";
import { home, machine } from "./install/home.ts";

test.each([
  [[], "the engine is missing, as in kcloud install terraform"],
  [["cdktf"], 'unknown engine "cdktf": use terraform, for Terraform and OpenTofu, or pulumi'],
  [
    ["terraform", "tofu"],
    'unknown engine "terraform tofu": use terraform, for Terraform and OpenTofu, or pulumi',
  ],
  [["pulumi", "--write"], "--write is an option of kcloud install terraform only"],
  [["terraform", "--plat"], "unknown option --plat"],
  [["terraform", "--miror=x"], "unknown option --miror; did you mean --mirror?"],
  [["terraform", "--write=yes"], "--write does not accept a value"],
  [["terraform", "--mirror"], "--mirror requires a value"],
  [["terraform", "--mirror="], "--mirror requires a value"],
  [
    ["terraform", "--mirror", "--write"],
    '--mirror requires a value; write a value that begins with "-" as --mirror=--write',
  ],
  [
    ["terraform", "--platform", "linux_386"],
    '--platform must be one of linux_amd64, linux_arm64, darwin_amd64, darwin_arm64, not "linux_386"',
  ],
])("the arguments %j are rejected", (args, message) => {
  expect(() => install(args, machine)).toThrow(new UsageError(message));
  expect(readdirSync(home)).toEqual([]);
});
