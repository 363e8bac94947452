import { expect, test } from "@jest/globals";
import { failureOf } from "../support/pulumi/call.ts";
import { configured, createVolume, withDriver } from "../support/pulumi/driver.ts";

const textOf = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).message;

/** Settings of the whole provider, as the Pulumi plugin takes them; what is not here is in the core's own tests. */

test("a protected volume is not deleted, and a replacement of it is an update that its preview refuses", () =>
  configured(async (driver) => {
    const held = await createVolume(driver, { deletionProtection: true });
    expect(await textOf(driver.remove("Volume", held))).toBe(
      "This configuration cannot be taken\ndeletionProtection: is on: turn it off and apply that before it is deleted",
    );
    const moved = { ...held.inputs, availabilityZone: "nova-2" };
    expect(await driver.diff("Volume", held.properties, moved)).toMatchObject({
      changes: "DIFF_SOME",
      detailed: { availabilityZone: "UPDATE" },
      replaces: [],
    });
    expect(await textOf(driver.update("Volume", held, moved, true))).toBe(
      "This configuration cannot be taken\navailabilityZone: makes a new object, and deletion protection keeps this one: turn it off and apply that first",
    );
    const { deletionProtection: _, ...open } = held.inputs ?? {};
    expect(await driver.diff("Volume", held.properties, open)).toMatchObject({
      detailed: { deletionProtection: "DELETE" },
      replaces: [],
    });
    const properties = await driver.update("Volume", held, open);
    expect(properties).not.toHaveProperty("deletionProtection");
    await driver.remove("Volume", { ...held, properties });
    expect(driver.emulator.inventory.list().map(({ kind }) => kind)).not.toContain("volume");
  }));

test("who asks is told to the cloud, and nothing about whose program it is", () =>
  configured(async (driver) => {
    await createVolume(driver);
    const agents = driver.emulator.log.entries().map(({ headers }) => headers["user-agent"]);
    for (const agent of agents) expect(agent).toMatch(/^kcloud\/\d+\.\d+\.\d+ \(pulumi plugin\)$/);
  }));

test("default tags come as a map or as its text", () =>
  withDriver(async (driver) => {
    for (const defaultTags of [{ team: "orders" }, '{"team":"orders"}']) {
      await driver.configure({ defaultTags });
      expect(driver.plugin.context.session?.settings.defaultTags).toEqual({ team: "orders" });
    }
    const configuring = driver.configure({ defaultTags: "team=orders" });
    expect(await textOf(configuring)).toMatch(/defaultTags: must be a map of texts$/);
  }));

test("a profile that is asked for and cannot be read is named", () =>
  withDriver(async (driver) => {
    const configuring = driver.configure({ profile: "mine", profileFile: "/nowhere/profiles.json" });
    expect(await textOf(configuring)).toMatch(/profile: \/nowhere\/profiles\.json cannot be read$/);
  }));
