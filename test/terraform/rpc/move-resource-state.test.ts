import { expect, test } from "@jest/globals";
import { terraformType } from "../../../provider/core/name.ts";
import type { Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { resourceShape } from "../../../provider/terraform/codec/schema.ts";
import { decodeRecord } from "../../../provider/terraform/codec/value.ts";
import { resource } from "../../support/cloud.ts";
import { openProvider, type Provider, texts } from "../../support/engine/provider.ts";
import { openNetwork } from "../../support/instance-world.ts";
import { olderSource, olderType, openOlder, region } from "../../support/older-provider.ts";

/** State moves from the older provider (`moved` blocks), called as an engine calls them. */

const move = async (provider: Provider, suffix: string, kind: string, attributes: object) => {
  const answer = await provider.one("moveResourceState", {
    sourceProviderAddress: olderSource("terraform"),
    sourceTypeName: olderType(suffix),
    sourceSchemaVersion: 0,
    sourceState: { json: Buffer.from(JSON.stringify(attributes)) },
    targetTypeName: terraformType(kind),
  });
  return {
    values: decodeRecord(answer.targetState, resourceShape(resource(kind))),
    private: answer.targetPrivate,
    diagnostics: texts(answer.diagnostics),
  };
};

test("a moved block moves an object of the older provider, and the next plan is empty", async () => {
  const { cloud, older } = await openOlder();
  const provider = openProvider(cloud);
  await provider.configure();
  for (const { suffix, kind, attributes, config, missingInput } of older) {
    const moved = await move(provider, suffix, kind, attributes);
    expect([kind, moved.diagnostics]).toEqual([kind, []]);
    const seen = await cloud.run(provider.read(kind, moved));
    expect([kind, seen.diagnostics]).toEqual([kind, []]);
    const { inputs } = engine.check(resource(kind), config);
    const planned = await provider.plan(kind, withNulls(kind, inputs), seen);
    const warned = planned.diagnostics.map((text) => /Not compared/.test(text));
    expect([kind, planned.replaces, warned]).toEqual([kind, [], missingInput === undefined ? [] : [true]]);
    // A field that neither the older state nor the API has is recorded from the configuration.
    const wanted =
      missingInput === undefined
        ? seen.values
        : expect.objectContaining({ [missingInput]: config[missingInput] });
    expect([kind, planned.values]).toEqual([kind, wanted]);
  }
});

/** Returns a configuration as an engine sends it: with every attribute, null where it is not set. */
const withNulls = (kind: string, config: Values): Values =>
  Object.fromEntries(
    Object.keys(resourceShape(resource(kind)).fields).map((name) => [name, config[name] ?? null]),
  );

/** Minimal state of a security group in the older provider. */
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
    "A oldcloud_port cannot be moved to a kcloud_port: moves to this type are not supported.",
  ],
  ["_security_group", "security-group", { ...group, name: { first: "web" } }, "name: must be a string"],
])("any other state is rejected: %s to %s %#", async (suffix, kind, attributes, problem) => {
  const { cloud } = await openNetwork();
  const { values, diagnostics } = await move(openProvider(cloud), suffix, kind, attributes);
  expect(values).toBeUndefined();
  expect(diagnostics).toEqual([expect.stringContaining(problem)]);
});

test("values that the API never returns come from the moved state; the others are recorded without a request", async () => {
  const { cloud } = await openNetwork();
  const provider = openProvider(cloud);
  const rule = {
    ...group,
    id: "rule-1",
    ...{ security_group_id: group.id, direction: "egress", ethertype: "IPv6", protocol: "udp" },
    ...{ port_min_range: 53, port_max_range: 53, remote_ip_prefix: "" },
  };
  const moved = await move(provider, "_security_group_rule", "security-group-rule", rule);
  expect(moved.values).toMatchObject({
    portRangeMin: 53,
    portRangeMax: 53,
    ethertype: "IPv6",
    protocol: "udp",
  });
  expect(JSON.parse(Buffer.from(moved.private ?? []).toString())).toEqual({
    unread: ["remoteIpPrefix", "description"],
  });
});

test("a moved VPC without a subnet has a null primary_subnet", async () => {
  const { cloud } = await openNetwork();
  const attributes = { ...group, network_name: "n", subnet_name: "", cidr: "", ingress: true, egress: true };
  const { values } = await move(openProvider(cloud), "_vpc", "vpc", attributes);
  expect(values).toMatchObject({ name: "web", networkName: "n", primarySubnet: null });
});
