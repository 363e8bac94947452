import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, kept, live, requests } from "../support/cloud.ts";
import { logged, sentSince } from "../support/instance-world.ts";
import { openPort, port } from "../support/port-world.ts";
import { idOf, problemsOf } from "../support/problem.ts";

test.each<[string, Values, string[]]>([
  ["the required fields", {}, []],
  [
    "an id of another kind in place of a group",
    { securityGroups: [idOf("sg"), idOf("port")] },
    ["securityGroups.1 is the ID of a port, but the ID of a security group is required"],
  ],
  [
    "a group of another account",
    { securityGroups: [idOf("sg", "In-Bangalore-1", "9")] },
    ["securityGroups.0 belongs to another region or account than the VPC"],
  ],
])("checked: %s", (_, change, expected) => {
  expect(
    problemsOf("port", { vpcId: idOf("vpc"), name: "berth", subnetId: idOf("subnet"), ...change }),
  ).toEqual(expected);
});

test("a port is created in the network of its VPC, and gets its groups afterwards", async () => {
  const { cloud, vpcId, securityGroups, create } = await openPort();
  const before = logged(cloud);
  const state = await cloud.run(create({ securityGroups }));
  const [{ krn: network } = { krn: "" }] = live(cloud, "network");
  expect(sentSince(cloud, before).filter(([operation]) => operation !== "get_vpc")).toEqual([
    [
      "create_port",
      {
        name: "berth",
        vpc_id: vpcId,
        network_id: network,
        subnet_id: state.values.subnetId,
        floating_ip: false,
      },
    ],
    ["update_port_security_groups", { security_groups: securityGroups }],
  ]);
  expect(state).toMatchObject({
    id: live(cloud, "port")[0]?.krn,
    values: {
      name: "berth",
      networkId: network,
      securityGroups,
      fixedIps: [{ ipAddress: "10.0.0.2", subnetId: state.values.subnetId }],
      macAddress: expect.stringMatching(/^([\da-f]{2}:){5}[\da-f]{2}$/),
      floatingIpAddress: null,
      deviceId: null,
      adminStateUp: true,
      status: "DOWN",
    },
  });
});

test("security groups are replaced completely and compared in any order; other changes replace the port", async () => {
  const { cloud, vpcId, securityGroups, inputs, create, update, read } = await openPort();
  const other = await cloud.run(cloud.create("security-group", { vpcId, name: "other" }));
  const state = await cloud.run(create({ securityGroups }));
  const both = [String(other.id), ...securityGroups];
  const changed = await cloud.run(update(state, { securityGroups: both }));
  expect(requests(cloud, "update_port_security_groups").at(-1)?.body).toEqual({ security_groups: both });
  const seen = await cloud.run(read(changed));
  const plan = (change: Values) => engine.plan(port, seen, inputs(change), cloud.session);
  expect(plan({ securityGroups: both.toReversed() }).action).toBe("none");
  expect(plan({}).action).toBe("none");
  expect(plan({ name: "other" })).toMatchObject({
    action: "replace",
    changes: [{ reason: "The API cannot delete a port: it remains until its subnet is deleted." }],
  });
});

test("groups that another user changed are detected and restored", async () => {
  const { cloud, vpcId, securityGroups, inputs, create, update, read } = await openPort();
  const other = await cloud.run(cloud.create("security-group", { vpcId, name: "other" }));
  const state = await cloud.run(create({ securityGroups }));
  cloud.emulator.inventory.change(String(state.id), { uses: [String(other.id)] });
  await cloud.run(cloud.session.ports.clock.sleep(10_000));
  const seen = await cloud.run(read(state));
  expect(seen?.values.securityGroups).toEqual([other.id]);
  const { changes } = engine.plan(port, seen, inputs({ securityGroups }), cloud.session);
  expect(changes.map(({ path, effect }) => [...path, effect])).toEqual([["securityGroups", "update"]]);
  const back = await cloud.run(update(seen as ResourceState, { securityGroups }));
  expect(back.values.securityGroups).toEqual(securityGroups);
});

test("a destroy sends nothing, warns, and leaves the port until its subnet is deleted", async () => {
  const { cloud, create, remove } = await openPort();
  const state = await cloud.run(create());
  const before = cloud.emulator.log.entries().length;
  await cloud.run(remove(state));
  expect(cloud.emulator.log.entries()).toHaveLength(before);
  expect(cloud.warnings).toEqual([
    {
      summary: 'No request deleted the port "berth"',
      detail: `The API cannot delete a port: it remains until its subnet is deleted. Nothing manages the port "berth" (${state.id}) any more.`,
    },
  ]);
  expect(live(cloud, "port").map(({ krn }) => krn)).toEqual([state.id]);
});

test("a retained port is resumed by the same run, and by no other", async () => {
  const { cloud, securityGroups, inputs, create, remove } = await openPort();
  const state = await cloud.run(create());
  await cloud.run(remove(state));
  const again = await cloud.run(create({ securityGroups }));
  expect([again.id, again.values.securityGroups]).toEqual([state.id, securityGroups]);
  await cloud.run(remove(again));
  const other = engine.create(cloud.reopen(), port, inputs(), cloud.call);
  expect(explain(await cloud.run(failure(other))).detail).toContain(
    "An object with this name already exists.",
  );
  expect(requests(cloud, "create_port")).toHaveLength(1);
});

test("a port whose groups are rejected stays in the state, and the next run sends them again", async () => {
  const { cloud, securityGroups, inputs, create, remove } = await openPort();
  cloud.emulator.faults.add({ target: "update_port_security_groups", kind: "422", times: 1 });
  const failed = await cloud.run(failure(create({ securityGroups })));
  expect(explain(failed).detail).toContain("The object was created, but a later step failed.");
  const state = kept(failed);
  expect(engine.plan(port, state, inputs({ securityGroups }), cloud.session).action).toBe("update");
  // An engine replaces a tainted port: the delete keeps it, as no route deletes it, and the create resumes with it.
  await cloud.run(remove(state));
  const again = await cloud.run(create({ securityGroups }));
  expect([again.id, again.values.securityGroups]).toEqual([state.id, securityGroups]);
});

test("a port is imported by its VPC and its id, and its plan is empty", async () => {
  const { cloud, vpcId, securityGroups, inputs, create } = await openPort();
  const state = await cloud.run(create({ securityGroups }));
  const imported = await cloud.run(engine.import(cloud.session, port, `${vpcId},${state.id}`, cloud.call));
  expect(imported).toEqual({ ...state, createdAt: undefined });
  expect(engine.plan(port, imported, inputs({ securityGroups }), cloud.session).action).toBe("none");
});
