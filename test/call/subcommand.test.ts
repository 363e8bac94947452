import { expect, test } from "@jest/globals";
import { callSubcommands } from "../../call/subcommand.ts";
import { allOperations } from "../../operation/operations.ts";

test("shells complete every operation and its parameters, with accepted values", () => {
  expect(Object.keys(callSubcommands)).toEqual(allOperations().map(({ name }) => name));
  expect(Object.keys(callSubcommands.control_instance?.adds ?? {})).toEqual([
    "instance-krn",
    "action",
    "region",
    "wait",
  ]);
  expect(callSubcommands.create_volume?.adds?.wait?.about).toBe("waits until the volume is available");
  expect(Object.keys(callSubcommands.get_volume?.adds ?? {})).not.toContain("wait");
  expect(callSubcommands.control_instance?.adds?.action?.values).toEqual(["start", "stop", "reboot"]);
  expect(Object.keys(callSubcommands.sign_in_root?.adds ?? {})).toContain("password-env");
  expect(Object.keys(callSubcommands.sign_in_root?.adds ?? {})).not.toContain("password");
  expect(Object.keys(callSubcommands.delete_volume?.adds ?? {})).toEqual(
    expect.arrayContaining(["force", "no-force"]),
  );
});
