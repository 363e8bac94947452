import { expect, test } from "@jest/globals";
import { lookups } from "../functions/index.ts";
import { terraformType } from "../provider/names.ts";
import type { Diagnostic } from "../provider/terraform/proto/plugin.ts";
import { lookupShape, providerShape, resourceShape } from "../provider/terraform/schema.ts";
import { decodeRecord, encode } from "../provider/terraform/values.ts";
import { UNKNOWN, type Values } from "../provider/value.ts";
import { live, openCloud, requests, resource } from "./cloud.ts";
import { defaults, type Kept, openProvider, type Provider, texts } from "./engine/provider.ts";

const vpcConfig = { name: "net" };
const volumeConfig = (vpc: Kept): Values => ({
  vpcId: vpc.values?.id ?? null,
  name: "data",
  sizeGb: 20,
  volumeType: "ssd",
});

async function configured(cloud = openCloud()): Promise<Provider> {
  const provider = openProvider(cloud);
  expect(await provider.configure()).toEqual([]);
  return provider;
}

test("a missing key and address name their variables, and how to try it without an account", async () => {
  const provider = openProvider(openCloud(), {});
  expect(await provider.configure()).toEqual([
    "error: This configuration cannot be taken: base_url: the address of the cloud's API is missing: set base_url or SERVICE_BASE_URL. To try it without an account, run your command under `kcloud emulator -- …`. (at base_url)",
    "error: This configuration cannot be taken: api_key: the API key is missing: set api_key or SERVICE_API_KEY. To try it without an account, run your command under `kcloud emulator -- …`. (at api_key)",
  ]);
});

test("a bad setting is refused before the provider is configured, and its value is not printed", async () => {
  const provider = openProvider(openCloud());
  const config = encode({ apiKey: "Bearer secret-key", baseUrl: "http://cloud.example" }, providerShape);
  expect(texts((await provider.one("validateProviderConfig", { config })).diagnostics)).toEqual([
    "error: This configuration cannot be taken: base_url: must begin with https:// (http:// is taken for a loopback address only) (at base_url)",
    "error: This configuration cannot be taken: api_key: must be the bare key, without the word Bearer (at api_key)",
  ]);
});

test("problems are told at the attribute, however deep it is", async () => {
  const provider = await configured();
  const shape = resourceShape(resource("vpc"));
  const config = encode(
    { name: "", primarySubnet: { name: "first", cidr: "10.0.0.0" }, timeouts: { create: "soon" } },
    shape,
  );
  const { diagnostics } = await provider.one("validateResourceConfig", { typeName: "kcloud_vpc", config });
  expect(texts(diagnostics)).toEqual([
    "error: This configuration cannot be taken: name: must not be empty (at name)",
    "error: This configuration cannot be taken: primary_subnet.cidr: must be a range of addresses such as 10.0.0.0/16 (at primary_subnet.cidr)",
    "error: This configuration cannot be taken: timeouts.create: must be a duration such as 30s, 10m or 1h30m (at timeouts.create)",
  ]);
});

test("a word that is not known to work is a warning with the nearest one", async () => {
  const provider = await configured();
  const shape = resourceShape(resource("volume"));
  const config = encode({ vpcId: UNKNOWN, name: "a", sizeGb: 1, volumeType: "sdd" }, shape);
  const { diagnostics } = await provider.one("validateResourceConfig", { typeName: "kcloud_volume", config });
  expect(texts(diagnostics)).toEqual([
    'warning: This value may not be taken: volume_type: "sdd" is not a value known to work; did you mean ssd? (at volume_type)',
  ]);
});

test("an apply gives what the plan promised and every value that was unknown", async () => {
  const provider = await configured();
  const planned = await provider.plan("vpc", vpcConfig);
  expect(planned.values).toMatchObject({ id: UNKNOWN, name: "net", enabled: true, networkId: UNKNOWN });
  const made = await provider.apply("vpc", vpcConfig);
  expect(made.diagnostics).toEqual([]);
  expect(made.values).toMatchObject({ name: "net", enabled: true, status: "success", timeouts: null });
  expect(await provider.plan("vpc", vpcConfig, made)).toMatchObject({ values: made.values, replaces: [] });
});

