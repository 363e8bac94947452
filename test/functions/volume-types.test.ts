import { expect, test } from "@jest/globals";
import { live } from "../support/cloud.ts";
import { find, withVpcs } from "../support/lookup.ts";

test("volume types are looked up in a VPC; regions need no request", async () => {
  const cloud = await withVpcs("net");
  const vpcId = live(cloud, "vpc")[0]?.krn as string;
  const { volumeTypes } = await find(cloud, "volume-types", { vpcId });
  expect(volumeTypes).toEqual(["standard", "ssd", "HNSS", "HNSS_Encrypted"]);
  const before = cloud.emulator.log.entries().length;
  expect(await find(cloud, "regions", {})).toEqual({ regions: ["In-Bangalore-1", "In-Hyderabad-1"] });
  expect(cloud.emulator.log.entries()).toHaveLength(before);
});
