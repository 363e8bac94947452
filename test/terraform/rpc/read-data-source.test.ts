import { expect, test } from "@jest/globals";
import { lookups } from "../../../functions/index.ts";
import { terraformType } from "../../../provider/core/name.ts";
import { definitionShape, resourceShape } from "../../../provider/terraform/codec/schema.ts";
import { decodeRecord, encode } from "../../../provider/terraform/codec/value.ts";
import type { Diagnostic } from "../../../provider/terraform/tfplugin6/tfplugin6.ts";
import { live, openCloud, resource, settle } from "../../support/cloud.ts";
import { defaults, type Kept, openProvider, type Provider, texts } from "../../support/engine/provider.ts";

const vpcConfig = { name: "net" };
async function configured(cloud = openCloud()): Promise<Provider> {
  const provider = openProvider(cloud);
  expect(await provider.configure()).toEqual([]);
  return provider;
}

test("a refresh removes an object that was deleted outside the engine, with a warning", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const made = await provider.apply("vpc", vpcConfig);
  cloud.emulator.inventory.remove(String(made.values?.id));
  await settle(cloud);
  const read = await cloud.run(provider.read("vpc", made));
  expect(read.values).toBeUndefined();
  expect(read.diagnostics[0]).toMatch(
    /^warning: The VPC "net" was deleted outside of Terraform or OpenTofu: The VPC "net" \(krn:.+\) no longer exists/,
  );
});

test("an import records in private state which fields were never read, and the next apply records their values", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const config = { ...vpcConfig, description: "web servers" };
  const made = await provider.apply("vpc", config);
  const { importedResources = [], diagnostics } = await provider.one("importResourceState", {
    typeName: "kcloud_vpc",
    id: String(made.values?.id),
  });
  expect(texts(diagnostics)).toEqual([]);
  const shape = resourceShape(resource("vpc"));
  const [object] = importedResources;
  const imported: Kept = {
    values: decodeRecord(object?.state, shape),
    private: object?.private,
    diagnostics: [],
  };
  expect(imported.values).toMatchObject({ name: "net", description: null, timeouts: null });
  const planned = await provider.plan("vpc", config, await provider.read("vpc", imported));
  expect(planned).toMatchObject({ replaces: [], values: { description: "web servers" } });
  const applied = await provider.apply("vpc", config, imported);
  expect(applied.diagnostics).toEqual([]);
  expect((await provider.plan("vpc", config, applied)).values).toEqual(applied.values);
});

test("an invalid import id is rejected with the expected form", async () => {
  const provider = await configured();
  const refusal = async (typeName: string, id: string) =>
    texts((await provider.one("importResourceState", { typeName, id })).diagnostics);
  expect(await refusal("kcloud_volume", "one")).toEqual([
    'error: Invalid value for id: id: "one" is not of the form vpc_id,id or region,vpc_id,id, where its name can replace the id (at id)',
  ]);
  expect(await refusal("kcloud_vpc", "krn:vpc:***")).toEqual([
    "error: Invalid value for id: id: is masked (***); the full ID is required (at id)",
  ]);
});

test("an object adopted by its own replacement is not deleted with the old state", async () => {
  const cloud = openCloud();
  const made = await (await configured(cloud)).apply("vpc", vpcConfig);
  const provider = openProvider(cloud, { ...defaults, SERVICE_ADOPT_EXISTING: "true" });
  await provider.configure();
  const id = String(made.values?.id);
  expect((await provider.apply("vpc", vpcConfig)).values).toMatchObject({ id });
  expect((await provider.apply("vpc", undefined, made)).diagnostics).toEqual([
    `warning: The VPC "net" was not deleted: Another resource adopted the VPC "net" (${id}) in this run (adopt_existing = true), so it was not deleted. To replace it, give the new one another name.`,
  ]);
  expect(live(cloud, "vpc")).toHaveLength(1);
  const twice = await provider.apply("vpc", vpcConfig);
  expect(twice.values).toBeUndefined();
  expect(twice.diagnostics.at(-1)).toBe(
    `error: Creating the VPC "net" failed: An object with this name was created or adopted by another resource in this run.\nThe object exists as ${id} and was not changed.\nChoose another name.`,
  );
});

