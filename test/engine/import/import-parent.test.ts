import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { resource } from "../../support/cloud.ts";
import { openNetwork } from "../../support/instance-world.ts";

/**
 * Tests imports with another VPC than that of the object. Premises: the API compares the tenant of a volume request with the
 * volume (docs/contract.md#8), and lists of a VPC hold its objects only. The row of an instance shows its VPC.
 */

test.each([
  "subnet",
  "security-group",
  "security-group-rule",
  "volume",
  "port",
  "floating-ip",
  "instance",
  "instance-batch",
  "volume-attachment",
])("an import of %s with another VPC than its own is an error, or records its own VPC", async (kind) => {
  const { cloud, vpcId, written } = await openNetwork();
  const other = await cloud.run(
    cloud.create("vpc", { name: "other", primarySubnet: { name: "a", cidr: "10.0.0.0/20" } }),
  );
  const make = async (noun: string, inputs: Values) => (await cloud.run(cloud.create(noun, inputs))).id ?? "";
  const { subnetId = "", securityGroups = [] } = written;
  const template = () => make("instance-template", { ...written, name: "t" });
  const inputs: Record<string, () => Promise<Values>> = {
    subnet: async () => ({ vpcId, name: "b", cidr: "10.0.16.0/20" }),
    "security-group": async () => ({ vpcId, name: "b" }),
    "security-group-rule": async () => ({
      ...{ vpcId, securityGroupId: (securityGroups as string[])[0] ?? "", direction: "ingress" },
      ...{ protocol: "tcp", remoteIpPrefix: "0.0.0.0/0" },
    }),
    volume: async () => ({ vpcId, name: "b", sizeGb: 1, volumeType: "ssd" }),
    port: async () => ({ vpcId, subnetId, name: "b" }),
    "floating-ip": async () => ({ vpcId, subnetId, name: "b" }),
    instance: async () => written,
    "instance-batch": async () => ({ vpcId, name: "b", templateId: await template(), machineCount: 1 }),
    "volume-attachment": async () => ({
      vpcId,
      instanceId: await make("instance", written),
      volumeId: await make("volume", { vpcId, name: "b", sizeGb: 1, volumeType: "ssd" }),
    }),
  };
  const state = await cloud.run(cloud.create(kind, (await inputs[kind]?.()) ?? {}));
  const parents = (resource(kind).parents ?? []).map((name) =>
    name === "vpcId" ? other.id : state.values[name],
  );
  const work = engine.import(cloud.reopen(), resource(kind), [...parents, state.id].join(","), cloud.call);
  const outcome = await cloud.run(work).catch((error: unknown) => explain(error).detail);
  const result = typeof outcome === "string" ? outcome : outcome.values.vpcId;
  expect(result).toEqual(
    kind === "instance"
      ? vpcId
      : expect.stringMatching(/^No [a-zI P]+ has the ID krn:|^No .* has the ID or (name|instance_id) "/),
  );
});
