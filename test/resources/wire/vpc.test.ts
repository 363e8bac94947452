import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/emulator.ts";
import { explain } from "../../../provider/core/error.ts";
import { failure, live, openCloud } from "../../support/cloud.ts";

const open = (assume: EmulatorOptions["assume"]) => openCloud({ assume }, { accountId: "000000000000" });

const primarySubnet = { name: "a", cidr: "10.0.0.0/24" };

test("a VPC whose task has one status is created with its first subnet", async () => {
  const cloud = open({ vpcTaskShape: "flat" });
  const state = await cloud.run(cloud.create("vpc", { name: "net", primarySubnet }));
  expect(live(cloud, "vpc").map(({ krn }) => krn)).toEqual([state.id]);
  expect(state.values.primarySubnet).toMatchObject(primarySubnet);
});

test("the error of a VPC whose task has one status and fails has the reason of the API", async () => {
  const cloud = open({ vpcTaskShape: "flat" });
  const failed = await cloud.run(failure(cloud.create("vpc", { name: "net-fails", primarySubnet })));
  expect(explain(failed).detail).toContain("The API reports: ");
});
