import { expect, test } from "@jest/globals";
import { terraformType } from "../../../provider/core/name.ts";
import { UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { field, group } from "../../../provider/definition/field.ts";
import { text } from "../../../provider/definition/validator.ts";
import { identityShape, listShape, resourceShape } from "../../../provider/terraform/codec/schema.ts";
import { withoutSecrets } from "../../../provider/terraform/codec/state.ts";
import { decodeRecord, encode } from "../../../provider/terraform/codec/value.ts";
import {
  Diagnostic_Severity,
  type ListResource_Event,
} from "../../../provider/terraform/tfplugin6/tfplugin6.ts";
import { type Cloud, openCloud, requests, resource } from "../../support/cloud.ts";
import { openProvider, type Provider, texts } from "../../support/engine/provider.ts";

const region = "In-Bangalore-1";

async function configured(cloud: Cloud): Promise<Provider> {
  const provider = openProvider(cloud);
  expect(await provider.configure()).toEqual([]);
  return provider;
}

/** Creates a VPC with a volume for each name. */
async function withVolumes(names: readonly string[], cloud = openCloud()) {
  const provider = await configured(cloud);
  const vpc = await provider.apply("vpc", { name: "net" });
  const vpcId = String(vpc.values?.id);
  for (const name of names) await provider.apply("volume", { vpcId, name, sizeGb: 20, volumeType: "ssd" });
  return { cloud, provider, vpcId };
}

const list = (
  cloud: Cloud,
  provider: Provider,
  kind: string,
  config: Values,
  more: { limit?: number; includeResourceObject?: boolean } = {},
): Promise<ListResource_Event[]> =>
  cloud.run(
    provider.call("listResource", {
      typeName: terraformType(kind),
      config: encode(config, listShape(resource(kind))),
      limit: 100,
      ...more,
    }),
  );

const shown = (kind: string, event: ListResource_Event | undefined) => ({
  name: event?.displayName,
  identity: decodeRecord(event?.identity?.identityData, identityShape(resource(kind))),
  object: decodeRecord(event?.resourceObject, resourceShape(resource(kind))),
});

test("a list returns identity and name of each object from a single listing", async () => {
  const { cloud, provider, vpcId } = await withVolumes(["one", "two"]);
  const other = cloud.reopen();
  const before = cloud.emulator.log.entries().length;
  await cloud.run(other.ports.clock.sleep(6_000));
  const events = await list(cloud, provider, "volume", { vpcId });
  expect(events.map((event) => shown("volume", event))).toEqual([
    { name: "one", identity: { vpcId, id: expect.stringContaining(":volume:"), region }, object: undefined },
    { name: "two", identity: { vpcId, id: expect.stringContaining(":volume:"), region }, object: undefined },
  ]);
  expect(
    cloud.emulator.log
      .entries()
      .slice(before)
      .map(({ operation }) => operation),
  ).toEqual(["list_volumes"]);
});

test("with include_resource_object a list returns whole objects, from the listing if it has all fields", async () => {
  const { cloud, provider, vpcId } = await withVolumes(["one", "two"]);
  const reads = requests(cloud, "get_volume").length;
  const events = await list(cloud, provider, "volume", { vpcId }, { includeResourceObject: true });
  expect(events.map((event) => shown("volume", event).object)).toMatchObject([
    { vpcId, name: "one", sizeGb: 20, multiattach: false, region, timeouts: null },
    { vpcId, name: "two", sizeGb: 20, multiattach: false, region, timeouts: null },
  ]);
  expect(requests(cloud, "get_volume")).toHaveLength(reads);
});

test.each(["first", "last"] as const)(
  "a list for configurations leaves out the subnet that counts as the primary one, with a warning: the primary one listed %s",
  async (primarySubnetListed) => {
    const cloud = openCloud({ assume: { primarySubnetListed } });
    const provider = await configured(cloud);
    const primarySubnet = { name: "a", cidr: "10.0.0.0/24" };
    const vpcId = String((await provider.apply("vpc", { name: "net", primarySubnet })).values?.id);
    const names = (events: readonly ListResource_Event[]) =>
      events.flatMap(({ displayName }) => displayName ?? []);
    const objects = () => list(cloud, provider, "subnet", { vpcId }, { includeResourceObject: true });
    const [only, ...others] = await objects();
    expect([names([only ?? {}]), only?.identity, others]).toEqual([[], undefined, []]);
    expect(only?.diagnostic?.[0]).toMatchObject({
      severity: Diagnostic_Severity.WARNING,
      summary: 'The subnet "a" was omitted from the list',
      detail:
        "It counts as primary_subnet of its VPC, with which it is deleted: no response shows which one is, and the first one listed counts.",
    });
    await provider.apply("subnet", { vpcId, name: "b", cidr: "10.0.1.0/24" });
    await provider.apply("subnet", { vpcId, name: "c", cidr: "10.0.2.0/24" });
    expect(names(await objects())).toEqual(primarySubnetListed === "first" ? ["b", "c"] : ["c", "a"]);
    expect(names(await list(cloud, provider, "subnet", { vpcId })).toSorted()).toEqual(["a", "b", "c"]);
  },
);

test("objects that a listing shows in part are read one by one, up to the limit", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  for (const name of ["one", "two", "three"]) await provider.apply("vpc", { name });
  const before = requests(cloud, "get_vpc").length;
  const events = await list(cloud, provider, "vpc", {}, { limit: 2, includeResourceObject: true });
  expect(events.map((event) => shown("vpc", event).object)).toMatchObject([
    { name: "one", networkName: "one-network", enabled: true },
    { name: "two", networkName: "two-network", enabled: true },
  ]);
  expect(requests(cloud, "get_vpc")).toHaveLength(before + 2);
});

