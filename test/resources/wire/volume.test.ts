import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/emulator.ts";
import type { Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { live, openCloud, resource } from "../../support/cloud.ts";

/** Tests that a group in which nothing is set is the same as no group. */

const empty: readonly (Values | null)[] = [
  null,
  {},
  { bandwidth: null },
  { bandwidth: {}, iops: { readIopsSec: null } },
  { iops: { readIopsSec: 0, writeIopsSec: 0 } },
];

const shown = [
  null,
  { bandwidth: null, iops: null },
  { bandwidth: { read_bytes_sec: 0, write_bytes_sec: 0 }, iops: { read_iops_sec: 0 } },
];

const pairs = empty.flatMap((before) => empty.map((after) => [before, after] as const));

const checked = (vpcId: string, qos: Values | null) => {
  const written = { vpcId, name: "data", sizeGb: 20, volumeType: "HNSS", ...(qos && { qos }) };
  return engine.check(resource("volume"), written).inputs;
};

test.each(pairs)(
  "limits %j become %j without a replacement, with each form of the response",
  async (before, after) => {
    const cloud = openCloud();
    const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
    const volume = resource("volume");
    const made = await cloud.run(engine.create(cloud.session, volume, checked(vpcId, before), cloud.call));
    expect(made.values.qos === null).toBe(before === null);
    for (const qos of shown) {
      cloud.emulator.inventory.change(live(cloud, "volume")[0]?.krn ?? "", { qos });
      const read = await cloud.run(engine.read(cloud.session, volume, made, cloud.call));
      expect(read?.values.qos === null).toBe(before === null);
      expect(engine.plan(volume, read, checked(vpcId, after), cloud.session)).toMatchObject({
        action: "none",
        problems: [],
      });
    }
  },
);

test("removing a limit replaces the volume, and so does adding one", async () => {
  const cloud = openCloud();
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const volume = resource("volume");
  const limited = checked(vpcId, { iops: { readIopsSec: 500 } });
  const made = await cloud.run(engine.create(cloud.session, volume, limited, cloud.call));
  for (const qos of empty)
    expect(engine.plan(volume, made, checked(vpcId, qos), cloud.session).action).toBe("replace");
  const free = { ...made, values: { ...made.values, qos: null } };
  expect(engine.plan(volume, free, limited, cloud.session).action).toBe("replace");
});

const open = (assume: EmulatorOptions["assume"]) => openCloud({ assume }, { accountId: "000000000000" });

test("a volume whose size is listed as the text Size is created, and planned without a change", async () => {
  const cloud = open({ volumeSpelling: "alias" });
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const written = {
    vpcId: vpc.id ?? "",
    name: "disk",
    sizeGb: 20,
    volumeType: "ssd",
    availabilityZone: "nova",
  };
  const state = await cloud.run(cloud.create("volume", written));
  expect(state.values.sizeGb).toBe(20);
  const volume = resource("volume");
  const { inputs } = engine.check(volume, written);
  expect(engine.plan(volume, state, inputs, cloud.session).action).toBe("none");
});
