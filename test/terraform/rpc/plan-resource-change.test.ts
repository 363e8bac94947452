import { expect, test } from "@jest/globals";
import type { Values } from "../../../provider/core/value.ts";
import { openCloud } from "../../support/cloud.ts";
import { openProvider } from "../../support/engine/provider.ts";

const network = { name: "net" };

const written = (vpcId: string, more = {}) => ({
  vpcId,
  name: "data",
  sizeGb: 10,
  volumeType: "ssd",
  deletionProtection: true,
  ...more,
});

/** Returns the problem of a delete of a protected volume. */
const onDelete = (id: unknown) =>
  `is on for the volume "data" (${String(id)}). Set deletion_protection = false and run terraform apply (or tofu apply) first, without the change that deletes or replaces the object`;

test("Terraform reports the protection in the plan of a destroy", async () => {
  const cloud = openCloud();
  const provider = openProvider(cloud);
  await provider.configure();
  const made = await cloud.run(provider.apply("vpc", network));
  const id = String(made.values?.id);
  const kept = await cloud.run(provider.apply("volume", written(id)));
  expect(kept.diagnostics).toEqual([]);
  expect((await provider.plan("volume", undefined, kept)).diagnostics).toEqual([
    expect.stringContaining(`deletion_protection: ${onDelete(kept.values?.id)}`),
  ]);
  // Each command of an engine configures the provider.
  await provider.configure();
  const open = await cloud.run(provider.apply("volume", written(id, { deletionProtection: false }), kept));
  expect(open.diagnostics).toEqual([]);
  await provider.configure();
  expect((await provider.plan("volume", undefined, open)).diagnostics).toEqual([
    `warning: Deleting the volume "data" destroys its data: The volume "data" (${String(open.values?.id)}): The data on the volume is destroyed; take a backup or a copy first.`,
  ]);
});

test("Terraform reports the protection in the plan of a replacement that the engine decides", async () => {
  const cloud = openCloud();
  const provider = openProvider(cloud);
  await provider.configure();
  const id = String((await provider.apply("vpc", network)).values?.id);
  const kept = await provider.apply("volume", written(id));
  const replaced = async (config: Values) => {
    await provider.configure();
    const first = await provider.plan("volume", config, kept);
    expect([first.replaces, first.diagnostics]).toEqual([[], []]);
    return (await provider.plan("volume", config, { ...first, values: undefined })).diagnostics;
  };
  const refused = `error: Deletion is protected: deletion_protection: ${onDelete(kept.values?.id)} (at deletion_protection)`;
  for (const change of [{}, { name: "files" }, { deletionProtection: false }])
    expect(await replaced(written(id, change))).toEqual([refused]);
  await provider.configure();
  const off = await provider.apply("volume", written(id, { deletionProtection: false }), kept);
  await provider.configure();
  const first = await provider.plan("volume", written(id, { deletionProtection: true }), off);
  const again = { ...first, values: undefined };
  expect((await provider.plan("volume", written(id), again)).diagnostics).toEqual([]);
});
