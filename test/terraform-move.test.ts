import { expect, test } from "@jest/globals";
import { engine } from "../provider/engine.ts";
import { terraformType } from "../provider/names.ts";
import { resourceShape } from "../provider/terraform/schema.ts";
import { decodeRecord } from "../provider/terraform/values.ts";
import type { Values } from "../provider/value.ts";
import { type Cloud, live, resource } from "./cloud.ts";
import { openProvider, type Provider, texts } from "./engine/provider.ts";
import { openNetwork } from "./instance-world.ts";

/** `moved` from the older provider: its states have the attributes of contract 19, its types a name of its own. */

const prefix = "oldcloud";

const move = async (provider: Provider, suffix: string, noun: string, attributes: object) => {
  const answer = await provider.one("moveResourceState", {
    sourceProviderAddress: "registry.terraform.io/old/oldcloud",
    sourceTypeName: `${prefix}${suffix}`,
    sourceSchemaVersion: 0,
    sourceState: { json: Buffer.from(JSON.stringify(attributes)) },
    targetTypeName: terraformType(noun),
  });
  return {
    values: decodeRecord(answer.targetState, resourceShape(resource(noun))),
    private: answer.targetPrivate,
    diagnostics: texts(answer.diagnostics),
  };
};

/** What the older provider would have kept of the objects that a test made here. */
interface Case {
  readonly suffix: string;
  readonly noun: string;
  readonly attributes: Values;
  readonly config: Values;
}

const region = "In-Bangalore-1";
const image = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0v8v7l3H5Gm0r5nq0m7xq4b1cQm0mJm0Yk1v0m2k3p";

async function made(cloud: Cloud, noun: string, written: Values): Promise<Values & { id: string }> {
  const { id, values } = await cloud.run(cloud.create(noun, written));
  return { ...values, id: String(id) };
}

async function cases(cloud: Cloud, vpcId: string, written: Values): Promise<Case[]> {
  const subnet = { vpcId, name: "b", cidr: "10.0.16.0/20", gatewayIp: "10.0.16.1" };
  const sub = await made(cloud, "subnet", subnet);
  const group = { vpcId, name: "extra", description: "of old" };
  const sg = await made(cloud, "security-group", group);
  const rule = {
    vpcId,
    securityGroupId: sg.id,
    direction: "ingress",
    protocol: "tcp",
    portRangeMin: 80,
    portRangeMax: 90,
    remoteIpPrefix: "0.0.0.0/0",
  };
  const sgr = await made(cloud, "security-group-rule", rule);
  const data = { vpcId, name: "data", sizeGb: 10, volumeType: "ssd", metadata: { team: "orders" } };
  const volume = await made(cloud, "volume", data);
  const ssh = await made(cloud, "ssh-key", { name: "old", publicKey: key });
  const machine = { ...written, userDataBase64: Buffer.from("#!/bin/sh").toString("base64") };
  const vm = await made(cloud, "instance", machine);
  const common = { region, vpc_id: vpcId };
  return [
    {
      suffix: "_subnet",
      noun: "subnet",
      attributes: {
        ...common,
        ...{ id: sub.id, network_id: sub.networkId ?? null, name: "b" },
        cidr: "10.0.16.0/20",
        gateway_ip: "10.0.16.1",
        ip_version: "4",
        ingress: true,
        egress: true,
        description: "",
      },
      config: subnet,
    },
    {
      suffix: "_security_group",
      noun: "security-group",
      attributes: { ...common, id: sg.id, name: "extra", description: "of old" },
      config: group,
    },
    {
      suffix: "_security_group_rule",
      noun: "security-group-rule",
      attributes: {
        ...common,
        id: sgr.id,
        security_group_id: sg.id,
        direction: "ingress",
        ethertype: "IPv4",
        protocol: "TCP",
        port_min_range: 80,
        port_max_range: "90",
        remote_ip_prefix: "0.0.0.0/0",
        description: null,
      },
      config: rule,
    },
    {
      suffix: "_volume",
      noun: "volume",
      attributes: {
        id: volume.id,
        name: "data",
        size: 10,
        volume_type: "ssd",
        k_tenant_id: vpcId,
        multiattach: false,
        source_id: "",
        source_type: "",
        metadata_environment: "",
        metadata_team: "orders",
        description: "",
      },
      config: data,
    },
    {
      suffix: "_sshkey",
      noun: "ssh-key",
      attributes: { id: String(ssh.krn), region, key_name: "old", public_key: `${key} me@example` },
      config: { name: "old", publicKey: key },
    },
    {
      suffix: "_instance",
      noun: "instance",
      attributes: {
        ...common,
        id: vm.id,
        subnet_id: written.subnetId ?? null,
        name: "web",
        instance_type: "c1.small",
        sshkey_name: "demo-key",
        security_groups: written.securityGroups ?? null,
        image_krn: image,
        volume_name: "web-volume",
        volume_size: 10,
        volume_type: "ssd",
        user_data: machine.userDataBase64,
        is_gpu: false,
        floating_ip: false,
        delete_on_termination: true,
        port_krn: "krn:old",
        volume_krn: String(vm.bootVolumeId),
      },
      config: {
        ...machine,
        bootVolume: { ...(written.bootVolume as Values), name: "web-volume" },
        deleteOnTermination: true,
      },
    },
  ];
}