test("a limit of 0 returns no objects", async () => {
  const { cloud, provider, vpcId } = await withVolumes(["one"]);
  expect(await list(cloud, provider, "volume", { vpcId }, { limit: 0 })).toEqual([]);
});

test("a list of another region sends its requests there", async () => {
  const { cloud, provider } = await withVolumes([]);
  expect(await list(cloud, provider, "vpc", { region: "In-Hyderabad-1" })).toEqual([]);
  expect(await list(cloud, provider, "vpc", {})).toHaveLength(1);
});

test("a rule attached to two groups is listed once", async () => {
  const { cloud, provider, vpcId } = await withVolumes([]);
  const group = async (name: string) => {
    const made = await provider.apply("security-group", { vpcId, name });
    return String(made.values?.id);
  };
  const [one, other] = [await group("one"), await group("other")];
  const content = { direction: "ingress", protocol: "tcp", remoteIpPrefix: "0.0.0.0/0" };
  const ports = { portRangeMin: 80, portRangeMax: 80 };
  const rule = await provider.apply("security-group-rule", {
    ...{ vpcId, securityGroupId: one },
    ...content,
    ...ports,
  });
  const attached = await cloud.emulator.fetch("http://127.0.0.1/securityGroup/v1/attachrule", {
    method: "POST",
    headers: { authorization: "Bearer emulator-key", "x-region": region },
    body: JSON.stringify({ ruleid: rule.values?.id, securityid: other, vpcid: vpcId }),
  });
  expect(attached.ok).toBe(true);
  expect(await list(cloud, provider, "security-group-rule", { vpcId })).toHaveLength(1);
});

test("an object whose configuration needs what the API does not return is left out of objects, with its attributes named", async () => {
  const { cloud, provider, vpcId } = await withVolumes([]);
  const group = await provider.apply("security-group", { vpcId, name: "web" });
  await provider.apply("security-group-rule", {
    ...{ vpcId, securityGroupId: String(group.values?.id) },
    ...{
      direction: "ingress",
      protocol: "tcp",
      remoteIpPrefix: "0.0.0.0/0",
      portRangeMin: 80,
      portRangeMax: 80,
    },
  });
  const identities = await list(cloud, provider, "security-group-rule", { vpcId });
  expect(identities).toMatchObject([{ identity: {}, diagnostic: [] }]);
  const [event] = await list(
    cloud,
    provider,
    "security-group-rule",
    { vpcId },
    { includeResourceObject: true },
  );
  expect(texts(event?.diagnostic)[0]).toMatch(
    /^warning: The security group rule .* was omitted from the list: The API does not return direction, protocol, remote_ip_prefix, which its configuration must contain\. Write the configuration by hand, and import the object\.$/,
  );
  expect([event?.identity, event?.resourceObject]).toEqual([undefined, undefined]);
});

