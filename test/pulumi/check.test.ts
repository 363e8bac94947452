import { expect, test } from "@jest/globals";
import { type Properties, urnOf } from "../../tools/plugin/pulumi.ts";
import { type Driver, secret, unknown, withDriver } from "../support/pulumi/driver.ts";

const size = { sizeGb: 10, volumeType: "ssd" };
const vpcKrn = "krn:vpc:In-Bangalore-1:0:0:vpc:1";

test("check adds defaults and keeps the inputs, with secrets and unknowns", () =>
  withDriver(async (driver) => {
    const written = { vpcId: unknown, name: "data", description: secret("hush"), ...size };
    expect(await driver.check("Volume", written)).toEqual({
      inputs: { ...written, availabilityZone: "nova", multiattach: false },
      failures: [],
    });
  }));

const seed = Uint8Array.of(0xab, 0xcd, 0xef, 0x01, 0x23);

test.each<[string, Properties, Parameters<Driver["check"]>[2], unknown]>([
  ["the program's", { name: "mine" }, { seed }, "mine"],
  ["the old input's", {}, { seed, olds: { name: "old", __provider: "text" } }, "old"],
  ["the logical name and digits of the seed", {}, { seed, name: "net" }, "net-abcdef0"],
  ["the proposed name", {}, { seed, autonaming: { proposed: "dev-net", mode: "PROPOSE" } }, "dev-net"],
  ["the enforced name", {}, { seed, autonaming: { proposed: "dev-net", mode: "ENFORCE" } }, "dev-net"],
  [
    "the logical name and digits of the seed, if the proposal is empty",
    {},
    { seed, autonaming: { proposed: "", mode: "PROPOSE" } },
    "it-abcdef0",
  ],
])("the name is %s", (_, written, options, name) =>
  withDriver(async (driver) => {
    expect((await driver.check("Vpc", written, options)).inputs.name).toBe(name);
  }),
);

test("a name is required if the stack disables automatic names", () =>
  withDriver(async (driver) => {
    const { failures } = await driver.check("Vpc", {}, { autonaming: { proposed: "", mode: "DISABLE" } });
    expect(failures).toEqual([{ property: "", reason: "name: is required" }]);
  }));

test.each<[string, string, Properties, { property: string; reason: string }]>([
  [
    "with its property, whose value the engine prints",
    "Volume",
    { vpcId: vpcKrn, ...size, sizeGb: 0 },
    { property: "sizeGb", reason: "must be at least 1" },
  ],
  [
    "with its path, if the property is nested",
    "Vpc",
    { primarySubnet: { name: "a", cidr: "10.0.0.0/99" } },
    { property: "", reason: "primarySubnet.cidr: must be a CIDR such as 10.0.0.0/16" },
  ],
  [
    "with its name in the reason, if the property is missing",
    "Volume",
    { ...size },
    { property: "", reason: "vpcId: is required" },
  ],
  [
    "with its name in the reason, if the value is secret",
    "Volume",
    { vpcId: vpcKrn, ...size, sizeGb: secret("many") },
    { property: "", reason: "sizeGb: must be a number" },
  ],
])("a check failure is reported %s", (_, type, written, failure) =>
  withDriver(async (driver) => {
    expect((await driver.check(type, written)).failures).toEqual([failure]);
  }),
);

test("a value that is not among the known ones is a warning", () =>
  withDriver(async (driver) => {
    await driver.check("Volume", { vpcId: vpcKrn, ...size, volumeType: "sdd" });
    expect(driver.logged).toEqual([
      {
        severity: "WARNING",
        message:
          'The value of volumeType of the volume "it" may not be supported\nvolumeType: "sdd" is not a known value; did you mean ssd?',
        urn: urnOf("Volume"),
        ephemeral: false,
      },
    ]);
  }));
