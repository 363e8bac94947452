import { expect, test } from "@jest/globals";
import { UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { identityShape, resourceShape } from "../../../provider/terraform/codec/schema.ts";
import { decodeRecord, encode } from "../../../provider/terraform/codec/value.ts";
import type { ResourceIdentityData } from "../../../provider/terraform/tfplugin6/tfplugin6.ts";
import { resources } from "../../../resources/index.ts";
import { type Cloud, live, openCloud, requests, resource } from "../../support/cloud.ts";
import { openProvider, type Provider, texts } from "../../support/engine/provider.ts";

const region = "In-Bangalore-1";

async function configured(cloud: Cloud): Promise<Provider> {
  const provider = openProvider(cloud);
  expect(await provider.configure()).toEqual([]);
  return provider;
}

/** Creates a VPC with a volume in it. */
async function withVolume(cloud: Cloud, provider: Provider) {
  const vpc = await provider.apply("vpc", { name: "net" });
  const config: Values = { vpcId: vpc.values?.id ?? null, name: "data", sizeGb: 20, volumeType: "ssd" };
  const volume = await provider.apply("volume", config);
  const identity: Values = { vpcId: config.vpcId ?? null, id: volume.values?.id ?? null, region };
  return { vpc, volume, config, identity, krn: live(cloud, "volume")[0]?.krn ?? "" };
}

const decodeIdentity = (kind: string, identity: ResourceIdentityData | undefined): Values | undefined =>
  identity && decodeRecord(identity.identityData, identityShape(resource(kind)));
const encodeIdentity = (kind: string, identity: Values): ResourceIdentityData => ({
  identityData: encode(identity, identityShape(resource(kind))),
});

const typeName = "kcloud_volume";
const shape = resourceShape(resource("volume"));
const state = (values: Values | null | undefined) => encode(values ?? null, shape);

test("every resource has an identity of parents and id, and of the region if it is regional", async () => {
  const provider = openProvider(openCloud());
  const { identitySchemas = {} } = await provider.one("getResourceIdentitySchemas", {});
  const parts = Object.entries(identitySchemas).map(([type, { identityAttributes = [] }]) => [
    type,
    identityAttributes.map(({ name, requiredForImport }) => `${name}${requiredForImport ? "" : "?"}`),
  ]);
  expect(parts).toHaveLength(resources.filter(({ stateOnly }) => stateOnly !== true).length);
  expect(Object.fromEntries(parts)).toMatchObject({
    kcloud_vpc: ["id", "region?"],
    kcloud_subnet: ["vpc_id", "id", "region?"],
    kcloud_volume: ["vpc_id", "id", "region?"],
  });
});

test("a plan contains the identity of an existing object, and none for one to be created", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const { volume, config, identity } = await withVolume(cloud, provider);
  const plan = (prior: Values | undefined, proposed: Values | undefined) =>
    provider.one("planResourceChange", {
      typeName,
      priorState: state(prior),
      proposedNewState: state(proposed),
      config: state(proposed),
    });
  expect((await plan(undefined, config)).plannedIdentity).toBeUndefined();
  const grown = await plan(volume.values, { ...config, sizeGb: 30 });
  expect(decodeIdentity("volume", grown.plannedIdentity)).toEqual(identity);
  // The destroy is a command of its own.
  await provider.configure();
  expect(decodeIdentity("volume", (await plan(volume.values, undefined)).plannedIdentity)).toEqual(identity);
});

test("create, update and read return the identity, delete returns none", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const { volume, config, identity } = await withVolume(cloud, provider);
  const apply = (prior: Values | undefined, planned: Values | undefined) =>
    provider.one("applyResourceChange", {
      typeName,
      priorState: state(prior),
      plannedState: state(planned),
      config: state(planned && config),
    });
  const same = await apply(volume.values, { ...volume.values, status: UNKNOWN });
  expect(decodeIdentity("volume", same.newIdentity)).toEqual(identity);
  const read = await provider.one("readResource", { typeName, currentState: state(volume.values) });
  expect(decodeIdentity("volume", read.newIdentity)).toEqual(identity);
  const removed = await apply(volume.values, undefined);
  expect(removed.newIdentity).toBeUndefined();
  const gone = await provider.one("readResource", { typeName, currentState: state(volume.values) });
  expect([decodeRecord(gone.newState, shape), gone.newIdentity]).toEqual([undefined, undefined]);
});

test("a failed update keeps the identity", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const { volume, config, identity } = await withVolume(cloud, provider);
  cloud.emulator.faults.add({ target: "update_volume", kind: "400", when: "before" });
  const failed = await provider.one("applyResourceChange", {
    typeName,
    priorState: state(volume.values),
    plannedState: state({ ...volume.values, name: "other", status: UNKNOWN }),
    config: state({ ...config, name: "other" }),
  });
  expect(failed.diagnostics).toHaveLength(1);
  expect(decodeIdentity("volume", failed.newIdentity)).toEqual(identity);
});

