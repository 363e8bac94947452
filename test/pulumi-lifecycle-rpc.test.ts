import { expect, test } from "@jest/globals";
import { withDriver } from "./pulumi-driver.ts";

test("a volume is made, read, changed and deleted, call by call", () =>
  withDriver(async (driver) => {
    await driver.configure();
    const vpc = await driver.create("Vpc", (await driver.check("Vpc", { name: "net" })).inputs);
    expect(vpc.id).toMatch(/^krn:vpc:/);
    const { inputs, failures } = await driver.check("Volume", {
      vpcId: vpc.id,
      name: "data",
      sizeGb: 10,
      volumeType: "ssd",
    });
    expect(failures).toEqual([]);
    const made = await driver.create("Volume", inputs);
    console.log(made, driver.said);
  }));
