import { expect, test } from "@jest/globals";
import { InputError } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { live, requests, resource } from "../support/cloud.ts";
import { openNetwork } from "../support/instance-world.ts";
import { idOf, problemsOf } from "../support/problem.ts";

const kind = resource("port-security-groups");

const written: Values = { portId: idOf("port"), securityGroups: [idOf("sg")] };

test.each<[string, Values, string[]]>([
  ["the required fields", {}, []],
  [
    "an id of another kind in place of a group",
    { securityGroups: [idOf("subnet")] },
    ["securityGroups.0 is the ID of a subnet, but the ID of a security group is required"],
  ],
  [
    "a group of another region",
    { securityGroups: [idOf("sg", "In-Hyderabad-1")] },
    ["securityGroups.0 belongs to another region or account than the port"],
  ],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("port-security-groups", { ...written, ...change })).toEqual(expected);
});

/** Creates an instance and two security groups; returns the operations on the groups of the instance's port. */
async function openPort(...how: Parameters<typeof openNetwork>) {
  const network = await openNetwork(...how);
  const { cloud, vpcId } = network;
  const machine = await cloud.run(network.create());
  const other = await cloud.run(cloud.create("security-group", { vpcId, name: "other" }));
  const portId = String(machine.values.portId);
  const [first = ""] = machine.values.securityGroups as string[];
  const inputs = (groups: string[]) => engine.check(kind, { portId, securityGroups: groups }).inputs;
  const { session, call } = cloud;
  return {
    cloud,
    machine,
    portId,
    first,
    second: String(other.id),
    inputs,
    create: (groups: string[]) => engine.create(session, kind, inputs(groups), call),
    update: (state: ResourceState, groups: string[]) =>
      engine.update(session, kind, state, inputs(groups), call),
    read: (state: ResourceState) => engine.read(session, kind, state, call),
    remove: (state: ResourceState) => engine.delete(session, kind, state, call),
  };
}

test("the group list of an instance's port is replaced completely, by one request each time", async () => {
  const { cloud, portId, first, second, create, update, read } = await openPort();
  const state = await cloud.run(create([second]));
  expect(state).toMatchObject({ id: portId, values: { portId, securityGroups: [second] } });
  const changed = await cloud.run(update(state, [first, second]));
  expect(await cloud.run(read(changed))).toEqual(changed);
  expect(requests(cloud, "update_port_security_groups").map(({ body }) => body)).toEqual([
    { security_groups: [second] },
    { security_groups: [first, second] },
  ]);
});

test("a change of the list by another user is detected", async () => {
  const { cloud, portId, first, second, inputs, create, read } = await openPort();
  const state = await cloud.run(create([second]));
  cloud.emulator.inventory.change(portId, { uses: [first] });
  await cloud.run(cloud.session.ports.clock.sleep(10_000));
  const { action } = engine.plan(kind, await cloud.run(read(state)), inputs([second]), cloud.session);
  expect(action).toBe("update");
});

test("a destroy sends nothing, keeps the list and warns", async () => {
  const { cloud, portId, second, create, remove } = await openPort();
  const state = await cloud.run(create([second]));
  await cloud.run(remove(state));
  expect(requests(cloud, "update_port_security_groups")).toHaveLength(1);
  expect(cloud.warnings).toEqual([
    {
      summary: `No request deleted the port security groups (${portId})`,
      detail: `A port always has security groups: it keeps its list until another list is set. Nothing manages the port security groups (${portId}) any more.`,
    },
  ]);
});

test.each([true, false])("a replacement sends its list, also where the port has it: %s", async (same) => {
  const { cloud, portId, first, second, create, remove } = await openPort();
  const state = await cloud.run(create([second]));
  await cloud.run(remove(state));
  const asked = same ? [second] : [first];
  const again = await cloud.run(create(asked));
  expect(again).toMatchObject({ id: portId, values: { securityGroups: asked } });
  expect(requests(cloud, "update_port_security_groups").map(({ body }) => body)).toEqual([
    { security_groups: [second] },
    { security_groups: asked },
  ]);
});

test("the list is imported by the id of its port, and by no other id", async () => {
  const { cloud, machine, portId, first, inputs } = await openPort();
  const imported = await cloud.run(engine.import(cloud.session, kind, portId, cloud.call));
  expect(engine.plan(kind, imported, inputs([first]), cloud.session).action).toBe("none");
  const wrong = engine.import(cloud.session, kind, String(machine.id), cloud.call);
  await expect(cloud.run(wrong)).rejects.toThrow(
    new InputError([{ path: ["id"], problem: "is the ID of an instance, but the ID of a port is required" }]),
  );
});

test("the list leaves the state with its port", async () => {
  const { cloud, second, create, read } = await openPort();
  const state = await cloud.run(create([second]));
  for (const { krn } of live(cloud, "instance")) cloud.emulator.inventory.remove(krn);
  await cloud.run(cloud.session.ports.clock.sleep(130_000));
  expect(await cloud.run(read(state))).toBeUndefined();
});
