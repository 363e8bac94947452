import { expect, test } from "@jest/globals";
import { UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { providerShape, resourceShape } from "../../../provider/terraform/codec/schema.ts";
import { encode } from "../../../provider/terraform/codec/value.ts";
import { resourceHandlers } from "../../../provider/terraform/rpc/resource.ts";
import { live, openCloud, requests, resource } from "../../support/cloud.ts";
import { defaults, type Kept, openProvider, type Provider, texts } from "../../support/engine/provider.ts";

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

test("a missing API key and base URL are reported with their variables and the emulator", async () => {
  const provider = openProvider(openCloud(), {});
  expect(await provider.configure()).toEqual([
    "error: Missing base_url: base_url: the address of the API is missing: set base_url or SERVICE_BASE_URL. To try it without an account, run your command under `kcloud emulator -- …`. (at base_url)",
    "error: Missing api_key: api_key: the API key is missing: set api_key or SERVICE_API_KEY. Or sign in: set email and password, or SERVICE_EMAIL and SERVICE_PASSWORD. To try it without an account, run your command under `kcloud emulator -- …`. (at api_key)",
  ]);
});

test("an invalid setting is rejected before the provider is configured, and its value is not printed", async () => {
  const provider = openProvider(openCloud());
  const config = encode({ apiKey: "Bearer secret-key", baseUrl: "http://cloud.example" }, providerShape);
  expect(texts((await provider.one("validateProviderConfig", { config })).diagnostics)).toEqual([
    "error: Invalid value for base_url: base_url: must begin with https:// (http:// is accepted for a loopback address only) (at base_url)",
    'error: Invalid value for api_key: api_key: must be the raw API key, without the "Bearer " prefix (at api_key)',
  ]);
});

test("problems are reported at their attribute at any depth", async () => {
  const provider = await configured();
  const shape = resourceShape(resource("vpc"));
  const config = encode(
    { name: "", primarySubnet: { name: "first", cidr: "10.0.0.0" }, timeouts: { create: "soon" } },
    shape,
  );
  const { diagnostics } = await provider.one("validateResourceConfig", { typeName: "kcloud_vpc", config });
  expect(texts(diagnostics)).toEqual([
    "error: Invalid value for name: name: must not be empty (at name)",
    "error: Invalid value for primary_subnet.cidr: primary_subnet.cidr: must be a CIDR such as 10.0.0.0/16 (at primary_subnet)",
    "error: Invalid value for timeouts.create: timeouts.create: must be a duration such as 30s, 10m or 1h30m (at timeouts.create)",
  ]);
});

test("a setting that a resource needs is reported by its name in the provider block", async () => {
  const provider = openProvider(openCloud());
  await provider.configure();
  const { diagnostics } = await provider.apply("bucket", { name: "data" });
  expect(diagnostics).toEqual([
    "error: Missing account_id: account_id: is required for object storage: set it in the provider, or SERVICE_ACCOUNT_ID",
  ]);
});

test("an unknown enum value is a warning that names the nearest known one", async () => {
  const provider = await configured();
  const shape = resourceShape(resource("volume"));
  const config = encode({ vpcId: UNKNOWN, name: "a", sizeGb: 1, volumeType: "sdd" }, shape);
  const { diagnostics } = await provider.one("validateResourceConfig", { typeName: "kcloud_volume", config });
  expect(texts(diagnostics)).toEqual([
    'warning: The value of volume_type of the volume "a" may not be supported: volume_type: "sdd" is not a known value; did you mean ssd? (at volume_type)',
  ]);
});

test("an apply returns the planned values and a value for each unknown one", async () => {
  const provider = await configured();
  const planned = await provider.plan("vpc", vpcConfig);
  expect(planned.values).toMatchObject({ id: UNKNOWN, name: "net", enabled: true, networkId: UNKNOWN });
  const made = await provider.apply("vpc", vpcConfig);
  expect(made.diagnostics).toEqual([]);
  expect(made.values).toMatchObject({ name: "net", enabled: true, status: "success", timeouts: null });
  expect(await provider.plan("vpc", vpcConfig, made)).toMatchObject({ values: made.values, replaces: [] });
});

test("a replacement names its attributes and the data that it destroys", async () => {
  const provider = await configured();
  const vpc = await provider.apply("vpc", vpcConfig);
  const made = await provider.apply("volume", volumeConfig(vpc));
  const moved = await provider.plan("volume", { ...volumeConfig(vpc), availabilityZone: "nova-2" }, made);
  expect(moved.replaces).toEqual(["availability_zone"]);
  expect(moved.diagnostics).toEqual([
    'warning: The change of availability_zone replaces the volume "data": The data on the volume is destroyed; take a backup or a copy first. (at availability_zone)',
  ]);
});

test("a plan rejects a change that the API does not support", async () => {
  const provider = await configured();
  const vpc = await provider.apply("vpc", vpcConfig);
  const made = await provider.apply("volume", volumeConfig(vpc));
  const shrunk = await provider.plan("volume", { ...volumeConfig(vpc), sizeGb: 10 }, made);
  expect(shrunk.diagnostics).toEqual([
    "error: Invalid value for size_gb: size_gb: cannot shrink from 20 to 10 GB: the volume is 20 GB now; set size_gb = 20, or create a smaller volume and copy the data (at size_gb)",
  ]);
});

test("another spelling of a value is no change, and the stored spelling stays when another attribute changes", async () => {
  const provider = await configured();
  const config = (cidr: string): Values => ({ name: "net", primarySubnet: { name: "first", cidr } });
  const made = await provider.apply("vpc", config("10.0.0.0/24"));
  const respelled = await provider.plan("vpc", config("10.0.0.7/24"), made);
  expect(respelled).toMatchObject({ values: made.values, replaces: [], diagnostics: [] });
  const applied = await provider.apply("vpc", { ...config("10.0.0.7/24"), timeouts: { read: "1m" } }, made);
  expect(applied.diagnostics).toEqual([]);
  expect(applied.values?.primarySubnet).toEqual(made.values?.primarySubnet);
});

test("a create that fails after the object exists returns its state with the error", async () => {
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
  expect(failed.diagnostics[0]).toMatch(/^The object exists as krn:\S+ and is in the state\.$/m);
});

test("a result that is inconsistent with its plan is an error, and the state of the object is stored", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const made = await provider.apply("vpc", vpcConfig);
  const config = { ...vpcConfig, timeouts: { read: "1m" } };
  const planned = await provider.plan("vpc", config, made);
  const other = { ...planned, values: { ...planned.values, networkName: "renamed" } };
  const applied = await provider.applyPlanned("vpc", config, other, made);
  expect(applied.values).toMatchObject({ id: made.values?.id, networkName: "net-network" });
  expect(applied.diagnostics.map((text) => text.replaceAll(String(made.values?.id), "ID"))).toEqual([
    "error: The result differs from the plan: network_name: differs from the planned value. The object exists as ID and is in the state as the API shows it; run terraform plan (or tofu plan) again. (at network_name)",
  ]);
});

