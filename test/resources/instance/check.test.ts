import { expect, test } from "@jest/globals";
import type { Values } from "../../../provider/core/value.ts";
import { plan } from "../../../provider/engine/plan.ts";
import { resource } from "../../support/cloud.ts";
import { idOf as id, problemsOf } from "../../support/problem.ts";

const bootVolume = { imageKrn: id("image"), sizeGb: 10, volumeType: "ssd" };
const written: Values = {
  vpcId: id("vpc"),
  name: "web",
  instanceType: "c1.small",
  subnetId: id("subnet"),
  sshkeyName: "mine",
  securityGroups: [id("sg")],
  bootVolume,
};

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
  ["no group", { securityGroups: [] }, ["securityGroups must name at least one group"]],
  [
    "an id of another kind in place of a group",
    { securityGroups: [id("sg"), id("subnet")] },
    ["securityGroups.1 is the ID of a subnet, but the ID of a security group is required"],
  ],
  [
    "a group of another region",
    { securityGroups: [id("sg", "In-Hyderabad-1")] },
    ["securityGroups.0 belongs to another region or account than the VPC"],
  ],
  [
    "a group of another account",
    { securityGroups: [id("sg", "In-Bangalore-1", "9")] },
    ["securityGroups.0 belongs to another region or account than the VPC"],
  ],
  ["a group with an id of another layout", { securityGroups: ["krn:some:sg/3"] }, []],
  [
    "an id of another kind in place of a subnet",
    { subnetId: id("vpc") },
    ["subnetId is the ID of a VPC, but the ID of a subnet is required"],
  ],
  ["plain user data", { userData: "#!/bin/sh\n" }, []],
  ["encoded user data", { userDataBase64: "IyEvYmluL3NoCg==" }, []],
  ["invalid base64", { userDataBase64: "#!/bin/sh" }, ["userDataBase64 must be base64"]],
  [
    "both forms of user data",
    { userData: "x", userDataBase64: "eA==" },
    ["userDataBase64 conflicts with user_data: set only one of them"],
  ],
  // Fields of the request that users cannot set (docs/contract.md#6).
  ["a network", { networkId: id("network") }, ["networkId is set by the API and cannot be configured"]],
  ["several at once", { count: 3 }, ["count is not a known attribute"]],
  ["a list of volumes", { volumes: [] }, ["volumes is not a known attribute; did you mean volumeId?"]],
  ["no key", { sshkeyName: "" }, ["sshkeyName must not be empty"]],
  [
    "an id of another kind in place of a port",
    { portId: id("subnet") },
    ["portId is the ID of a subnet, but the ID of a port is required"],
  ],
  [
    "an id of another kind in place of an image",
    { bootVolume: { ...bootVolume, imageKrn: id("volume") } },
    ["bootVolume.imageKrn is the ID of a volume, but the ID of an image is required"],
  ],
  ["an unknown power state", { powerState: "off" }, ['powerState must be "running" or "stopped"']],
  ["no size", { bootVolume: { ...bootVolume, sizeGb: 0 } }, ["bootVolume.sizeGb must be at least 1"]],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("instance", { ...written, ...change })).toEqual(expected);
});

test("the secret fields are those of the contract's table and the user data", () => {
  const { fields } = resource("instance");
  const secret = Object.entries(fields).filter(
    ([, field]) => field.kind === "field" && field.options.secret === true,
  );
  expect(secret.map(([name]) => name)).toEqual([
    "userData",
    "userDataBase64",
    "gatewayPassword",
    "modelApiKey",
  ]);
});

const state = (values: Values) => ({ id: id("instance"), task: undefined, values, unread: [] });
const changes = (before: Values, after: Values) =>
  plan(resource("instance"), state({ ...written, ...before }), { ...written, ...after }).changes.map(
    ({ path, effect }) => `${path.join(".")} ${effect}`,
  );

test("power state, restarts and the deletion of the boot volume change in place, other fields replace", () => {
  expect(changes({ powerState: "running" }, { powerState: "stopped" })).toEqual(["powerState update"]);
  expect(changes({ powerState: "stopped" }, {})).toEqual([]);
  expect(changes({ restartWhenChanged: { a: "1" } }, { restartWhenChanged: { a: "2" } })).toEqual([
    "restartWhenChanged update",
  ]);
  expect(changes({}, { deleteOnTermination: false })).toEqual(["deleteOnTermination update"]);
  expect(changes({}, { instanceType: "c1.large" })).toEqual(["instanceType replace"]);
  expect(changes({}, { bootVolume: { ...bootVolume, sizeGb: 20 } })).toEqual(["bootVolume.sizeGb replace"]);
  expect(changes({}, { userData: "x" })).toEqual(["userData replace"]);
});

test("security groups are unordered", () => {
  const groups = [id("sg"), `${id("sg")}4`];
  expect(changes({ securityGroups: groups }, { securityGroups: groups.toReversed() })).toEqual([]);
});

test("a replacement warns of the lost data", () => {
  const { changes } = plan(resource("instance"), state(written), { ...written, name: "other" });
  expect(changes.map(({ reason }) => reason)).toEqual(["The data on the boot volume is destroyed."]);
});