test("a replacement names its attributes, and tells what is lost", async () => {
  const provider = await configured();
  const vpc = await provider.apply("vpc", vpcConfig);
  const made = await provider.apply("volume", volumeConfig(vpc));
  const moved = await provider.plan("volume", { ...volumeConfig(vpc), availabilityZone: "nova-2" }, made);
  expect(moved.replaces).toEqual(["availability_zone"]);
  expect(moved.diagnostics).toEqual([
    "warning: This change replaces the object: A volume cannot move between zones; its data is lost unless a snapshot or copy is taken first. (at availability_zone)",
  ]);
});

test("a change that nobody can make is refused by the plan", async () => {
  const provider = await configured();
  const vpc = await provider.apply("vpc", vpcConfig);
  const made = await provider.apply("volume", volumeConfig(vpc));
  const shrunk = await provider.plan("volume", { ...volumeConfig(vpc), sizeGb: 10 }, made);
  expect(shrunk.diagnostics).toEqual([
    "error: This configuration cannot be taken: size_gb: cannot shrink from 20 to 10 GB: make a smaller volume and copy the data (at size_gb)",
  ]);
});

test("a value in another spelling is no change, and stays as it is when something else changes", async () => {
  const provider = await configured();
  const config = (cidr: string): Values => ({ name: "net", primarySubnet: { name: "first", cidr } });
  const made = await provider.apply("vpc", config("10.0.0.0/24"));
  const respelled = await provider.plan("vpc", config("10.0.0.7/24"), made);
  expect(respelled).toMatchObject({ values: made.values, replaces: [], diagnostics: [] });
  const applied = await provider.apply("vpc", { ...config("10.0.0.7/24"), timeouts: { read: "1m" } }, made);
  expect(applied.diagnostics).toEqual([]);
  expect(applied.values?.primarySubnet).toEqual(made.values?.primarySubnet);
});

test("an object that failed after it was made comes home with the error", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const vpc = await provider.apply("vpc", vpcConfig);
  cloud.emulator.faults.add({ target: "list_volumes", kind: "unknown-status", word: "error", from: 2 });
  cloud.emulator.faults.add({ target: "get_volume", kind: "unknown-status", word: "error" });
  const failed = await provider.apply("volume", volumeConfig(vpc));
  expect(failed.values).toMatchObject({ id: live(cloud, "volume")[0]?.krn, name: "data", sizeGb: 20 });
  expect(failed.diagnostics.map((text) => text.split(":", 2).join(":"))).toEqual([
    'error: Creating the volume "data" failed',
  ]);
  expect(failed.diagnostics[0]).toContain("It was created and is recorded as krn:");
});

test("an answer that breaks its plan is an error of ours, which brings the object home as it stands", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const made = await provider.apply("vpc", vpcConfig);
  const [network] = live(cloud, "network");
  cloud.emulator.inventory.change(network?.krn ?? "", { name: "renamed" });
  const applied = await provider.apply("vpc", { ...vpcConfig, timeouts: { read: "1m" } }, made);
  expect(applied.values).toMatchObject({ id: made.values?.id, networkName: "renamed" });
  expect(applied.diagnostics.map((text) => text.replaceAll(String(made.values?.id), "ID"))).toEqual([
    "error: The cloud shows it otherwise than planned: network_name: is not what was planned. The object exists as ID and is recorded as the cloud shows it; plan again. (at network_name)",
  ]);
});

test("while only its task is known, the task goes home; a refresh finds the object by it, a delete removes it", async () => {
  const cloud = openCloud({ taskMs: 600_000 });
  const provider = await configured(cloud);
  const failed = await provider.apply("vpc", { ...vpcConfig, timeouts: { create: "30s" } });
  expect(failed.values).toMatchObject({ id: null, name: "net" });
  expect(JSON.parse(Buffer.from(failed.private ?? []).toString())).toEqual({
    task: expect.stringMatching(/./),
  });
  expect(failed.diagnostics[0]).toContain("It may exist: this could not be confirmed.");
  await cloud.run(cloud.session.ports.clock.sleep(600_000));
  cloud.emulator.configure({ taskMs: 1_000 });
  const found = await provider.read("vpc", failed);
  expect(found.values?.id).toBe(live(cloud, "vpc")[0]?.krn);
  expect(found.private ?? new Uint8Array()).toHaveLength(0);
  const removed = await provider.apply("vpc", undefined, failed);
  expect(removed).toMatchObject({ values: undefined, diagnostics: [] });
  expect(live(cloud, "vpc")).toEqual([]);
});

