import { expect, test } from "@jest/globals";
import { InputError } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf, perEngine, wording } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, live, openCloud, requests, resource } from "../support/cloud.ts";
import { openProvider } from "../support/engine/provider.ts";

const volume = resource("volume");
const network = { name: "net" };

async function protectedVolume(cloud: Cloud): Promise<ResourceState> {
  const vpc = await cloud.run(cloud.create("vpc", network));
  return cloud.run(cloud.create("volume", written(String(vpc.id))));
}

const written = (vpcId: string, more = {}) => ({
  vpcId,
  name: "data",
  sizeGb: 10,
  volumeType: "ssd",
  deletionProtection: true,
  ...more,
});

const unprotect = perEngine({
  terraform:
    "Set deletion_protection = false and run terraform apply (or tofu apply) first, without the change that deletes or replaces the object",
  pulumi:
    "Set deletionProtection: false and run pulumi up first, without the change that deletes or replaces the object",
});
const onDelete = (id: unknown) => wording`is on for the volume "data" (${String(id)}). ${unprotect}`;
const onReplace = wording`the change replaces the object, whose deletion protection is on. ${unprotect}`;

test("exactly the resources that hold data have the field", async () => {
  const { resources } = await import("../../resources/index.ts");
  for (const { name, holdsData, fields } of resources)
    expect([name, Object.hasOwn(fields, "deletionProtection")]).toEqual([name, holdsData !== undefined]);
});

test("a protected object is not deleted, and nothing is sent", async () => {
  const cloud = openCloud();
  const state = await protectedVolume(cloud);
  expect(state.values.deletionProtection).toBe(true);
  const refusal = engine.delete(cloud.session, volume, state, cloud.call);
  await expect(refusal).rejects.toThrow(
    new InputError([{ path: ["deletionProtection"], problem: onDelete(state.id) }]),
  );
  expect(requests(cloud, "delete_volume")).toEqual([]);
});

test("protection is turned on and off in place, and is in no request", async () => {
  const cloud = openCloud();
  const state = await protectedVolume(cloud);
  const { inputs: off } = engine.check(
    volume,
    written(String(state.values.vpcId), { deletionProtection: false }),
  );
  const plan = engine.plan(volume, state, off, cloud.session);
  expect(plan).toMatchObject({
    action: "update",
    changes: [{ path: ["deletionProtection"], effect: "update", recordOnly: true }],
  });
  const since = cloud.emulator.log.entries().length;
  const open = await cloud.run(engine.update(cloud.session, volume, state, off, cloud.call));
  const sent = cloud.emulator.log.entries().slice(since);
  expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(open.values.deletionProtection).toBe(false);
  expect(JSON.stringify(cloud.emulator.log.entries())).not.toMatch(/deletion_?protection/i);
  await cloud.run(engine.delete(cloud.session, volume, open, cloud.call));
  expect(live(cloud, "volume")).toEqual([]);
});

test("a plan that replaces a protected object is rejected, even if the same change turns the protection off", async () => {
  const cloud = openCloud();
  const state = await protectedVolume(cloud);
  for (const deletionProtection of [true, false]) {
    const other = written(String(state.values.vpcId), { multiattach: true, deletionProtection });
    const plan = engine.plan(volume, state, engine.check(volume, other).inputs, cloud.session);
    expect(plan.problems).toEqual([
      {
        path: ["multiattach"],
        title: "Deletion is protected",
        problem: onReplace,
        remedies: [{ code: "unset-deletion-protection" }],
      },
    ]);
    expect(plan.action).not.toBe("replace");
  }
});

test("a change that turns the protection on and replaces the object is rejected", async () => {
  const cloud = openCloud();
  const made = await protectedVolume(cloud);
  const state = { ...made, values: { ...made.values, deletionProtection: false } };
  const other = written(String(made.values.vpcId), { multiattach: true, deletionProtection: true });
  const plan = engine.plan(volume, state, engine.check(volume, other).inputs, cloud.session);
  expect([plan.action, plan.problems.map(({ title }) => title)]).toEqual([
    "update",
    ["Deletion is protected"],
  ]);
});

test("a refresh keeps the protection, an import has none, and the next change records that of the configuration", async () => {
  const cloud = openCloud();
  const state = await protectedVolume(cloud);
  const seen = await cloud.run(engine.read(cloud.session, volume, state, cloud.call));
  expect(seen?.values.deletionProtection).toBe(true);
  const where = `${String(state.values.vpcId)},${state.id}`;
  const imported = await cloud.run(engine.import(cloud.session, volume, where, cloud.call));
  expect(imported.values.deletionProtection).toBeNull();
  const inputs = engine.check(volume, written(String(state.values.vpcId))).inputs;
  expect(engine.plan(volume, imported, inputs, cloud.session).changes).toMatchObject([
    { path: ["deletionProtection"], recordOnly: true },
  ]);
});

test("Terraform reports the protection in the plan of a destroy", async () => {
  const cloud = openCloud();
  const provider = openProvider(cloud);
  await provider.configure();
  const made = await cloud.run(provider.apply("vpc", network));
  const id = String(made.values?.id);
  const kept = await cloud.run(provider.apply("volume", written(id)));
  expect(kept.diagnostics).toEqual([]);
  expect((await provider.plan("volume", undefined, kept)).diagnostics).toEqual([
    expect.stringContaining(`deletion_protection: ${inWordsOf("terraform", onDelete(kept.values?.id))}`),
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
  const refused = `error: Deletion is protected: deletion_protection: ${inWordsOf("terraform", onDelete(kept.values?.id))} (at deletion_protection)`;
  for (const change of [{}, { name: "files" }, { deletionProtection: false }])
    expect(await replaced(written(id, change))).toEqual([refused]);
  await provider.configure();
  const off = await provider.apply("volume", written(id, { deletionProtection: false }), kept);
  await provider.configure();
  const first = await provider.plan("volume", written(id, { deletionProtection: true }), off);
  const again = { ...first, values: undefined };
  expect((await provider.plan("volume", written(id), again)).diagnostics).toEqual([]);
});