test("what the older provider made is taken over, refreshed, and nothing is to do", async () => {
  const { cloud, vpcId, written } = await openNetwork({ taskMs: 0 });
  const vpc = {
    suffix: "_vpc",
    noun: "vpc",
    attributes: {
      id: vpcId,
      region,
      name: "net",
      network_name: "net-network",
      subnet_name: "a",
      cidr: "10.0.0.0/20",
      gateway_ip: "",
      description: "",
      subnet_description: null,
      enabled: true,
      admin_state_up: true,
      ip_version: "4",
      ingress: true,
      egress: true,
      subnet_id: live(cloud, "subnet")[0]?.krn ?? null,
      network_id: null,
    },
    config: { name: "net", primarySubnet: { name: "a", cidr: "10.0.0.0/20" } },
  };
  const provider = openProvider(cloud);
  await provider.configure();
  for (const { suffix, noun, attributes, config } of [vpc, ...(await cases(cloud, vpcId, written))]) {
    const taken = await move(provider, suffix, noun, attributes);
    expect([noun, taken.diagnostics]).toEqual([noun, []]);
    const seen = await cloud.run(provider.read(noun, taken));
    expect([noun, seen.diagnostics]).toEqual([noun, []]);
    const { inputs } = engine.check(resource(noun), config);
    const planned = await provider.plan(noun, withNulls(noun, inputs), seen);
    expect([noun, planned.replaces, planned.diagnostics]).toEqual([noun, [], []]);
    expect([noun, planned.values]).toEqual([noun, seen.values]);
  }
});

/** A configuration as an engine sends it: with every attribute. */
const withNulls = (noun: string, config: Values): Values =>
  Object.fromEntries(
    Object.keys(resourceShape(resource(noun)).fields).map((name) => [name, config[name] ?? null]),
  );

/** What a state of the older provider has at the least. */
const group = {
  id: "krn:sg:In-Bangalore-1:1:00000000-0000-4000-8000-000000000000:sg:1",
  region,
  name: "web",
  vpc_id: "krn:vpc:In-Bangalore-1:1:00000000-0000-4000-8000-000000000000:vpc:1",
};

test.each([
  [
    "_volume",
    "security-group",
    group,
    "A oldcloud_volume cannot be moved to a kcloud_security_group: only a type that ends in _security_group can.",
  ],
  [
    "_security_group",
    "security-group",
    { ...group, region: "", id: null },
    "A oldcloud_security_group cannot be moved to a kcloud_security_group: its state has no region, id.",
  ],
  [
    "_instance",
    "instance",
    { ...group, vpc_id: null, instance_type: "c1.small", volume_type: "ssd", volume_name: "v" },
    "A oldcloud_instance cannot be moved to a kcloud_instance: its state has no vpc_id, by which it is found; import it by vpc_id,id.",
  ],
  [
    "_port",
    "port",
    group,
    "A oldcloud_port cannot be moved to a kcloud_port: no other provider's state is known for it.",
  ],
  ["_security_group", "security-group", { ...group, name: { first: "web" } }, "name: must be a string"],
])("what is no such state is refused: %s to %s %#", async (suffix, noun, attributes, told) => {
  const { cloud } = await openNetwork();
  const { values, diagnostics } = await move(openProvider(cloud), suffix, noun, attributes);
  expect(values).toBeUndefined();
  expect(diagnostics).toEqual([expect.stringContaining(told)]);
});

test("what the older provider kept and the cloud does not show is known; the rest is written down without a request", async () => {
  const { cloud } = await openNetwork();
  const provider = openProvider(cloud);
  const rule = {
    ...group,
    id: "rule-1",
    ...{ security_group_id: group.id, direction: "egress", ethertype: "IPv6", protocol: "udp" },
    ...{ port_min_range: 53, port_max_range: 53, remote_ip_prefix: "" },
  };
  const taken = await move(provider, "_security_group_rule", "security-group-rule", rule);
  expect(taken.values).toMatchObject({
    portRangeMin: 53,
    portRangeMax: 53,
    ethertype: "IPv6",
    protocol: "udp",
  });
  expect(JSON.parse(Buffer.from(taken.private ?? []).toString())).toEqual({
    unread: ["remoteIpPrefix", "description"],
  });
});

test("a subnet of a VPC that had none is none", async () => {
  const { cloud } = await openNetwork();
  const attributes = { ...group, network_name: "n", subnet_name: "", cidr: "", ingress: true, egress: true };
  const { values } = await move(openProvider(cloud), "_vpc", "vpc", attributes);
  expect(values).toMatchObject({ name: "web", networkName: "n", primarySubnet: null });
});