test("a create of unknown fate leaves nothing in the state and says what to do", async () => {
  const cloud = openCloud();
  const provider = openProvider(cloud, { ...defaults, SERVICE_SETTLE_SECONDS: "5" });
  await provider.configure();
  cloud.emulator.faults.add({ target: "create_vpc", kind: "503", when: "before" });
  const failed = await provider.apply("vpc", vpcConfig);
  expect(failed.values).toBeUndefined();
  expect(failed.diagnostics[0]).toContain("It may exist: this could not be confirmed.");
  expect(failed.diagnostics[0]).toContain("terraform import kcloud_vpc.NAME 'ID'");
});

test("a failed change keeps what stands, a failed delete keeps what was", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const vpc = await provider.apply("vpc", vpcConfig);
  const made = await provider.apply("volume", volumeConfig(vpc));
  cloud.emulator.faults.add({ target: "update_volume", kind: "400", when: "before" });
  const changed = await provider.apply("volume", { ...volumeConfig(vpc), name: "other" }, made);
  expect(changed.values).toEqual(made.values);
  expect(changed.diagnostics).toHaveLength(1);
  cloud.emulator.faults.add({ target: "delete_volume", kind: "403", when: "before" });
  const kept = await provider.apply("volume", undefined, made);
  expect(kept.values).toEqual(made.values);
  expect(kept.diagnostics[0]).toContain("It still exists and stays in the state.");
});

test("a stop ends the wait and records what was made", async () => {
  const cloud = openCloud({ taskMs: 3_600_000 });
  const provider = await configured(cloud);
  const stop = new AbortController();
  void cloud.emulator.clock.sleep(10_000).then(() => stop.abort());
  const stopped = await provider.apply("vpc", vpcConfig, undefined, stop.signal);
  expect(stopped.diagnostics[0]).toContain("Stopped on request.");
  expect(stopped.values).toMatchObject({ id: null, name: "net" });
  expect(cloud.elapsed()).toBeLessThan(13_000);
});

test("the configured time limit holds, and the definition's where there is none", async () => {
  const limited = openCloud({ taskMs: 3_600_000 });
  await (await configured(limited)).apply("vpc", { ...vpcConfig, timeouts: { create: "1m30s" } });
  expect(Math.round(limited.elapsed() / 10_000)).toBe(9);
  const free = openCloud({ taskMs: 3_600_000 });
  await (await configured(free)).apply("vpc", vpcConfig);
  expect(Math.round(free.elapsed() / 60_000)).toBe(10);
});

test("while the provider's configuration is unknown, plans work and refreshes keep what is recorded", async () => {
  const cloud = openCloud();
  const made = await (await configured(cloud)).apply("vpc", vpcConfig);
  const provider = openProvider(cloud, {});
  expect(await provider.configure({ baseUrl: UNKNOWN, apiKey: "emulator-key" })).toEqual([]);
  const sent = requests(cloud, "get_vpc").length;
  expect(await provider.read("vpc", made)).toMatchObject({
    values: made.values,
    diagnostics: [
      "warning: Not refreshed: The provider's own configuration is not known yet; what is recorded stands.",
    ],
  });
  expect((await provider.plan("vpc", vpcConfig, made)).values).toEqual(made.values);
  expect((await provider.plan("vpc", vpcConfig)).values).toMatchObject({ name: "net", region: UNKNOWN });
  expect((await provider.apply("vpc", { name: "second" })).diagnostics).toEqual([
    "error: The provider's own configuration is not known yet: It depends on something that is not applied: apply that first, with -target, then run again.",
  ]);
  expect(requests(cloud, "get_vpc")).toHaveLength(sent);
});

test("a plan, a validation and a stopped refresh of nothing send nothing", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  await provider.plan("vpc", vpcConfig);
  await provider.one("getProviderSchema", {});
  expect(cloud.emulator.log.entries()).toEqual([]);
});

test("an object that was deleted outside is gone after a refresh, with a warning", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const made = await provider.apply("vpc", vpcConfig);
  cloud.emulator.inventory.remove(String(made.values?.id));
  const read = await provider.read("vpc", made);
  expect(read.values).toBeUndefined();
  expect(read.diagnostics[0]).toMatch(
    /^warning: An object is gone: The vpc "net" \(krn:.+\) was deleted outside/,
  );
});

