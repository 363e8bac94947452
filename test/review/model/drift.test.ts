import { expect, test } from "@jest/globals";
import type { Change } from "../../../review/model/change.ts";
import { changeOf, planOf, unchanged } from "../change-of.ts";
import { reviewed } from "../gate/reviewed.ts";

const volume = { vpcId: "vpc-1", name: "data", sizeGb: 10, volumeType: "ssd" };

/** Returns the drift of an object; a plan lists it as an update. */
const drifted = (kind: string, from: object, to: object): Change =>
  changeOf(kind, from as never, to as never, { action: "update", forcedBy: [] });

test("a computed value that changes with an object of the stack is no drift", () => {
  const before = { ...volume, status: "available" };
  const after = { ...volume, status: "in-use" };
  const attachment = unchanged(
    "volume-attachment",
    { vpcId: "vpc-1", volumeId: "volume-data-id", instanceId: "instance-1" },
    { dependsOn: ["kcloud_volume.data"] },
  );
  const plan = (others: readonly Change[]) =>
    planOf([unchanged("volume", after), ...others], { drift: [drifted("volume", before, after)] });
  expect(reviewed(plan([attachment]))).toMatchObject({ findings: [], count: 0 });
  expect(reviewed(plan([]))).toMatchObject({ findings: [], count: 1 });
});
