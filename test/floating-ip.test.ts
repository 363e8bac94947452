import { expect, test } from "@jest/globals";
import { check } from "../provider/check.ts";
import { engine } from "../provider/engine.ts";
import { explain, type Held } from "../provider/errors.ts";
import type { Values } from "../provider/value.ts";
import { failure, kept, live, requests, resource } from "./cloud.ts";
import { logged, openNetwork, sentSince } from "./instance-world.ts";

const noun = resource("floating-ip");

const id = (kind: string) => `krn:vpc:In-Bangalore-1:1:2:${kind}:3`;
const written: Values = { vpcId: id("vpc"), name: "front", subnetId: id("subnet") };

test.each<[string, Values, string[]]>([
  ["what is due", {}, []],
  ["with a port", { portId: id("port") }, []],
  ["no name", { name: null }, ["name is required"]],
  ["no subnet", { subnetId: "" }, ["subnetId must not be empty"]],
  [
    "a port that is none",
    { portId: id("floatingIP") },
    ["portId is the id of a floating ip, where that of a port is due"],
  ],
  ["an address", { address: "203.0.113.9" }, ["address is set by the cloud and cannot be given"]],
])("checked: %s", (_, change, expected) => {
  const { problems } = check(noun, { ...written, ...change });
  expect(problems.map(({ path, problem }) => `${path.join(".")} ${problem}`)).toEqual(expected);
});

/** A network with two ports of nobody's, and what is done to an address in it. */
async function openAddress(...how: Parameters<typeof openNetwork>) {
  const network = await openNetwork(...how);
  const { cloud, vpcId } = network;
  const subnetId = String(network.written.subnetId);
  const make = (name: string) => cloud.run(cloud.create("port", { vpcId, name, subnetId }));
  const ports = [String((await make("one")).id), String((await make("two")).id)] as const;
  const inputs = (change: Values = {}) =>
    engine.check(noun, { vpcId, name: "front", subnetId, ...change }).inputs;
  const { session, call } = cloud;
  return {
    cloud,
    vpcId,
    subnetId,
    network,
    ports,
    inputs,
    create: (change: Values = {}) => engine.create(session, noun, inputs(change), call),
    update: (held: Held, change: Values) => engine.update(session, noun, held, inputs(change), call),
    read: (held: Held) => engine.read(session, noun, held, call),
    remove: (held: Held) => engine.delete(session, noun, held, call),
    later: () => cloud.run(session.ports.clock.sleep(10_000)),
  };
}

const moves = (...log: Parameters<typeof sentSince>) =>
  sentSince(...log).filter(([operation]) => operation !== "get_vpc");