test("an import keeps in private which fields were never seen, and the next change writes them down", async () => {
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

test("an import id of the wrong form, kind or place says what is due", async () => {
  const provider = await configured();
  const refusal = async (typeName: string, id: string) =>
    texts((await provider.one("importResourceState", { typeName, id })).diagnostics);
  expect(await refusal("kcloud_volume", "one")).toEqual([
    'error: This configuration cannot be taken: id: "one" is not of the form vpcId,id or region,vpcId,id (at id)',
  ]);
  expect(await refusal("kcloud_vpc", "***")).toEqual([
    "error: This configuration cannot be taken: id: is masked (***); the full id is needed (at id)",
  ]);
});

test("an object taken over by its own replacement survives the delete of its former self", async () => {
  const cloud = openCloud();
  const made = await (await configured(cloud)).apply("vpc", vpcConfig);
  const provider = openProvider(cloud, { ...defaults, SERVICE_ADOPT_EXISTING: "true" });
  await provider.configure();
  const id = String(made.values?.id);
  expect((await provider.apply("vpc", vpcConfig)).values).toMatchObject({ id });
  expect((await provider.apply("vpc", undefined, made)).diagnostics).toEqual([
    `warning: The object was kept, not replaced: ${id} was taken over (adopt_existing) by what was to replace it (create_before_destroy), and stays. To replace it, give the new one another name, or leave out one of the two.`,
  ]);
  expect(live(cloud, "vpc")).toHaveLength(1);
  const twice = await provider.apply("vpc", vpcConfig);
  expect(twice.values).toBeUndefined();
  expect(twice.diagnostics.at(-1)).toBe(
    `error: The object belongs to another resource: ${id} was made or taken over by another resource in this run; nothing was made for this one. Give it another name.`,
  );
});

test("stored state of this version gets what it lacks, that of a newer one is refused", async () => {
  const provider = await configured();
  const raw = { json: Buffer.from('{"id":"krn:x","name":"net","enabled":true}') };
  const shape = resourceShape(resource("vpc"));
  const upgraded = await provider.one("upgradeResourceState", { typeName: "kcloud_vpc", version: 0, raw });
  expect(decodeRecord(upgraded.upgradedState, shape)).toMatchObject({
    id: "krn:x",
    name: "net",
    description: null,
    primarySubnet: null,
  });
  const newer = await provider.one("upgradeResourceState", { typeName: "kcloud_vpc", version: 1, raw });
  expect(texts(newer.diagnostics)).toEqual([
    "error: State of a newer version: It was written by a newer version of this provider: use that version, or a newer one.",
  ]);
});

test("a generated configuration holds all but what only the cloud sets", async () => {
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

test("a data source finds, and lists candidates where it does not", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const made = await provider.apply("vpc", vpcConfig);
  const vpcs = lookups.find(({ name }) => name === "vpc");
  if (vpcs === undefined) throw new Error("no lookup of VPCs");
  const shape = lookupShape(vpcs);
  const ask = (name: string) =>
    provider.one("readDataSource", { typeName: "kcloud_vpc", config: encode({ name }, shape) });
  const found = await ask("net");
  expect(decodeRecord(found.state, shape)).toMatchObject({ id: made.values?.id, name: "net" });
  expect(texts((await ask("other")).diagnostics)).toEqual([
    `error: This configuration cannot be taken: name: no VPC has this name; there are: net (${String(made.values?.id)}) (at name)`,
  ]);
});

test("types that are not there are refused in every call that could name one", async () => {
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
  expect(await said(provider.one("listResource", { typeName }))).toEqual([refusal("list resource")]);
  expect(await said(provider.one("planAction", { actionType: typeName }))).toEqual([refusal("action")]);
  const [event] = await provider.call("invokeAction", { actionType: typeName });
  expect(texts(event?.completed?.diagnostics)).toEqual([refusal("action")]);
  expect(await provider.one("callFunction", { name: "moon" })).toMatchObject({
    error: { text: "This provider has no function moon." },
  });
  expect(await provider.one("getResourceIdentitySchemas", {})).toEqual({
    identitySchemas: {},
    diagnostics: [],
  });
});

test("no answer ever names an identity, for which there is no schema", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const made = await provider.apply("vpc", vpcConfig);
  const shape = resourceShape(resource("vpc"));
  const currentState = encode(made.values ?? null, shape);
  const read = await provider.one("readResource", { typeName: "kcloud_vpc", currentState });
  expect(read.newIdentity).toBeUndefined();
});