test("an object deleted during a list is skipped with a warning, and the others are returned", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  for (const name of ["one", "two"]) await provider.apply("vpc", { name });
  cloud.emulator.faults.add({ target: "get_vpc", kind: "404", when: "before", times: 1 });
  const events = await list(cloud, provider, "vpc", {}, { includeResourceObject: true });
  expect(texts(events[0]?.diagnostic)[0]).toMatch(
    /^warning: The VPC "one" was omitted from the list: Importing the VPC failed\. No VPC has the ID krn:/,
  );
  expect([events[0]?.identity, shown("vpc", events[1]).object]).toMatchObject([undefined, { name: "two" }]);
  expect(events).toHaveLength(2);
});

test("names and warnings of a list contain no secret and no terminal escape sequence", async () => {
  const cloud = openCloud();
  const provider = await configured(cloud);
  for (const name of ["one \u009b31m", "two of emulator-key\u202e"]) await provider.apply("vpc", { name });
  cloud.emulator.faults.add({ target: "get_vpc", kind: "404", when: "before", times: 1 });
  const events = await list(cloud, provider, "vpc", {}, { includeResourceObject: true });
  expect(texts(events[0]?.diagnostic)[0]).toMatch(
    /^warning: The VPC "one {2}31m" was omitted from the list: Importing /,
  );
  expect(events[1]?.displayName).toBe("two of ***");
});

test("a listing that fails is an error, so that a partial list is never treated as complete", async () => {
  const { cloud, provider, vpcId } = await withVolumes(["one"]);
  await cloud.run(cloud.session.ports.clock.sleep(6_000));
  cloud.emulator.faults.add({ target: "list_volumes", kind: "403", when: "before" });
  const events = await list(cloud, provider, "volume", { vpcId });
  expect(events).toHaveLength(1);
  expect(texts(events[0]?.diagnostic)[0]).toMatch(
    /^error: Looking for every volume failed: The API rejected the request\.\n/,
  );
  cloud.emulator.faults.add({ target: "get_vpc", kind: "500", when: "before" });
  const [unread] = await list(cloud, provider, "vpc", {}, { includeResourceObject: true });
  expect(texts(unread?.diagnostic)[0]).toMatch(
    /^error: Importing the VPC failed: The API gave no clear response\.\n/,
  );
});

test("a cancelled list ends", async () => {
  const { cloud, provider, vpcId } = await withVolumes(["one"]);
  await cloud.run(cloud.session.ports.clock.sleep(6_000));
  const stopped = await cloud.run(
    provider.call(
      "listResource",
      { typeName: "kcloud_volume", config: encode({ vpcId }, listShape(resource("volume"))), limit: 1 },
      AbortSignal.abort(),
    ),
  );
  expect(texts(stopped[0]?.diagnostic)[0]).toContain("The run was stopped.");
});

test("an invalid list configuration is reported with its path within config, and unknown values are valid", async () => {
  const provider = openProvider(openCloud());
  const said = async (values: Values) => {
    const config = encode(values, listShape(resource("volume")));
    const { diagnostics } = await provider.one("validateListResourceConfig", {
      typeName: "kcloud_volume",
      config,
    });
    return texts(diagnostics);
  };
  expect(await said({ vpcId: UNKNOWN })).toEqual([]);
  expect(await said({ vpcId: "krn:kbs:r:a:c:volume:1" })).toEqual([
    "error: Invalid value for config.vpc_id: config.vpc_id: is the ID of a volume, but the ID of a VPC is required (at config.vpc_id)",
  ]);
  expect(await said({})).toEqual([
    "error: Invalid value for config.vpc_id: config.vpc_id: is required (at config.vpc_id)",
  ]);
});

test("a list returns no secret at any depth", () => {
  const fields = {
    name: field(text, "Name."),
    password: field(text, "Password.", { secret: true }),
    inner: group({ key: field(text, "Key.", { secret: true }), user: field(text, "User.") }, "Inner."),
  };
  const values = { name: "a", password: "b", inner: { key: "d", user: "e" } };
  expect(withoutSecrets(fields, values)).toEqual({
    name: "a",
    password: null,
    inner: { key: null, user: "e" },
  });
});
