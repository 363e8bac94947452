import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { failure, kept, live, requests } from "../../support/cloud.ts";
import { floatingIp, moves, openAddress } from "../../support/floating-ip-world.ts";
import { logged } from "../../support/instance-world.ts";

/** Tests floating IPs on ports other than their own. */

test("a floating IP is attached, moved to another port, detached and attached again, all in place", async () => {
  const { cloud, ports, inputs, create, update, read } = await openAddress();
  const [one, two] = ports;
  const reserved = await cloud.run(create());
  const own = reserved.values.heldBy;
  const before = logged(cloud);
  const onOne = await cloud.run(update(reserved, { portId: one }));
  const onTwo = await cloud.run(update(onOne, { portId: two }));
  expect(onTwo.values).toMatchObject({ portId: two, heldBy: two, address: reserved.values.address });
  expect(
    engine.plan(floatingIp, await cloud.run(read(onTwo)), inputs({ portId: two }), cloud.session).action,
  ).toBe("none");
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

test.each([
  ["attach-holds", "holder-first"],
  ["detach-holds", "target-first"],
] as const)(
  "if the API expects %s, floating_ip_attach_order = %s moves the address",
  async (assumed, floatingIpAttachOrder) => {
    const assume = { floatingIpAttachOrder: assumed };
    const { cloud, ports, create } = await openAddress({ assume }, { floatingIpAttachOrder });
    const state = await cloud.run(create({ portId: ports[0] }));
    expect(state.values.heldBy).toBe(ports[0]);
  },
);

test("if the address does not move, the error names the setting that reverses the order", async () => {
  const assume = { floatingIpAttachOrder: "detach-holds" } as const;
  const { cloud, ports, create, update } = await openAddress({ assume });
  const state = await cloud.run(create());
  const failed = await cloud.run(failure(update(state, { portId: ports[0] })));
  expect(explain(failed)).toEqual({
    summary: 'Changing the floating IP "front" failed',
    detail: [
      "The API did not confirm the change.",
      'The API shows a different port_id than configured; the API may expect the two ports in the other order: see floating_ip_attach_order ("holder-first" or "target-first").',
      "The object exists. Part of the change may have been made.",
      "Check the object in the cloud's console, or replace it with terraform apply -replace=ADDRESS (or tofu apply -replace=ADDRESS).",
    ].join("\n"),
  });
  expect(kept(failed).values.portId).toBeNull();
  expect(requests(cloud, "attach_floating_ip")).toHaveLength(1);
});

test("an address that another user moved is read at its new port, and moved back", async () => {
  const { cloud, ports, network, inputs, create, update, read, later } = await openAddress();
  const [one] = ports;
  const machine = await cloud.run(network.create());
  const state = await cloud.run(create({ portId: one }));
  const portId = String(machine.values.portId);
  await cloud.run(update(state, { portId }));
  await later();
  const seen = await cloud.run(read(state));
  expect(seen?.values).toMatchObject({ portId, instanceName: "web" });
  const { changes } = engine.plan(floatingIp, seen, inputs({ portId: one }), cloud.session);
  expect(changes.map(({ path, effect }) => [...path, effect])).toEqual([["portId", "update"]]);
  expect((await cloud.run(update(seen as ResourceState, { portId: one }))).values.portId).toBe(one);
});

test("a port has one address: a replacement waits for the old one, and so does another address", async () => {
  expect(floatingIp.exclusive).toBe(true);
  const { cloud, ports, create, remove } = await openAddress();
  const portId = ports[0];
  const first = await cloud.run(create({ portId }));
  const both = Promise.all([create({ name: "back", portId }), remove(first)]);
  const [second] = await cloud.run(both);
  expect([second.values.heldBy, live(cloud, "floating_ip").length]).toEqual([portId, 1]);
});

test("an address that stays on the port ends the wait after 100 s, and the error names the address", async () => {
  const { cloud, ports, create, update } = await openAddress();
  const [portId] = ports;
  const first = await cloud.run(create({ portId }));
  const began = cloud.session.ports.clock.monotonic();
  const failed = await cloud.run(failure(create({ name: "back", portId })));
  const seconds = (cloud.session.ports.clock.monotonic() - began) / 1000;
  expect([seconds > 100, seconds < 130, failed.existence.is]).toEqual([true, true, "recorded"]);
  expect(explain(failed).detail).toContain(
    `the port already has the address ${String(first.values.address)}`,
  );
  expect(failed.remedies.map(({ code }) => code)).toEqual(["remove-conflicts", "next-resumes"]);
  expect(inWordsOf("terraform", failed.next)).toContain(`the floating IP (${first.id})`);
  await cloud.run(update(first, {}));
  const second = await cloud.run(update(kept(failed), { name: "back", portId }));
  expect(second.values.heldBy).toBe(portId);
});

test.each([404, 409] as const)(
  "an address that another user already detached (%s) counts as detached once the list shows it",
  async (repeatedAttach) => {
    const assume = { repeatedAttach };
    const { cloud, ports, inputs, create, update } = await openAddress({ assume, listingLagMs: 8_000 });
    const state = await cloud.run(create({ portId: ports[0] }));
    const [row] = live(cloud, "floating_ip") as unknown as { krn: string; places: object[] }[];
    const back = { since: cloud.session.ports.clock.wall(), port: state.values.heldBy };
    cloud.emulator.inventory.change(row?.krn ?? "", { places: [...(row?.places ?? []), back] });
    const off = await cloud.run(update(state, {}));
    expect(off.values.portId).toBeNull();
    expect(engine.plan(floatingIp, off, inputs(), cloud.session).action).toBe("none");
  },
);

test("a false 404 is detected by the list, which still shows the address on the port", async () => {
  const { cloud, ports, create, update } = await openAddress();
  const state = await cloud.run(create({ portId: ports[0] }));
  cloud.emulator.faults.add({ target: "detach_floating_ip", kind: "404" });
  const failed = await cloud.run(failure(update(state, {})));
  expect(explain(failed).detail).toContain("The API shows a different port_id than configured");
  expect(kept(failed).values.portId).toBe(ports[0]);
  cloud.emulator.faults.clear();
  expect((await cloud.run(update(kept(failed), {}))).values.portId).toBeNull();
});

test("if a detach deletes the address, the detach fails, and the next read finds the address deleted", async () => {
  const { cloud, ports, create, update, read } = await openAddress({
    assume: { floatingIpDetach: "deletes" },
  });
  const state = await cloud.run(create({ portId: ports[0] }));
  const failed = await cloud.run(failure(update(state, {})));
  expect(explain(failed).detail).toContain("The API does not show the object after 120 s");
  expect(await cloud.run(read(kept(failed)))).toBeUndefined();
});

test("after a killed run, an attached address is found by its port and by its reserved port", async () => {
  const { cloud, vpcId, ports, inputs, create } = await openAddress();
  const [portId] = ports;
  const { id } = await cloud.run(create({ portId }));
  const again = await cloud.run(
    failure(engine.create(cloud.reopen(), floatingIp, inputs({ portId }), cloud.call)),
  );
  expect(again.existence).toEqual({ is: "exists", id });
  const where = `'${vpcId},${id}'`;
  expect(inWordsOf("terraform", again.next)).toBe(
    `Import it if nothing manages it (terraform import kcloud_floating_ip.NAME ${where}, or tofu import with the same arguments), or choose another name, or set adopt_existing = true to adopt it. If this run replaces it, remove create_before_destroy from the lifecycle of this resource and of those that depend on it, to which it extends; if another resource of this configuration gives up the object or its name in this run, run again`,
  );
  const adopted = await cloud.run(
    engine.create(cloud.reopen({ adoptExisting: true }), floatingIp, inputs({ portId }), cloud.call),
  );
  expect([adopted.id, adopted.values.portId, live(cloud, "floating_ip").length]).toEqual([id, portId, 1]);
});

test("an address imported on a port that may be its own keeps the planned value, and the next run detaches it", async () => {
  const { cloud, vpcId, ports, inputs, create, update, read } = await openAddress();
  const { id } = await cloud.run(create({ portId: ports[0] }));
  const imported = await cloud.run(engine.import(cloud.session, floatingIp, `${vpcId},${id}`, cloud.call));
  const { values } = engine.plan(floatingIp, imported, inputs(), cloud.session);
  const recorded = await cloud.run(update(imported, {}));
  expect([values.portId, recorded.values.portId]).toEqual([null, null]);
  const seen = (await cloud.run(read(recorded))) as ResourceState;
  expect(seen.values.portId).toBe(ports[0]);
  const off = await cloud.run(update(seen, {}));
  expect([off.values.portId, requests(cloud, "detach_floating_ip").length]).toEqual([null, 1]);
});

test.each([
  ["another name", "other"],
  ["the name of another address", "back"],
])(
  "an address on its own port that is imported under %s is not shown as moved, and no request detaches it",
  async (_, name) => {
    const { cloud, vpcId, inputs, create, update, read, remove } = await openAddress();
    const { id } = await cloud.run(create());
    await cloud.run(create({ name: "back" }));
    const imported = await cloud.run(engine.import(cloud.session, floatingIp, `${vpcId},${id}`, cloud.call));
    const recorded = await cloud.run(update(imported, { name }));
    expect(recorded.values).toMatchObject({ name, portId: null });
    const seen = (await cloud.run(read(recorded))) as ResourceState;
    expect(engine.plan(floatingIp, seen, inputs({ name }), cloud.session).changes).toEqual([]);
    await cloud.run(remove(seen));
    expect(requests(cloud, "detach_floating_ip")).toEqual([]);
    expect(live(cloud, "floating_ip").map(({ name }) => name)).toEqual(["back"]);
  },
);

test("an address that another user moved to a port without an instance is read at that port, even with an outdated port search", async () => {
  let ports = "";
  let isLate = false;
  const wrap = (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      if (reply.kind !== "answer" || !request.url.includes("/search_port")) return reply;
      if (isLate) return { ...reply, body: ports };
      ports = reply.body;
      return reply;
    },
  });
  const {
    cloud,
    ports: [portId],
    create,
    update,
    read,
  } = await openAddress({}, {}, { wrap });
  const state = await cloud.run(create());
  expect(ports).toContain(`"floating_ip_address":"${String(state.values.address)}"`);
  isLate = true;
  const moved = update(state, { portId });
  expect((await cloud.run(moved)).values).toMatchObject({ portId, heldBy: portId });
  expect((await cloud.run(read(state)))?.values.portId).toBe(portId);
});

test("an address imported on a port that may be its own is detached by a destroy", async () => {
  const { cloud, vpcId, ports, create, remove } = await openAddress();
  const { id } = await cloud.run(create({ portId: ports[0] }));
  const imported = await cloud.run(engine.import(cloud.session, floatingIp, `${vpcId},${id}`, cloud.call));
  expect(imported.values.portId).toBeNull();
  await cloud.run(remove(imported));
  expect(live(cloud, "floating_ip")).toEqual([]);
  expect(requests(cloud, "detach_floating_ip")).toHaveLength(1);
});

test.each([
  ["reset", "after"],
  ["503", "after"],
  ["409", "after"],
] as const)(
  "a move answered by %s %s it was executed is not sent twice, which would revert it",
  async (kind, when) => {
    const { cloud, ports, create, update } = await openAddress({ listingLagMs: 2_000 });
    const state = await cloud.run(create());
    cloud.emulator.faults.add({ target: "attach_floating_ip", kind, when, times: 1 });
    const moved = await cloud.run(update(state, { portId: ports[1] }));
    expect([moved.values.heldBy, requests(cloud, "attach_floating_ip").length]).toEqual([ports[1], 1]);
  },
);
