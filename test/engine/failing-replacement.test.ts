import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { resource } from "../support/cloud.ts";
import { openEveryKind } from "../support/every-kind.ts";

const here = "In-Bangalore-1";

const there = "In-Hyderabad-1";

const idIn = (region: string, kind = "vpc") => `krn:vpc:${region}:1:2:${kind}:3`;

const stateIn = (region: string, values: Values): ResourceState => ({
  id: "id",
  task: undefined,
  values: { region, ...values },
  unread: [],
});

test("a replacement whose image is now one of another region must not delete the machine, and the plan only warns", () => {
  const { session } = openEveryKind();
  const machine = (region: string): Values => ({
    name: "web",
    vpcId: idIn(here),
    subnetId: idIn(here, "subnet"),
    bootVolume: { imageKrn: idIn(region, "image"), sizeGb: 20, volumeType: "ssd" },
  });
  const plan = (from: string, to: string) =>
    engine.plan(resource("instance"), stateIn(here, machine(from)), machine(to), session);
  const { action, problems, losses = [], values } = plan(here, there);
  expect([action, problems, values.region]).toEqual(["replace", [], here]);
  expect(losses.map(({ path, problem }) => [path.join("."), inWordsOf("terraform", problem)])).toEqual([
    [
      "bootVolume.imageKrn",
      'changed to an ID in In-Hyderabad-1, and the object is in In-Bangalore-1: its replacement would fail after the existing object is deleted. Use an ID in In-Bangalore-1, as of a lookup with region = "In-Bangalore-1"',
    ],
  ]);
  // An object that was made so, and a change to its own region, are no loss.
  expect(plan(there, there).action).toBe("none");
  expect(plan(there, here).losses).toEqual([]);
});
