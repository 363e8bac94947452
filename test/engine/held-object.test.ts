import { expect, test } from "@jest/globals";
import { openCloud } from "../support/cloud.ts";
import { openProvider } from "../support/engine/provider.ts";

/** Tests creates whose object another entry of the state has. */

/** Opens a provider, as a new process does. */
async function openConfigured(cloud: ReturnType<typeof openCloud>) {
  const provider = openProvider(cloud);
  expect(await provider.configure()).toEqual([]);
  return provider;
}

test("a replacement by create_before_destroy that the engine decides says so, if the engine passes the private data of the plan", async () => {
  const cloud = openCloud();
  const planning = await openConfigured(cloud);
  const made = await planning.apply("vpc", { name: "data" });
  const first = await planning.plan("vpc", { name: "data" }, made);
  const planned = await planning.plan("vpc", { name: "data" }, { ...first, values: undefined });
  for (const { passed, expected } of [
    { passed: planned, expected: "this run replaces it, and would create the new one first" },
    { passed: undefined, expected: "Import it if nothing manages it" },
  ]) {
    const applying = await openConfigured(cloud);
    const again = await applying.plan("vpc", { name: "data" }, undefined, passed);
    const { diagnostics } = await applying.applyPlanned("vpc", { name: "data" }, again);
    expect(diagnostics.join()).toContain(expected);
    expect(diagnostics.join()).toContain("emove create_before_destroy");
  }
});

test("a create of an object that another resource has offers no import", async () => {
  const managed = "another resource of this configuration manages it";
  const leaving =
    "another resource of this configuration has it until this run deletes, replaces or renames it";
  for (const { after, expected } of [
    { after: { sizeGb: 20 }, expected: managed },
    { after: { name: "other" }, expected: leaving },
    { after: { multiattach: true }, expected: leaving },
    { after: undefined, expected: leaving },
  ]) {
    const cloud = openCloud();
    const planning = await openConfigured(cloud);
    const vpc = await planning.apply("vpc", { name: "net" });
    const config = { name: "data", sizeGb: 10, volumeType: "ssd", vpcId: String(vpc.values?.id) };
    const made = await planning.apply("volume", config);
    await planning.plan("volume", after && { ...config, ...after }, made);
    const planned = await planning.plan("volume", config);
    const applying = await openConfigured(cloud);
    const again = await applying.plan("volume", config, undefined, planned);
    const { diagnostics } = await applying.applyPlanned("volume", config, again);
    expect(diagnostics.join()).toContain(expected);
    expect(diagnostics.join()).not.toContain("mport");
  }
});
