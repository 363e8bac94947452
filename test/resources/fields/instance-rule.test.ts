import { expect, test } from "@jest/globals";
import type { Values } from "../../../provider/core/value.ts";
import { idOf as id, machine, problemsOf } from "../../support/problem.ts";

test.each<[string, Values, string[]]>([
  ["a new boot volume", {}, []],
  ["an existing one", { bootVolume: null, volumeId: id("volume") }, []],
  ["both", { volumeId: id("volume") }, ["volumeId conflicts with boot_volume: set only one of them"]],
  ["neither", { bootVolume: null }, [" boot_volume or volume_id is required"]],
  [
    "an existing volume that would be deleted",
    { bootVolume: null, volumeId: id("volume"), deleteOnTermination: true },
    ["deleteOnTermination must be false with volume_id: an existing volume is kept"],
  ],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("instance", { ...machine, ...change })).toEqual(expected);
});
