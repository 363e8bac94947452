import { status } from "@grpc/grpc-js";
import { expect, test } from "@jest/globals";
import { failureOf, type Properties } from "../../tools/plugin/pulumi.ts";
import { configured, secret, unknown, withDriver } from "../support/pulumi/driver.ts";

const size = { sizeGb: 10, volumeType: "ssd" };
const vpcKrn = "krn:vpc:In-Bangalore-1:0:0:vpc:1";

const stored = {
  vpcId: vpcKrn,
  name: "data",
  ...size,
  availabilityZone: "nova",
  multiattach: false,
  metadata: { "a.b": "1", c: "2" },
  region: "In-Bangalore-1",
  status: "available",
};
const { region: _, status: __, ...asWritten } = stored;

test.each<[string, Properties, Properties, object]>([
  ["nothing", stored, asWritten, { changes: "DIFF_NONE", diffs: [], detailed: {} }],
  [
    "nothing, with a state that a dynamic provider stored",
    { ...stored, __provider: "exports.handler=…" },
    asWritten,
    { changes: "DIFF_NONE", diffs: [] },
  ],
  [
    "labels, each with its own path",
    stored,
    { ...asWritten, metadata: { "a.b": "1!", d: "3" } },
    {
      changes: "DIFF_SOME",
      diffs: ["metadata"],
      replaces: [],
      detailed: { 'metadata["a.b"]': "UPDATE", "metadata.c": "DELETE", "metadata.d": "ADD" },
    },
  ],
  [
    "a larger size",
    stored,
    { ...asWritten, sizeGb: 20 },
    { diffs: ["sizeGb"], replaces: [], deleteBeforeReplace: true, detailed: { sizeGb: "UPDATE" } },
  ],
  [
    "a smaller size, which the update rejects",
    stored,
    { ...asWritten, sizeGb: 5 },
    { changes: "DIFF_SOME", diffs: ["sizeGb"], replaces: [], detailed: { sizeGb: "UPDATE" } },
  ],
  [
    "a zone, which deletes the old object before one with the same name is created",
    stored,
    { ...asWritten, availabilityZone: "nova-2" },
    {
      replaces: ["availabilityZone"],
      deleteBeforeReplace: true,
      detailed: { availabilityZone: "UPDATE_REPLACE" },
    },
  ],
  [
    "zone and name, which creates the new object first",
    stored,
    { ...asWritten, availabilityZone: "nova-2", name: "data-2" },
    { replaces: ["availabilityZone"], deleteBeforeReplace: false },
  ],
  [
    "the zone of an object with an automatic name, which gets a new name",
    { ...stored, name: "it-0a1b2c3" },
    { ...asWritten, name: "it-0a1b2c3", availabilityZone: "nova-2" },
    { replaces: ["availabilityZone"], deleteBeforeReplace: false },
  ],
  [
    "a source that was added",
    stored,
    { ...asWritten, source: { id: "krn:x", type: "image" } },
    { replaces: ["source"], detailed: { source: "ADD_REPLACE" } },
  ],
  [
    "an unknown VPC",
    stored,
    { ...asWritten, vpcId: unknown },
    { replaces: ["vpcId"], detailed: { vpcId: "UPDATE_REPLACE" } },
  ],
  [
    "secret labels, without the names of the labels",
    stored,
    { ...asWritten, metadata: secret("x") },
    { detailed: { metadata: "UPDATE" } },
  ],
])("a diff of %s", (_, olds, news, expected) =>
  withDriver(async (driver) => {
    expect(await driver.diff("Volume", olds, news)).toMatchObject(expected);
  }),
);

test("a change in place deletes first, since the engine may replace the object after all", () =>
  withDriver(async (driver) => {
    for (const sizeGb of [20, 5])
      expect(await driver.diff("Volume", stored, { ...asWritten, sizeGb })).toMatchObject({
        replaces: [],
        deleteBeforeReplace: true,
      });
    expect(await driver.diff("Volume", stored, { ...asWritten, name: "other" })).toMatchObject({
      deleteBeforeReplace: false,
    });
  }));

test("a replacement logs what it destroys", () =>
  withDriver(async (driver) => {
    await driver.diff("Volume", stored, { ...asWritten, multiattach: true });
    expect(driver.logged.map(({ severity, message }) => [severity, message])).toEqual([
      [
        "INFO",
        "Changing multiattach replaces the object. The data on the volume is destroyed; take a backup or a copy first.",
      ],
    ]);
  }));

test("a subnet is deleted before its replacement is created, even under another name: their ranges would overlap", () =>
  withDriver(async (driver) => {
    const olds = { vpcId: vpcKrn, name: "a", cidr: "10.0.0.0/24", ipVersion: 4, ingress: true, egress: true };
    expect(await driver.diff("Subnet", olds, { ...olds, name: "b" })).toMatchObject({
      replaces: ["name"],
      deleteBeforeReplace: true,
    });
    // The same range in another notation.
    expect(await driver.diff("Subnet", olds, { ...olds, cidr: "10.0.0.7/24" })).toMatchObject({
      changes: "DIFF_NONE",
    });
  }));

test("a preview of a create returns known values, leaves out values that the API sets, and sends no request", () =>
  configured(async (driver) => {
    const inputs = { vpcId: unknown, name: "data", ...size, availabilityZone: "nova", multiattach: false };
    const { properties } = await driver.create("Volume", inputs, { preview: true });
    const { vpcId: __, ...known } = inputs;
    expect(properties).toEqual({
      ...known,
      description: null,
      metadata: null,
      qos: null,
      source: null,
      // The region is that of the VPC, whose ID is unknown.
      deletionProtection: null,
    });
    const nested = {
      name: "net",
      primarySubnet: { name: "a", cidr: "10.0.0.0/24", ingress: true, egress: true },
    };
    expect((await driver.create("Vpc", nested, { preview: true })).properties.primarySubnet).toEqual({
      ...nested.primarySubnet,
      gatewayIp: null,
      description: null,
      ipVersion: null,
      id: unknown,
    });
    expect(driver.emulator.log.entries()).toEqual([]);
  }));

test("a preview of an update keeps unchanged values", () =>
  configured(async (driver) => {
    const resource = { id: "krn:1", properties: stored };
    expect(await driver.update("Volume", resource, { ...asWritten, sizeGb: 20 }, true)).toEqual({
      ...stored,
      sizeGb: 20,
      description: null,
      qos: null,
      source: null,
      deletionProtection: null,
    });
    expect(driver.emulator.log.entries()).toEqual([]);
  }));

test("an update that is not possible is rejected in its preview", () =>
  configured(async (driver) => {
    const resource = { id: "krn:1", properties: stored };
    for (const preview of [true, false])
      expect(
        await failureOf(driver.update("Volume", resource, { ...asWritten, sizeGb: 5 }, preview)),
      ).toEqual({
        code: status.INVALID_ARGUMENT,
        message:
          "Invalid value for sizeGb\nsizeGb: cannot shrink from 10 to 5 GB: the volume is 10 GB now; set sizeGb: 10, or create a smaller volume and copy the data",
      });
    expect(driver.emulator.log.entries()).toEqual([]);
  }));
