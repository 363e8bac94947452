import { expect, test } from "@jest/globals";
import type { Change } from "../../../review/model/change.ts";
import { reasonsOf, reversalOf } from "../../../review/report/reason.ts";
import { changeOf } from "../change-of.ts";

const volume = { vpcId: "vpc-1", name: "data", sizeGb: 10, volumeType: "ssd" };

const group = { vpcId: "vpc-1", name: "web" };

const pod = { name: "train", templateId: 1 };

test.each<readonly [string, Change, readonly string[], string]>([
  ["a new object", changeOf("volume", undefined, volume), [], "Undone by deleting the object."],
  [
    "a volume that grows",
    changeOf("volume", volume, { ...volume, sizeGb: 20 }),
    [],
    "Cannot be undone in place: size_gb cannot be changed back.",
  ],
  [
    "a renamed volume",
    changeOf("volume", volume, { ...volume, name: "other" }),
    [],
    "Undone by applying the previous revision.",
  ],
  [
    "a deleted volume",
    changeOf("volume", volume, undefined, { cause: "fewer instances" }),
    [
      "The configuration has fewer instances of it.",
      "The data on the volume is destroyed; take a backup or a copy first.",
    ],
    "Cannot be undone: the data is lost.",
  ],
  [
    "a forgotten volume",
    changeOf("volume", volume, undefined, { action: "forget" }),
    [],
    "Undone by importing the object.",
  ],
  [
    "a replaced pod",
    changeOf("ai-pod", pod, { ...pod, templateId: 2 }, { cause: "triggered" }),
    [
      "A change of another object triggers the replacement.",
      "template_id cannot be changed in place.",
      "The data on the disks of the pod is destroyed.",
    ],
    "Cannot be undone: the data is lost.",
  ],
  [
    "a deleted access key",
    changeOf("access-key", { name: "reports" }, undefined),
    [],
    "Cannot be undone: a new one has another secret.",
  ],
  [
    "a deleted security group",
    changeOf("security-group", group, undefined),
    [],
    "Undone by recreating it, with a new id.",
  ],
])("the reasons and the reversal of %s", (_, change, reasons, reversal) => {
  expect([reasonsOf(change), reversalOf(change)]).toEqual([reasons, reversal]);
});