test("stored state of the current version gets missing attributes as null, that of a newer version is rejected", async () => {
  const provider = await configured();
  const raw = { json: Buffer.from('{"id":"krn:x","name":"net","enabled":true}') };
  const shape = resourceShape(resource("vpc"));
  const upgraded = await provider.one("upgradeResourceState", {
    typeName: "kcloud_vpc",
    version: 0,
    rawState: raw,
  });
  expect(decodeRecord(upgraded.upgradedState, shape)).toMatchObject({
    id: "krn:x",
    name: "net",
    description: null,
    primarySubnet: null,
  });
  const newer = await provider.one("upgradeResourceState", {
    typeName: "kcloud_vpc",
    version: 1,
    rawState: raw,
  });
  expect(texts(newer.diagnostics)).toEqual([
    "error: The state was written by a newer version: Use that version of this provider, or a newer one.",
  ]);
});

test("a generated configuration contains all values except those that only the API sets", async () => {
  const provider = await configured();
  const config = { ...vpcConfig, primarySubnet: { name: "first", cidr: "10.0.0.0/24" } };
  const made = await provider.apply("vpc", config);
  const shape = resourceShape(resource("vpc"));
  const generated = await provider.one("generateResourceConfig", {
    typeName: "kcloud_vpc",
    state: encode(made.values ?? null, shape),
  });
  expect(decodeRecord(generated.config, shape)).toMatchObject({
    id: null,
    status: null,
    networkId: null,
    networkName: "net-network",
    name: "net",
    primarySubnet: { id: null, name: "first", cidr: "10.0.0.0/24" },
    timeouts: null,
  });
});

test("a data source returns the object, or an error that lists the existing objects if none has that name", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const made = await provider.apply("vpc", vpcConfig);
  const vpcs = lookups.find(({ name }) => name === "vpc");
  if (vpcs === undefined) throw new Error("no lookup of VPCs");
  const shape = definitionShape(vpcs);
  const ask = (name: string) =>
    provider.one("readDataSource", { typeName: "kcloud_vpc", config: encode({ name }, shape) });
  const found = await ask("net");
  expect(decodeRecord(found.state, shape)).toMatchObject({ id: made.values?.id, name: "net" });
  expect(texts((await ask("other")).diagnostics)).toEqual([
    `error: Invalid value for name: name: no VPC has this name. Existing VPCs: net (${String(made.values?.id)}) (at name)`,
  ]);
});

test("unknown types are rejected in every call that names a type", async () => {
  const provider = await configured();
  const typeName = terraformType("moon");
  const refusal = (kind: string) => `error: No such ${kind}: This provider has no ${kind} ${typeName}.`;
  const said = async (answer: Promise<{ diagnostics?: Diagnostic[] | undefined }>) =>
    texts((await answer).diagnostics);
  expect(await said(provider.one("validateResourceConfig", { typeName }))).toEqual([refusal("resource")]);
  expect(await said(provider.one("readDataSource", { typeName }))).toEqual([refusal("data source")]);
  expect(await said(provider.one("openEphemeralResource", { typeName }))).toEqual([
    refusal("ephemeral resource"),
  ]);
  const [listed] = await provider.call("listResource", { typeName });
  expect(texts(listed?.diagnostic)).toEqual([refusal("list resource")]);
  expect(await said(provider.one("planAction", { actionType: typeName }))).toEqual([refusal("action")]);
  const [event] = await provider.call("invokeAction", { actionType: typeName });
  expect(texts(event?.completed?.diagnostics)).toEqual([refusal("action")]);
  expect(await provider.one("callFunction", { name: "moon" })).toMatchObject({
    error: { text: "This provider has no function moon." },
  });
  const rawIdentity = { json: Buffer.from("{}") };
  expect(await said(provider.one("upgradeResourceIdentity", { typeName, rawIdentity }))).toEqual([
    refusal("identity"),
  ]);
  expect(await said(provider.one("validateListResourceConfig", { typeName }))).toEqual([
    refusal("list resource"),
  ]);
  expect(await said(provider.one("validateActionConfig", { typeName }))).toEqual([refusal("action")]);
});