test("an object with a known task and no id has no identity", async () => {
  const cloud = openCloud({ taskMs: 600_000 });
  const provider = await configured(cloud);
  const vpcShape = resourceShape(resource("vpc"));
  const config = encode({ name: "net", timeouts: { create: "30s" } }, vpcShape);
  const planned = await provider.one("planResourceChange", {
    typeName: "kcloud_vpc",
    proposedNewState: config,
    config,
  });
  const failed = await provider.one("applyResourceChange", {
    typeName: "kcloud_vpc",
    plannedState: planned.plannedState,
    config,
  });
  expect(decodeRecord(failed.newState, vpcShape)).toMatchObject({ id: null, name: "net" });
  expect(failed.newIdentity).toBeUndefined();
});

test("while the provider configuration is unknown, a refresh keeps the stored identity", async () => {
  const cloud = openCloud();
  const { volume, identity } = await withVolume(cloud, await configured(cloud));
  const provider = openProvider(cloud, {});
  await provider.configure({ baseUrl: UNKNOWN, apiKey: "emulator-key" });
  const currentIdentity = encodeIdentity("volume", identity);
  const request = { typeName, currentState: state(volume.values), currentIdentity };
  const read = await provider.one("readResource", request);
  expect(decodeIdentity("volume", read.newIdentity)).toEqual(identity);
});

test("a state whose identity belongs to another object is rejected and stays", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const { volume, identity } = await withVolume(cloud, provider);
  const currentIdentity = encodeIdentity("volume", { ...identity, id: "krn:other" });
  const request = { typeName, currentState: state(volume.values), currentIdentity };
  const read = await provider.one("readResource", request);
  expect(read.newState).toBeUndefined();
  expect(texts(read.diagnostics)).toEqual([
    "error: The state and its identity differ: The state names another object than its identity: id. Remove it from the state and import it again.",
  ]);
});

test.each([
  ["with the region", region],
  ["in the provider's region", null],
])("an import by identity imports the object, %s", async (_, given) => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const { identity } = await withVolume(cloud, provider);
  const asked = encodeIdentity("volume", { ...identity, region: given });
  const answer = await provider.one("importResourceState", { typeName, identity: asked });
  expect(texts(answer.diagnostics)).toEqual([]);
  const [object] = answer.importedResources ?? [];
  expect(decodeRecord(object?.state, shape)).toMatchObject({ ...identity, name: "data", sizeGb: 20 });
  expect(decodeIdentity("volume", object?.identity)).toEqual(identity);
});

test("an import by id returns the identity", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const { identity } = await withVolume(cloud, provider);
  const id = `${String(identity.vpcId)},${String(identity.id)}`;
  const { importedResources: [object] = [] } = await provider.one("importResourceState", { typeName, id });
  expect(decodeIdentity("volume", object?.identity)).toEqual(identity);
});

test("an import by an identity of another region sends its requests there", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const asked = encodeIdentity("vpc", {
    id: "krn:vpc:In-Hyderabad-1:0:0:vpc:none",
    region: "In-Hyderabad-1",
  });
  const answer = await provider.one("importResourceState", { typeName: "kcloud_vpc", identity: asked });
  expect(texts(answer.diagnostics)[0]).toContain(
    "No VPC has the ID krn:vpc:In-Hyderabad-1:0:0:vpc:none in In-Hyderabad-1.",
  );
});

test("an invalid identity is reported per attribute, and no request is sent", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const asked = encodeIdentity("volume", { vpcId: "krn:kbs:r:a:c:volume:1", id: "a,***" });
  const answer = await provider.one("importResourceState", { typeName, identity: asked });
  expect(texts(answer.diagnostics)).toEqual([
    "error: Invalid value for vpc_id: vpc_id: is the ID of a volume, but the ID of a VPC is required (at vpc_id)",
    "error: Invalid value for id: id: is masked (***); the full ID is required (at id)",
  ]);
  expect(requests(cloud, "list_volumes")).toEqual([]);
});

test("a stored identity of the current version is returned unchanged, one of a newer version is rejected", async () => {
  const provider = openProvider(openCloud());
  const raw = { json: Buffer.from('{"id":"krn:x","vpc_id":"krn:y"}') };
  const upgraded = await provider.one("upgradeResourceIdentity", { typeName, version: 0, rawIdentity: raw });
  expect(decodeIdentity("volume", upgraded.upgradedIdentity)).toEqual({
    id: "krn:x",
    vpcId: "krn:y",
    region: null,
  });
  const newer = await provider.one("upgradeResourceIdentity", { typeName, version: 1, rawIdentity: raw });
  expect(texts(newer.diagnostics)).toEqual([
    "error: The identity was written by a newer version: Use that version of this provider, or a newer one.",
  ]);
});
