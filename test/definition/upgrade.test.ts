import { expect, test } from "@jest/globals";
import { relocated, upgraded, versionOf } from "../../provider/definition/upgrade.ts";
import { outputsOf, stateOf } from "../../provider/pulumi/pulumi.ts";
import { resourceSchema, resourceShape } from "../../provider/terraform/codec/schema.ts";
import { decodeRecord } from "../../provider/terraform/codec/value.ts";
import { resourceHandlers } from "../../provider/terraform/rpc/resource.ts";
import { resource } from "../support/cloud.ts";
import { texts } from "../support/engine/provider.ts";

/** Fictional history: the size in GB was first `size`, then the string `capacityGb` of the group `disk`. */
const volume = {
  ...resource("volume"),
  upgrades: [
    { renamed: { size: "disk.capacityGb" } },
    {
      renamed: { "disk.capacityGb": "sizeGb", kind: "volumeType" },
      changed: { sizeGb: (value: unknown) => Number(value) },
    },
  ],
};
const vpcId = "krn:vpc:In-Bangalore-1:1:00000000-0000-4000-8000-000000000000:vpc:1";
const today = { vpcId, name: "data", sizeGb: 10, volumeType: "ssd" };

const stored = [
  { name: "data", vpc_id: vpcId, size: 10, kind: "ssd" },
  { name: "data", vpc_id: vpcId, disk: { capacity_gb: "10" }, kind: "ssd" },
  { name: "data", vpc_id: vpcId, size_gb: 10, volume_type: "ssd" },
];

const upgrade = (version: number, attributes: object) => {
  const session = () => undefined;
  const { upgradeResourceState } = resourceHandlers([volume], { session });
  const request = {
    typeName: "kcloud_volume",
    version,
    rawState: { json: Buffer.from(JSON.stringify(attributes)) },
  };
  return upgradeResourceState(request, {
    signal: new AbortController().signal,
    connection: {},
  });
};

test.each(stored.map((attributes, version) => [version, attributes] as const))(
  "a Terraform state of version %i is read as one of the current version",
  async (version, attributes) => {
    const answer = await upgrade(version, attributes);
    expect(texts(answer.diagnostics)).toEqual([]);
    const state = "upgradedState" in answer ? answer.upgradedState : undefined;
    expect(decodeRecord(state, resourceShape(volume))).toMatchObject(today);
  },
);

test("a state of a later version is rejected, and the schema has the current version", async () => {
  expect(resourceSchema(volume).version).toBe(2);
  expect(resourceSchema(resource("volume")).version).toBe(versionOf(resource("volume")));
  const answer = await upgrade(3, {});
  expect(texts(answer.diagnostics)).toEqual([
    "error: The state was written by a newer version: Use that version of this provider, or a newer one.",
  ]);
});

test("a Pulumi state contains its version once there are several, and older ones are read", () => {
  const state = stateOf(volume, "krn:1", { name: "data", vpcId, size: 10, kind: "ssd" });
  expect(state.values).toMatchObject(today);
  const outputs = outputsOf(volume, state);
  expect(outputs).toMatchObject({ ...today, __version: 2 });
  expect(stateOf(volume, "krn:1", outputs).values).toEqual(state.values);
  expect(outputsOf(resource("volume"), state)).not.toHaveProperty("__version");
});

test.each([3, "2", -1, 1.5, [2], null])("Pulumi outputs of the version %j are refused", (version) => {
  const outputs = { ...today, __version: version };
  expect(() => stateOf(volume, "krn:1", outputs)).toThrow(
    'A newer version of the plugin wrote the state of the volume "data" (krn:1), and this version cannot read it.',
  );
});

test("fields may swap names, groups may be added and removed, and missing values stay missing", () => {
  const same = (name: string) => name;
  expect(relocated({ a: 1, b: 2 }, { a: "b", b: "a" }, same)).toEqual({ a: 2, b: 1 });
  expect(relocated({ a: { b: { c: 1 } } }, { "a.b.c": "d", "x.y": "z" }, same)).toEqual({
    a: { b: { c: null } },
    d: 1,
  });
  expect(relocated({ a: 1 }, { a: "b.c" }, same)).toEqual({ a: null, b: { c: 1 } });
  const noUpgrade = { a: 1 };
  expect(upgraded({}, 0, noUpgrade)).toBe(noUpgrade);
});
