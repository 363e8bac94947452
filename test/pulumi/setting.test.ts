import { expect, test } from "@jest/globals";
import { failureOf } from "../../tools/plugin/pulumi.ts";
import { configured, createVolume, withDriver } from "../support/pulumi/driver.ts";

const textOf = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).message;

/** Settings of the provider in the Pulumi plugin; test/config/ tests the others. */

test("a protected volume is not deleted, and its replacement is an update that the preview rejects", () =>
  configured(async (driver) => {
    const volume = await createVolume(driver, { deletionProtection: true });
    expect(await textOf(driver.remove("Volume", volume))).toBe(
      `Deletion is protected\ndeletionProtection: is on for the volume "${volume.properties.name}" (${volume.id}). Set deletionProtection: false and run pulumi up first, without the change that deletes or replaces the object`,
    );
    const moved = { ...volume.inputs, availabilityZone: "nova-2" };
    expect(await driver.diff("Volume", volume.properties, moved)).toMatchObject({
      changes: "DIFF_SOME",
      detailed: { availabilityZone: "UPDATE" },
      replaces: [],
    });
    expect(await textOf(driver.update("Volume", volume, moved, true))).toBe(
      "Deletion is protected\navailabilityZone: the change replaces the object, whose deletion protection is on. Set deletionProtection: false and run pulumi up first, without the change that deletes or replaces the object",
    );
    const { deletionProtection: _, ...open } = volume.inputs ?? {};
    expect(await driver.diff("Volume", volume.properties, open)).toMatchObject({
      detailed: { deletionProtection: "DELETE" },
      replaces: [],
    });
    const properties = await driver.update("Volume", volume, open);
    expect(properties).not.toHaveProperty("deletionProtection");
    await driver.remove("Volume", { ...volume, properties });
    expect(driver.emulator.inventory.list().map(({ kind }) => kind)).not.toContain("volume");
  }));

test("default tags are accepted as a map or as its JSON text", async () => {
  for (const defaultTags of [{ team: "orders" }, '{"team":"orders"}'])
    await withDriver(async (driver) => {
      await driver.configure({ defaultTags });
      expect(driver.plugin.context.session?.settings.defaultTags).toEqual({ team: "orders" });
    });
  await withDriver(async (driver) => {
    const configuring = driver.configure({ defaultTags: "team=orders" });
    expect(await textOf(configuring)).toMatch(/defaultTags: must be a map of strings$/);
  });
});

test("a profile file that cannot be read is named in the error", () =>
  withDriver(async (driver) => {
    const configuring = driver.configure({ profile: "mine", profileFile: "/nowhere/profiles.json" });
    expect(await textOf(configuring)).toMatch(/profile: \/nowhere\/profiles\.json cannot be read$/);
  }));
