import { expect, test } from "@jest/globals";
import { callOptions } from "../../call/option.ts";
import { callSubcommands } from "../../call/subcommand.ts";
import { allOperations } from "../../operation/operations.ts";

test("shells complete every operation and its parameters, with accepted values", () => {
  expect(Object.keys(callSubcommands)).toEqual(allOperations().map(({ name }) => name));
  expect(Object.keys(callSubcommands.control_instance?.options ?? {})).toEqual([
    "instance-krn",
    "action",
    "region",
    ...Object.keys(callOptions),
  ]);
  expect(callSubcommands.control_instance?.options?.action?.values).toEqual(["start", "stop", "reboot"]);
  expect(Object.keys(callSubcommands.sign_in_root?.options ?? {})).toContain("password-env");
  expect(Object.keys(callSubcommands.sign_in_root?.options ?? {})).not.toContain("password");
  expect(Object.keys(callSubcommands.delete_volume?.options ?? {})).toEqual(
    expect.arrayContaining(["force", "no-force"]),
  );
});
