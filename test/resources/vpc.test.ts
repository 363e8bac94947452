import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { UNKNOWN, type Values } from "../../provider/core/value.ts";
import type { Text } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, kept, live, openCloud, resource } from "../support/cloud.ts";
import { problemsOf } from "../support/problem.ts";

const primarySubnet = { name: "a", cidr: "10.0.0.0/24" };

test.each<[string, Values, string[]]>([
  ["a name alone", {}, []],
  ["optional fields", { description: "", enabled: false, networkName: "n", ipVersion: 6 }, []],
  ["a first subnet", { primarySubnet: { ...primarySubnet, gatewayIp: "10.0.0.1", ipVersion: 4 } }, []],
  ["a mistyped field", { nam: "x" }, ["nam is not a known attribute; did you mean name?"]],
  ["an unknown field", { colour: "x" }, ["colour is not a known attribute"]],
  [
    "a gateway outside the range",
    { primarySubnet: { ...primarySubnet, gatewayIp: "10.0.1.1" } },
    ["primarySubnet.gatewayIp must be an address in 10.0.0.0/24"],
  ],
  [
    "an IP version of the VPC that differs from that of the range",
    { ipVersion: 6, primarySubnet },
    ["ipVersion is 6, but 10.0.0.0/24 is an IPv4 CIDR"],
  ],
  [
    "an IP version of the subnet that differs from that of the range",
    { primarySubnet: { ...primarySubnet, ipVersion: 6 } },
    ["primarySubnet.ipVersion is 6, but 10.0.0.0/24 is an IPv4 CIDR"],
  ],
  [
    "a subnet of another IP version than the VPC",
    { ipVersion: 6, primarySubnet: { ...primarySubnet, ipVersion: 4 } },
    [],
  ],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("vpc", { name: "net", ...change })).toEqual(expected);
});

const net = { name: "net" };

test("a VPC with a primary subnet is waited for until all of its parts are ready", async () => {
  const refused: string[] = [];
  const log = (_: string, message: Text, facts: object = {}) => {
    if (message === "request" && !("outcome" in facts && facts.outcome === "executed"))
      refused.push(JSON.stringify(facts));
  };
  const cloud = openCloud({ taskMs: 240_000 }, {}, { log });
  const made = await cloud.run(
    cloud.create("vpc", { ...net, primarySubnet: { name: "a", cidr: "10.0.0.0/24" } }),
  );
  expect(made.id).toBe(live(cloud, "vpc")[0]?.krn);
  expect(refused).toEqual([]);
});

test("a VPC is not ready before its network is ready, so that a subnet can be created immediately afterwards", async () => {
  const cloud = openCloud({ taskMs: 60_000, assume: { vpcCreateAnswersEmpty: true } });
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const vpcId = String(vpc.id);
  await cloud.run(cloud.create("subnet", { vpcId, name: "a", cidr: "10.0.0.0/24" }));
  expect(live(cloud, "subnet")).toHaveLength(1);
});

test("a failed subnet inside a VPC's task leaves the id of the VPC in the state", async () => {
  const cloud = openCloud();
  const written = { ...net, primarySubnet: { name: "a-fails", cidr: "10.0.0.0/24" } };
  const failed = await cloud.run(failure(cloud.create("vpc", written)));
  const [vpc] = live(cloud, "vpc");
  expect(failed.existence).toEqual({ is: "recorded", id: vpc?.krn });
  expect(kept(failed).id).toBe(vpc?.krn);
  expect(explain(failed).detail).toContain("The API reports: subnet: failed because of the name a-fails.");
});

test("the plan after an import has the id of the configured primary subnet, among all subnets of the VPC", async () => {
  const cloud = openCloud();
  const vpc = resource("vpc");
  const { inputs } = engine.check(vpc, {
    name: "net",
    primarySubnet: { name: "a", cidr: "10.0.0.0/24", ingress: false },
  });
  const made = await cloud.run(engine.create(cloud.session, vpc, inputs, cloud.call));
  const vpcId = String(made.id);
  await cloud.run(cloud.create("subnet", { vpcId, name: "b", cidr: "10.0.1.0/24" }));
  const imported = await cloud.run(engine.import(cloud.reopen(), vpc, vpcId, cloud.call));
  const read = await cloud.run(engine.read(cloud.reopen(), vpc, imported, cloud.call));
  expect(read).toEqual(imported);
  const { action, values } = engine.plan(vpc, read, inputs, cloud.session);
  expect([action, values.primarySubnet]).toEqual(["update", made.values.primarySubnet]);
  const recorded = await cloud.run(engine.update(cloud.session, vpc, imported, inputs, cloud.call));
  expect([recorded.values, recorded.candidates]).toEqual([made.values, undefined]);
  const other = { ...inputs, primarySubnet: { ...(inputs.primarySubnet as Values), name: "c" } };
  expect(engine.plan(vpc, imported, other, cloud.session).values.primarySubnet).toMatchObject({
    id: UNKNOWN,
  });
});

test("the id of the primary subnet that a plan has after an import is returned, even if the API then masks the id", async () => {
  const cloud = openCloud();
  const vpc = resource("vpc");
  const written = { name: "net", primarySubnet: { name: "a", cidr: "10.0.0.0/24" } };
  const { inputs } = engine.check(vpc, written);
  const made = await cloud.run(engine.create(cloud.session, vpc, inputs, cloud.call));
  const imported = await cloud.run(engine.import(cloud.reopen(), vpc, String(made.id), cloud.call));
  cloud.emulator.faults.add({ kind: "masked-ids", target: "get_vpc" });
  const { values } = engine.plan(vpc, imported, inputs, cloud.session);
  const recorded = await cloud.run(engine.update(cloud.session, vpc, imported, inputs, cloud.call));
  expect(values.primarySubnet).toEqual(made.values.primarySubnet);
  expect(recorded.values.primarySubnet).toEqual(made.values.primarySubnet);
});