test("an update whose only change is that of timeouts keeps attributes that were changed outside, as planned", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const made = await provider.apply("vpc", vpcConfig);
  const [network] = live(cloud, "network");
  cloud.emulator.inventory.change(network?.krn ?? "", { name: "renamed" });
  const applied = await provider.apply("vpc", { ...vpcConfig, timeouts: { read: "1m" } }, made);
  expect(applied.diagnostics).toEqual([]);
  expect(applied.values).toMatchObject({ networkName: "net-network" });
  expect((await provider.read("vpc", applied)).values).toMatchObject({ networkName: "renamed" });
});

test("a create with only a known task stores the task, and a refresh or a delete finds the object by it", async () => {
  const cloud = openCloud({ taskMs: 600_000 });
  const provider = await configured(cloud);
  const failed = await provider.apply("vpc", { ...vpcConfig, timeouts: { create: "30s" } });
  expect(failed.values).toMatchObject({ id: null, name: "net" });
  expect(JSON.parse(Buffer.from(failed.private ?? []).toString())).toEqual({
    task: expect.stringMatching(/./),
    createdAt: expect.any(Number),
  });
  expect(failed.diagnostics[0]).toContain("The object may exist.");
  await cloud.run(cloud.session.ports.clock.sleep(600_000));
  cloud.emulator.configure({ taskMs: 1_000 });
  const found = await provider.read("vpc", failed);
  expect(found.values?.id).toBe(live(cloud, "vpc")[0]?.krn);
  expect(JSON.parse(Buffer.from(found.private ?? []).toString())).toEqual({ createdAt: expect.any(Number) });
  const removed = await provider.apply("vpc", undefined, failed);
  expect(removed).toMatchObject({ values: undefined, diagnostics: [] });
  expect(live(cloud, "vpc")).toEqual([]);
});

