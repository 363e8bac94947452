import { expect, test } from "@jest/globals";
import { UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { requests } from "../../support/cloud.ts";
import { defaults, openProvider } from "../../support/engine/provider.ts";
import { openNetwork } from "../../support/instance-world.ts";

/** Tests plans and applies with the default region of another process. */

test("an apply with the default region of another workspace deletes no machine whose image a lookup found there", async () => {
  const { cloud, written } = await openNetwork();
  const here = openProvider(cloud);
  await here.configure();
  const made = await here.apply("instance", written);
  const there = openProvider(cloud, { ...defaults, SERVICE_REGION: "In-Hyderabad-1" });
  await there.configure();
  const image = String((written.bootVolume as Values).imageKrn).replace("Bangalore", "Hyderabad");
  const config = { ...written, bootVolume: { ...(written.bootVolume as Values), imageKrn: image } };
  const planned = await there.plan("instance", config, made);
  // A destroy begins with this plan: it has a warning and no error.
  expect(planned.diagnostics.filter((text) => text.startsWith("error"))).toEqual([]);
  expect(planned.replaces).toEqual(["boot_volume.image_krn"]);
  const again = await there.plan("instance", config, { ...planned, values: undefined });
  expect([planned.values?.region, again.values?.region]).toEqual(["In-Bangalore-1", "In-Bangalore-1"]);
  const kept = await there.applyPlanned("instance", undefined, { ...again, values: undefined }, made);
  expect(kept.diagnostics[0]).toContain("its replacement would fail after the existing object is deleted");
  expect(requests(cloud, "delete_instance")).toEqual([]);
  // A destroy plans the delete from the state alone.
  const destroy = await there.plan("instance", undefined, made);
  expect((await there.applyPlanned("instance", undefined, destroy, made)).diagnostics).toEqual([]);
});

test("an apply deletes no object that refers to one whose replacement would fail, also by another object", async () => {
  const { cloud, written } = await openNetwork();
  const provider = openProvider(cloud, { ...defaults, SERVICE_REGION: "In-Hyderabad-1" });
  await provider.configure();
  const template = { ...written, name: "worker" };
  const made = await provider.apply("instance-template", template);
  const batch: Values = {
    vpcId: written.vpcId ?? null,
    name: "worker",
    machineCount: 1,
    templateId: made.values?.id ?? null,
  };
  const workers = await provider.apply("instance-batch", batch);
  expect([made.diagnostics, workers.diagnostics].flat().filter((text) => text.startsWith("error"))).toEqual(
    [],
  );
  const image = String((written.bootVolume as Values).imageKrn).replace("Bangalore", "Hyderabad");
  const moved = { ...template, bootVolume: { ...(written.bootVolume as Values), imageKrn: image } };
  await provider.plan("instance-template", moved, made);
  const planned = await provider.plan("instance-batch", { ...batch, templateId: UNKNOWN }, workers);
  expect(planned.replaces).toEqual(["template_id"]);
  const kept = await provider.applyPlanned(
    "instance-batch",
    undefined,
    { ...planned, values: undefined },
    workers,
  );
  expect(kept.diagnostics[0]).toContain(
    `template_id: refers to the instance template "worker" (${String(made.values?.id)}), whose replacement would fail after the existing object is deleted`,
  );
  expect(requests(cloud, "delete_instance")).toEqual([]);
});

test("a region is the same in every letter case: it replaces nothing, and requests have the documented one", async () => {
  const { cloud, written } = await openNetwork();
  const here = openProvider(cloud);
  await here.configure();
  const made = await here.apply("instance", written);
  const loud = openProvider(cloud, { ...defaults, SERVICE_REGION: "IN-BANGALORE-1" });
  await loud.configure();
  const configured = { ...written, region: "in-bangalore-1" };
  expect(await loud.plan("instance", configured, made)).toMatchObject({ replaces: [], diagnostics: [] });
  const other = openProvider(cloud, { ...defaults, SERVICE_REGION: "in-bangalore-1" });
  await other.configure();
  const planned = await other.plan("instance", written, made);
  const replacing = await other.plan("instance", written, { ...planned, values: undefined });
  expect([replacing.diagnostics, replacing.values?.region]).toEqual([[], "In-Bangalore-1"]);
  const second = await loud.apply("instance", { ...configured, name: "second" });
  expect([second.diagnostics, second.values?.region]).toEqual([[], "in-bangalore-1"]);
});

test("a replacement that the engine decides keeps the region of the object, where the engine passes the private data", async () => {
  const { cloud } = await openNetwork();
  const here = openProvider(cloud);
  await here.configure();
  const made = await here.apply("vpc", { name: "old" });
  const there = openProvider(cloud, { ...defaults, SERVICE_REGION: "In-Hyderabad-1" });
  await there.configure();
  const planned = await there.plan("vpc", { name: "old" }, made);
  expect(planned.replaces).toEqual([]);
  const again = await there.plan("vpc", { name: "old" }, { ...planned, values: undefined });
  expect(again.values?.region).toBe("In-Bangalore-1");
});

test("a saved plan creates the object in the planned region, also in a workspace of another region", async () => {
  const { cloud } = await openNetwork();
  const here = openProvider(cloud);
  await here.configure();
  const planned = await here.plan("vpc", { name: "saved" });
  const there = openProvider(cloud, { ...defaults, SERVICE_REGION: "In-Hyderabad-1" });
  await there.configure();
  const made = await there.applyPlanned("vpc", { name: "saved" }, planned);
  expect([made.diagnostics, made.values?.region]).toEqual([[], "In-Bangalore-1"]);
});
