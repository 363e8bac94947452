import { expect, test } from "@jest/globals";
import { requests } from "../../support/cloud.ts";
import { logged, openNetwork, sentSince } from "../../support/instance-world.ts";

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