test("a create with an unknown outcome stores no state and names the next command", async () => {
  const cloud = openCloud();
  const provider = openProvider(cloud, { ...defaults, SERVICE_SETTLE_SECONDS: "5" });
  await provider.configure();
  cloud.emulator.faults.add({ target: "create_vpc", kind: "503", when: "before" });
  const failed = await provider.apply("vpc", vpcConfig);
  expect(failed.values).toBeUndefined();
  expect(failed.diagnostics[0]).toContain("The object may exist.");
  expect(failed.diagnostics[0]).toContain("terraform import kcloud_vpc.NAME 'ID'");
});

test("a failed update returns the current state, a failed delete the prior one", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  const vpc = await provider.apply("vpc", vpcConfig);
  const made = await provider.apply("volume", volumeConfig(vpc));
  cloud.emulator.faults.add({ target: "update_volume", kind: "400", when: "before" });
  const changed = await provider.apply("volume", { ...volumeConfig(vpc), name: "other" }, made);
  expect(changed.values).toEqual(made.values);
  expect(changed.diagnostics).toHaveLength(1);
  // Each command of an engine configures the provider.
  await provider.configure();
  cloud.emulator.faults.add({ target: "delete_volume", kind: "403", when: "before" });
  const removed = await provider.apply("volume", undefined, made);
  expect(removed.values).toEqual(made.values);
  expect(removed.diagnostics[0]).toContain("The object still exists and stays in the state.");
});

test("a cancelled create stops waiting and stores the created object", async () => {
  const cloud = openCloud({ taskMs: 3_600_000 });
  const provider = await configured(cloud);
  const stop = new AbortController();
  void cloud.emulator.clock.sleep(10_000).then(() => stop.abort());
  const stopped = await provider.apply("vpc", vpcConfig, undefined, stop.signal);
  expect(stopped.diagnostics[0]).toContain("The run was stopped.");
  expect(stopped.values).toMatchObject({ id: null, name: "net" });
  expect(cloud.elapsed()).toBeLessThan(13_000);
});

test("a configured timeout applies, else the default of the definition", async () => {
  const limited = openCloud({ taskMs: 3_600_000 });
  await (await configured(limited)).apply("vpc", { ...vpcConfig, timeouts: { create: "1m30s" } });
  expect(Math.round(limited.elapsed() / 10_000)).toBe(9);
  const free = openCloud({ taskMs: 3_600_000 });
  await (await configured(free)).apply("vpc", vpcConfig);
  expect(Math.round(free.elapsed() / 60_000)).toBe(10);
});

test("while the provider configuration is unknown, plans work and refreshes keep the state", async () => {
  const cloud = openCloud();
  const made = await (await configured(cloud)).apply("vpc", vpcConfig);
  const provider = openProvider(cloud, {});
  expect(await provider.configure({ baseUrl: UNKNOWN, apiKey: "emulator-key" })).toEqual([]);
  const sent = requests(cloud, "get_vpc").length;
  expect(await provider.read("vpc", made)).toMatchObject({
    values: made.values,
    diagnostics: [
      'warning: The VPC "net" was not refreshed: The provider configuration is not known yet. The state stays unchanged.',
    ],
  });
  expect((await provider.plan("vpc", vpcConfig, made)).values).toEqual(made.values);
  expect((await provider.plan("vpc", vpcConfig)).values).toMatchObject({ name: "net", region: UNKNOWN });
  expect((await provider.apply("vpc", { name: "second" })).diagnostics).toEqual([
    "error: The provider configuration is not known yet: It depends on a value that is known only after an apply: run terraform apply -target=ADDRESS (or tofu apply -target=ADDRESS) for the resource that provides the value, then run again.",
  ]);
  expect(requests(cloud, "get_vpc")).toHaveLength(sent);
});

test("a plan, a validation and a cancelled refresh without state send no request", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  await provider.plan("vpc", vpcConfig);
  await provider.one("getProviderSchema", {});
  expect(cloud.emulator.log.entries()).toEqual([]);
});

test("an internal error is logged, as its diagnostic says", async () => {
  const logged: unknown[] = [];
  const { validateResourceConfig } = resourceHandlers([resource("vpc")], { session: () => undefined });
  const answer = await validateResourceConfig(
    { typeName: "kcloud_vpc", config: { msgpack: Uint8Array.of(0xc1) } },
    { signal: new AbortController().signal, connection: {}, onError: (error) => logged.push(error) },
  );
  expect(texts(answer.diagnostics)).toEqual([
    "error: Internal error: This is a defect of the provider. Run again with debug logging and report the log.",
  ]);
  expect(logged).toEqual([expect.any(Error)]);
});