test("an imported VPC and its only subnet, managed as a resource of its own, have no change", async () => {
  const cloud = openCloud();
  const subnet = { name: "a", cidr: "10.0.0.0/24" };
  const made = await cloud.run(cloud.create("vpc", { name: "net", primarySubnet: subnet }));
  const vpcId = String(made.id);
  const imports = [
    ["vpc", vpcId, { name: "net" }],
    ["subnet", `${vpcId},a`, { vpcId, ...subnet }],
  ] as const;
  for (const [kind, importId, written] of imports) {
    const imported = await cloud.run(engine.import(cloud.session, resource(kind), importId, cloud.call));
    const { inputs } = engine.check(resource(kind), written);
    expect(engine.plan(resource(kind), imported, inputs, cloud.session).action).toBe("none");
  }
});

/** Imports a VPC with one subnet, which was created on its own, and records that subnet as its primary one. */
async function recordedAsPrimary() {
  const cloud = openCloud();
  const vpc = resource("vpc");
  const { id: vpcId = "" } = await cloud.run(cloud.create("vpc", net));
  await cloud.run(cloud.create("subnet", { ...primarySubnet, vpcId }));
  const imported = await cloud.run(engine.import(cloud.session, vpc, vpcId, cloud.call));
  const { inputs } = engine.check(vpc, { ...net, primarySubnet });
  const state = await cloud.run(engine.update(cloud.session, vpc, imported, inputs, cloud.call));
  const destroy = (timeout: number) =>
    cloud.run(failure(engine.delete(cloud.session, vpc, state, { ...cloud.call, timeout })));
  return { cloud, vpc, vpcId, state, destroy };
}

test("a delete after an import deletes a subnet that was recorded as the primary one but is none", async () => {
  const { cloud, vpc, state } = await recordedAsPrimary();
  await cloud.run(engine.delete(cloud.session, vpc, state, cloud.call));
  expect([...live(cloud, "vpc"), ...live(cloud, "subnet")]).toEqual([]);
});

test("a VPC that contains another object keeps the subnet that was recorded as its primary one", async () => {
  const { cloud, vpcId, destroy } = await recordedAsPrimary();
  await cloud.run(cloud.create("volume", { vpcId, name: "data", sizeGb: 1, volumeType: "ssd" }));
  await destroy(30);
  expect(live(cloud, "subnet")).toHaveLength(1);
});

test("a delete after an import names the import of a subnet that counts as the primary one but is none", async () => {
  const cloud = openCloud();
  const vpc = resource("vpc");
  const { id: vpcId = "" } = await cloud.run(cloud.create("vpc", net));
  const { id: subnetId = "" } = await cloud.run(cloud.create("subnet", { ...primarySubnet, vpcId }));
  const state = await cloud.run(engine.import(cloud.session, vpc, vpcId, cloud.call));
  const failed = await cloud.run(failure(engine.delete(cloud.session, vpc, state, cloud.call)));
  expect(explain(failed).detail).toContain(
    `If nothing manages the subnet "${primarySubnet.name}", which counts as the primary one because it is listed first, import it (terraform import kcloud_subnet.NAME '${vpcId},${subnetId}'`,
  );
  expect(live(cloud, "subnet")).toHaveLength(1);
});

test("a VPC with a wrongly recorded primary subnet and the real one is deleted with both", async () => {
  const cloud = openCloud({ assume: { primarySubnetListed: "last" } });
  const vpc = resource("vpc");
  const { id: vpcId = "" } = await cloud.run(cloud.create("vpc", { ...net, primarySubnet }));
  const other = { name: "other", cidr: "10.9.0.0/24" };
  await cloud.run(cloud.create("subnet", { ...other, vpcId }));
  const imported = await cloud.run(engine.import(cloud.reopen(), vpc, vpcId, cloud.call));
  const { inputs } = engine.check(vpc, { ...net, primarySubnet: other });
  const state = await cloud.run(engine.update(cloud.session, vpc, imported, inputs, cloud.call));
  await cloud.run(engine.delete(cloud.session, vpc, state, cloud.call));
  expect([...live(cloud, "vpc"), ...live(cloud, "subnet")]).toEqual([]);
});

test("a VPC with a wrongly recorded primary subnet and two others keeps all of them", async () => {
  const cloud = openCloud();
  const vpc = resource("vpc");
  const { id: vpcId = "" } = await cloud.run(cloud.create("vpc", { ...net, primarySubnet }));
  const other = { name: "other", cidr: "10.9.0.0/24" };
  await cloud.run(cloud.create("subnet", { ...other, vpcId }));
  await cloud.run(cloud.create("subnet", { name: "third", cidr: "10.8.0.0/24", vpcId }));
  const imported = await cloud.run(engine.import(cloud.reopen(), vpc, vpcId, cloud.call));
  const { inputs } = engine.check(vpc, { ...net, primarySubnet: other });
  const state = await cloud.run(engine.update(cloud.session, vpc, imported, inputs, cloud.call));
  await cloud.run(failure(engine.delete(cloud.session, vpc, state, { ...cloud.call, timeout: 30 })));
  expect(live(cloud, "subnet")).toHaveLength(3);
});