test("an address is reserved on a port of its own, and given back with it", async () => {
  const { cloud, vpcId, subnetId, create, remove } = await openAddress();
  const before = logged(cloud);
  const held = await cloud.run(create());
  const network_id = live(cloud, "network")[0]?.krn;
  const body = { name: "front", vpc_id: vpcId, network_id, subnet_id: subnetId, floating_ip: true };
  expect(moves(cloud, before)).toEqual([["create_port", body]]);
  const own = live(cloud, "port").find(({ name }) => name === "front")?.krn;
  expect(held).toMatchObject({
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
  await cloud.run(remove(held));
  expect(requests(cloud, "detach_floating_ip")).toEqual([]);
  expect(live(cloud, "floating_ip")).toEqual([]);
});

test("it is put on a port, moved to another, taken off and put on again, all in place", async () => {
  const { cloud, ports, inputs, create, update, read } = await openAddress();
  const [one, two] = ports;
  const reserved = await cloud.run(create());
  const own = reserved.values.heldBy;
  const before = logged(cloud);
  const onOne = await cloud.run(update(reserved, { portId: one }));
  const onTwo = await cloud.run(update(onOne, { portId: two }));
  expect(onTwo.values).toMatchObject({ portId: two, heldBy: two, address: reserved.values.address });
  expect(engine.plan(noun, await cloud.run(read(onTwo)), inputs({ portId: two }), cloud.session).action).toBe(
    "none",
  );
  const off = await cloud.run(update(onTwo, {}));
  expect(off.values).toMatchObject({ portId: null, heldBy: own });
  const again = await cloud.run(update(off, { portId: one }));
  expect(again.id).toBe(reserved.id);
  expect(moves(cloud, before)).toEqual([
    ["attach_floating_ip", { attach_port: own, detach_port: one }],
    ["attach_floating_ip", { attach_port: one, detach_port: two }],
    ["detach_floating_ip", undefined],
    ["attach_floating_ip", { attach_port: own, detach_port: one }],
  ]);
});

test("a machine gets it with its creation, is named by it, and loses it before it is given back", async () => {
  const { cloud, network, create, remove } = await openAddress();
  const machine = await cloud.run(network.create());
  const held = await cloud.run(create({ portId: String(machine.values.portId) }));
  expect(held.values).toMatchObject({ portId: machine.values.portId, instanceName: "web" });
  const before = logged(cloud);
  await cloud.run(remove(held));
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
    const held = await cloud.run(create());
    expect(live(cloud, "floating_ip").map(({ krn }) => krn)).toEqual([held.id]);
    expect(requests(cloud, "create_port")).toHaveLength(3);
    expect(cloud.warnings.map(({ summary }) => summary)).toEqual(["An unclear answer was settled by search"]);
  },
);

test("a refusal after which no address of the name turns up made none", async () => {
  const { cloud, create } = await openAddress({}, { settleSeconds: 20 });
  cloud.emulator.faults.add({ target: "create_port", kind: "404", times: 1 });
  const began = cloud.elapsed();
  const failed = await cloud.run(failure(create()));
  expect([failed.fate.is, cloud.elapsed() - began]).toEqual(["nothing created", expect.any(Number)]);
  expect(cloud.elapsed() - began).toBeGreaterThanOrEqual(20_000);
  expect(explain(failed).detail).toContain("status 404");
});

test("nothing is reserved in a subnet that the cloud does not show", async () => {
  const { cloud, create } = await openAddress();
  const failed = await cloud.run(failure(create({ subnetId: id("subnet") })));
  expect(explain(failed)).toEqual({
    summary: 'Creating the floating ip "front" failed',
    detail: [
      "The cloud refused it.",
      "It does not show the subnet in its VPC. (status 404, POST /v1/highlvlvpc/get_vpc)",
      "Nothing was created.",
      "Correct what it names, then run again.",
    ].join("\n"),
  });
  expect(requests(cloud, "create_port")).toHaveLength(2);
});

test.each([
  ["attach-holds", "holder-first"],
  ["detach-holds", "target-first"],
] as const)("where %s, %s moves it", async (assumed, floatingIpAttachOrder) => {
  const assume = { floatingIpAttachOrder: assumed };
  const { cloud, ports, create } = await openAddress({ assume }, { floatingIpAttachOrder });
  const held = await cloud.run(create({ portId: ports[0] }));
  expect(held.values.heldBy).toBe(ports[0]);
});

test("where nothing moves, the error names the setting that turns the order round", async () => {
  const assume = { floatingIpAttachOrder: "detach-holds" } as const;
  const { cloud, ports, create, update } = await openAddress({ assume });
  const held = await cloud.run(create());
  const failed = await cloud.run(failure(update(held, { portId: ports[0] })));
  expect(explain(failed)).toEqual({
    summary: 'Changing the floating ip "front" failed',
    detail: [
      "The change was not confirmed.",
      'The cloud shows another portId than was asked for; the cloud may name the two ports the other way round: see floating_ip_attach_order ("holder-first" or "target-first").',
      "It still exists; some of the change may have been made.",
      "Look at it in the cloud; a replacement may be needed.",
    ].join("\n"),
  });
  expect(kept(failed).values.portId).toBeNull();
  expect(requests(cloud, "attach_floating_ip")).toHaveLength(1);
});

test.each([
  ["reset", "after"],
  ["503", "after"],
] as const)(
  "a move answered by %s %s it happened is not sent twice, which would undo it",
  async (kind, when) => {
    const { cloud, ports, create, update } = await openAddress({ listingLagMs: 2_000 });
    const held = await cloud.run(create());
    cloud.emulator.faults.add({ target: "attach_floating_ip", kind, when, times: 1 });
    const moved = await cloud.run(update(held, { portId: ports[1] }));
    expect([moved.values.heldBy, requests(cloud, "attach_floating_ip").length]).toEqual([ports[1], 1]);
  },
);

test("one that somebody put elsewhere is seen there, and brought back", async () => {
  const { cloud, ports, network, inputs, create, update, read, later } = await openAddress();
  const [one] = ports;
  const machine = await cloud.run(network.create());
  const held = await cloud.run(create({ portId: one }));
  const portId = String(machine.values.portId);
  await cloud.run(update(held, { portId }));
  await later();
  const seen = await cloud.run(read(held));
  expect(seen?.values).toMatchObject({ portId, instanceName: "web" });
  const { changes } = engine.plan(noun, seen, inputs({ portId: one }), cloud.session);
  expect(changes.map(({ path, verdict }) => [...path, verdict])).toEqual([["portId", "update"]]);
  expect((await cloud.run(update(seen as Held, { portId: one }))).values.portId).toBe(one);
});

test("an address on a port of its own is imported as it was written; one that moved, with what is left to see", async () => {
  const { cloud, vpcId, network, inputs, create, update } = await openAddress();
  const held = await cloud.run(create());
  const where = `${vpcId},${held.id}`;
  const take = () => cloud.run(engine.import(cloud.session, noun, where, cloud.call));
  expect(engine.plan(noun, await take(), inputs(), cloud.session).action).toBe("none");
  const machine = await cloud.run(network.create());
  const portId = String(machine.values.portId);
  await cloud.run(update(held, { portId }));
  const moved = await take();
  expect(moved.values).toMatchObject({ name: held.values.address, portId });
  const { changes } = engine.plan(noun, moved, inputs({ portId }), cloud.session);
  expect(changes.map(({ path, recordOnly }) => [...path, recordOnly])).toEqual([["name", true]]);
});

test("an address that is gone is found gone, and one that cannot be read is not", async () => {
  const { cloud, create, read, later } = await openAddress();
  const held = await cloud.run(create());
  await later();
  cloud.emulator.faults.add({ target: "list_floating_ips", kind: "403" });
  expect((await cloud.run(failure(read(held)))).fate.is).toBe("unknown");
  cloud.emulator.faults.clear();
  cloud.emulator.inventory.remove(String(held.id));
  expect(await cloud.run(read(held))).toBeUndefined();
});
