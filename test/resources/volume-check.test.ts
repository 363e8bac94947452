import { expect, test } from "@jest/globals";
import type { Values } from "../../provider/core/value.ts";
import { idOf, problemsOf } from "../support/problem.ts";

const written: Values = { vpcId: idOf("vpc"), name: "data", sizeGb: 20, volumeType: "HNSS" };
const labels = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`label-${at}`, "x"]));
const tooMany =
  "metadata must have at most 128 labels, with names up to 255 and values up to 4096 characters";

test.each<[string, Values, string[]]>([
  ["the required fields", {}, []],
  ["the maximum number of labels", { metadata: labels(128) }, []],
  ["the longest label", { metadata: { ["n".repeat(255)]: "v".repeat(4096) } }, []],
  ["a copy of a snapshot", { source: { id: idOf("snapshot"), type: "snapshot" } }, []],
  [
    "nothing",
    { vpcId: "", name: "", sizeGb: null, volumeType: "" },
    [
      "vpcId must not be empty",
      "name must not be empty",
      "sizeGb is required",
      "volumeType must not be empty",
    ],
  ],
  [
    "an id of another kind in place of a VPC",
    { vpcId: idOf("subnet") },
    ["vpcId is the ID of a subnet, but the ID of a VPC is required"],
  ],
  ["no size", { sizeGb: 0 }, ["sizeGb must be at least 1"]],
  ["half a GB", { sizeGb: 1.5 }, ["sizeGb must be a whole number"]],
  ["a size as text", { sizeGb: "20" }, ["sizeGb must be a number"]],
  ["no zone", { availabilityZone: "" }, ["availabilityZone must not be empty"]],
  ["a word for a switch", { multiattach: "no" }, ["multiattach must be true or false"]],
  ["a number for a label", { metadata: { a: 1 } }, ["metadata.a must be a string"]],
  [
    "a label that no response can show",
    { metadata: JSON.parse('{"__proto__": "x"}') },
    ["metadata.__proto__ cannot be the name of a label"],
  ],
  ["too many labels", { metadata: labels(129) }, [tooMany]],
  ["a label with too long a name", { metadata: { ["n".repeat(256)]: "x" } }, [tooMany]],
  ["a label with too long a value", { metadata: { a: "v".repeat(4097) } }, [tooMany]],
  ["a negative limit", { qos: { iops: { readIopsSec: -1 } } }, ["qos.iops.readIopsSec must be at least 0"]],
  ["a copy of nothing", { source: { id: "", type: "image" } }, ["source.id must not be empty"]],
  [
    "a copy of an unsupported source",
    { source: { id: "x", type: "disk" } },
    ['source.type must be "image" or "volume" or "snapshot"'],
  ],
  [
    "a field that the API sets",
    { status: "available" },
    ["status is set by the API and cannot be configured"],
  ],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("volume", { ...written, ...change })).toEqual(expected);
});
