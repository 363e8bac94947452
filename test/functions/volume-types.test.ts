import { expect, test } from "@jest/globals";
import { lookups } from "../../functions/index.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, live, openCloud } from "../support/cloud.ts";

function find(cloud: Cloud, name: string, written: Values, session = cloud.session) {
  const lookup = lookups.find((candidate) => candidate.name === name);
  if (lookup === undefined) throw new Error(`no lookup ${name}`);
  return cloud.run(engine.lookup(session, lookup, written, cloud.call));
}

async function withVpcs(...names: string[]) {
  const cloud = openCloud();
  for (const name of names) await cloud.run(cloud.create("vpc", { name }));
  return cloud;
}

test("volume types are looked up in a VPC; regions need no request", async () => {
  const cloud = await withVpcs("net");
  const vpcId = live(cloud, "vpc")[0]?.krn as string;
  const { volumeTypes } = await find(cloud, "volume-types", { vpcId });
  expect(volumeTypes).toEqual(["standard", "ssd", "HNSS", "HNSS_Encrypted"]);
  const before = cloud.emulator.log.entries().length;
  expect(await find(cloud, "regions", {})).toEqual({ regions: ["In-Bangalore-1", "In-Hyderabad-1"] });
  expect(cloud.emulator.log.entries()).toHaveLength(before);
});
