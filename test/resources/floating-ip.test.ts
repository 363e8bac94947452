import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { UNKNOWN } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, requests, settle } from "../support/cloud.ts";
import { floatingIp, moves, openAddress } from "../support/floating-ip-world.ts";
import { logged } from "../support/instance-world.ts";
import { idOf } from "../support/problem.ts";

test("an address is reserved on a new port, and released with it", async () => {
  const { cloud, vpcId, subnetId, create, remove } = await openAddress();
  const before = logged(cloud);
  const state = await cloud.run(create());
  const network_id = live(cloud, "network")[0]?.krn;
  const body = { name: "front", vpc_id: vpcId, network_id, subnet_id: subnetId, floating_ip: true };
  expect(moves(cloud, before)).toEqual([["create_port", body]]);
  const own = live(cloud, "port").find(({ name }) => name === "front")?.krn;
  expect(state).toMatchObject({
    id: live(cloud, "floating_ip")[0]?.krn,
    values: {
      address: expect.stringMatching(/^[\d.]+$/),
      heldBy: own,
      portId: null,
      instanceName: null,
      subnetName: "a",
      ipVersion: 4,
      visibility: "public",
    },
  });
  await cloud.run(remove(state));
  expect(requests(cloud, "detach_floating_ip")).toEqual([]);
  expect(live(cloud, "floating_ip")).toEqual([]);
});

test("an instance gets the address at its creation, and the address is detached before its release", async () => {
  const { cloud, network, create, remove } = await openAddress();
  const machine = await cloud.run(network.create());
  const state = await cloud.run(create({ portId: String(machine.values.portId) }));
  expect(state.values).toMatchObject({ portId: machine.values.portId, instanceName: "web" });
  const before = logged(cloud);
  await cloud.run(remove(state));
  expect(moves(cloud, before).map(([operation]) => operation)).toEqual([
    "detach_floating_ip",
    "delete_floating_ip",
  ]);
  expect([live(cloud, "floating_ip"), live(cloud, "instance").length]).toEqual([[], 1]);
});

test.each(["404", "400", "503", "reset"] as const)(
  "an address that was reserved although the answer was %s is found by its name",
  async (kind) => {
    const { cloud, create } = await openAddress();
    cloud.emulator.faults.add({ target: "create_port", kind, when: "after", times: 1 });
    const state = await cloud.run(create());
    expect(live(cloud, "floating_ip").map(({ krn }) => krn)).toEqual([state.id]);
    expect(requests(cloud, "create_port")).toHaveLength(3);
    expect(cloud.warnings.map(({ summary }) => summary)).toEqual([
      'The floating IP "front" was found by search',
    ]);
  },
);

test("a rejection after which no address with the name appears created none", async () => {
  const { cloud, create } = await openAddress({}, { settleSeconds: 20 });
  cloud.emulator.faults.add({ target: "create_port", kind: "403", times: 1 });
  const began = cloud.elapsed();
  const failed = await cloud.run(failure(create()));
  expect([failed.existence.is, cloud.elapsed() - began]).toEqual(["not listed", expect.any(Number)]);
  expect(cloud.elapsed() - began).toBeGreaterThanOrEqual(20_000);
  expect(explain(failed).detail).toContain("status 403");
});

test("no address is reserved in a subnet that the API does not show", async () => {
  const { cloud, create } = await openAddress();
  const failed = await cloud.run(failure(create({ subnetId: idOf("subnet") })));
  expect(explain(failed)).toEqual({
    summary: 'Creating the floating IP "front" failed',
    detail: [
      "The API rejected the request.",
      "It does not show the subnet in its VPC. (status 404, POST /v1/highlvlvpc/get_vpc)",
      "Nothing was created.",
      "Correct what the API rejected, then run again.",
    ].join("\n"),
  });
  expect(requests(cloud, "create_port")).toHaveLength(2);
});

test("an address on its reserved port is imported as it was configured; a moved one with its readable fields", async () => {
  const { cloud, vpcId, network, inputs, create, update } = await openAddress();
  const state = await cloud.run(create());
  const where = `${vpcId},${state.id}`;
  const take = () => cloud.run(engine.import(cloud.session, floatingIp, where, cloud.call));
  expect(engine.plan(floatingIp, await take(), inputs(), cloud.session).action).toBe("none");
  const machine = await cloud.run(network.create());
  const portId = String(machine.values.portId);
  await cloud.run(update(state, { portId }));
  const moved = await take();
  expect(moved.values).toMatchObject({ name: state.values.address, portId });
  const { changes } = engine.plan(floatingIp, moved, inputs({ portId }), cloud.session);
  expect(changes.map(({ path, recordOnly }) => [...path, recordOnly])).toEqual([["name", true]]);
});

test("an address that was moved to an unused port is imported without a request, and its plan keeps the computed values", async () => {
  const { cloud, vpcId, ports, inputs, create, update } = await openAddress();
  const [portId, other] = ports;
  const state = await cloud.run(create({ portId }));
  const take = () => cloud.run(engine.import(cloud.session, floatingIp, `${vpcId},${state.id}`, cloud.call));
  const imported = await take();
  // The API shows the address as one on its reserved port.
  expect(imported.values).toMatchObject({ name: "one", portId: null, heldBy: portId });
  const planOf = (portId: string) => engine.plan(floatingIp, imported, inputs({ portId }), cloud.session);
  const kept = planOf(portId);
  expect(kept.changes.map(({ path, recordOnly }) => [...path, recordOnly])).toEqual([
    ["name", true],
    ["portId", true],
  ]);
  const { heldBy, subnetName, instanceName } = imported.values;
  expect(kept.values).toMatchObject({ heldBy, subnetName, instanceName });
  expect(planOf(other).values).toMatchObject({ heldBy: UNKNOWN, subnetName: UNKNOWN });
  const before = logged(cloud);
  const recorded = await cloud.run(update(imported, { portId }));
  expect([moves(cloud, before), recorded.values.portId, recorded.values.name]).toEqual([[], portId, "front"]);
  await cloud.run(update(recorded, { portId: other }));
  expect(moves(cloud, before).map(([operation]) => operation)).toEqual(["attach_floating_ip"]);
});

test("an address stays in the state while a listing shows one without its id and name", async () => {
  const { cloud, create, remove } = await openAddress({ taskMs: 30_000 });
  const state = await cloud.run(create());
  await settle(cloud);
  const unnamed = { kind: "missing-field", from: 2, times: 2 } as const;
  cloud.emulator.faults.add({ ...unnamed, target: "list_floating_ips", field: "floating_ip_krn" });
  cloud.emulator.faults.add({ ...unnamed, target: "search_port", field: "port_id" });
  await cloud.run(remove(state));
  expect(live(cloud, "floating_ip")).toEqual([]);
});
