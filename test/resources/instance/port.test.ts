import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { live, requests } from "../../support/cloud.ts";
import { instance, logged, openNetwork, sentSince } from "../../support/instance-world.ts";

/** Tests the network port of an instance, and the security groups of that port. */

async function openGroups(...how: Parameters<typeof openNetwork>) {
  const network = await openNetwork(...how);
  const { cloud, vpcId, written } = network;
  const other = await cloud.run(cloud.create("security-group", { vpcId, name: "other" }));
  return { ...network, first: String((written.securityGroups as string[])[0]), second: String(other.id) };
}

test("security groups change in place, by one request on the port", async () => {
  const { cloud, first, second, create, update, read } = await openGroups();
  const state = await cloud.run(create());
  const before = logged(cloud);
  const changed = await cloud.run(update(state, { securityGroups: [second, first] }));
  expect(sentSince(cloud, before)).toEqual([
    ["update_port_security_groups", { security_groups: [second, first] }],
  ]);
  expect(requests(cloud, "update_port_security_groups")[0]?.path).toContain(String(state.values.portId));
  expect([changed.id, changed.values.securityGroups]).toEqual([state.id, [second, first]]);
  expect(await cloud.run(read(changed))).toEqual(changed);
});

test("an instance uses an existing port with its address, and keeps the port on its delete", async () => {
  const { cloud, vpcId, written, inputs, create, read, remove } = await openGroups();
  const { subnetId = "", securityGroups = [] } = written as { subnetId?: string; securityGroups?: string[] };
  const port = await cloud.run(cloud.create("port", { vpcId, name: "berth", subnetId, securityGroups }));
  const state = await cloud.run(create({ portId: String(port.id) }));
  expect(requests(cloud, "create_instance")[0]?.body).toMatchObject({ port_krn: port.id });
  expect(state.values).toMatchObject({
    portId: port.id,
    ipAddress: "10.0.0.2",
    networkPorts: [{ krn: port.id, fixedIp: "10.0.0.2" }],
  });
  const seen = await cloud.run(read(state));
  const plan = (change: object) => engine.plan(instance, seen, inputs({ ...change }), cloud.session).action;
  expect([plan({ portId: String(port.id) }), plan({})]).toEqual(["none", "none"]);
  await cloud.run(remove(state));
  expect(live(cloud, "port").map(({ krn }) => krn)).toEqual([port.id]);
});

test("the address that is created with an instance is in the state, and so is its port", async () => {
  const { cloud, create, read } = await openGroups();
  const state = await cloud.run(create({ floatingIp: true }));
  expect(state.values).toMatchObject({
    floatingIpAddress: expect.stringMatching(/^[\d.]+$/),
    floatingIpId: live(cloud, "floating_ip")[0]?.krn,
    portId: live(cloud, "port")[0]?.krn,
    networkId: live(cloud, "network")[0]?.krn,
    batchId: null,
  });
  expect(await cloud.run(read(state))).toEqual(state);
});
