import { describe, expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { plan } from "../../provider/engine/plan.ts";
import { failure, kept, live, requests, resource, settle } from "../support/cloud.ts";
import { image, instance, logged, openNetwork, sentSince } from "../support/instance-world.ts";
import { idOf as id, machine, problemsOf } from "../support/problem.ts";

/** Tests the lifecycle of one instance: create, read, delete. */

test("an instance is created by one request, found by its task, and ready when its ports exist", async () => {
  const { cloud, written, create } = await openNetwork({ taskMs: 30_000 });
  const before = logged(cloud);
  const state = await cloud.run(create({ userData: "#!/bin/sh\ntrue && true\n", tags: { tier: "web" } }));
  const { securityGroups, subnetId, vpcId } = written;
  expect(sentSince(cloud, before)).toEqual([
    [
      "create_instance",
      {
        instanceName: "web",
        instanceType: "c1.small",
        region: "In-Bangalore-1",
        vpc_id: vpcId,
        subnet_id: subnetId,
        sshkey_name: "demo-key",
        security_groups: securityGroups,
        image_krn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
        volume_name: "web-volume",
        volume_size: 10,
        volumetype: "ssd",
        delete_on_termination: true,
        floating_ip: false,
        user_data: expect.any(String),
        tags: [{ key: "tier", value: "web" }],
        isGpu: false,
      },
    ],
  ]);
  expect(state).toMatchObject({
    id: live(cloud, "instance")[0]?.krn,
    task: undefined,
    values: {
      status: "ACTIVE",
      powerState: "running",
      ipAddress: "10.0.0.2",
      floatingIpAddress: null,
      failureReason: null,
      bootVolumeId: live(cloud, "volume")[0]?.krn,
      networkPorts: [{ krn: expect.stringContaining(":port:"), fixedIp: "10.0.0.2" }],
      createdAt: expect.stringContaining("2026-01-01T"),
      taskId: expect.any(String),
      tags: { tier: "web" },
    },
    unread: [],
  });
  expect([
    requests(cloud, "get_instance_task_status").length,
    requests(cloud, "get_instance").length,
  ]).toEqual([0, 1]);
});

test("an existing volume boots an instance and is kept after its delete", async () => {
  const { cloud, vpcId, create, remove } = await openNetwork();
  const disk = await cloud.run(
    cloud.create("volume", { vpcId, name: "disk", sizeGb: 10, volumeType: "ssd" }),
  );
  const state = await cloud.run(create({ bootVolume: null, volumeId: String(disk.id) }));
  expect(state.values.bootVolumeId).toBe(disk.id);
  expect(requests(cloud, "create_instance")[0]?.body).toMatchObject({
    volumes: [disk.id],
    delete_on_termination: false,
  });
  await cloud.run(remove(state));
  expect(requests(cloud, "delete_instance")[0]?.query).toMatchObject({ deleteVolume: "false" });
  expect([live(cloud, "instance"), live(cloud, "volume").map(({ krn }) => krn)]).toEqual([[], [disk.id]]);
});

test.each([
  [{}, []],
  [{ deleteOnTermination: true }, []],
  [{ deleteOnTermination: false }, ["web-volume"]],
])("a delete includes the new boot volume as configured: %j", async (change, left) => {
  const { cloud, create, remove } = await openNetwork();
  const state = await cloud.run(create(change));
  await cloud.run(remove(state));
  await cloud.run(cloud.session.ports.clock.sleep(10_000));
  expect(live(cloud, "instance")).toEqual([]);
  expect(live(cloud, "volume").map(({ name }) => name)).toEqual(left);
});

test("after an import, the boot volume is kept, because its origin is unknown", async () => {
  const { cloud, vpcId, create, inputs, remove } = await openNetwork();
  const made = await cloud.run(create());
  const imported = await cloud.run(engine.import(cloud.session, instance, `${vpcId},${made.id}`, cloud.call));
  const { changes } = engine.plan(instance, imported, inputs(), cloud.session);
  expect(changes.map(({ path, recordOnly }) => [path, recordOnly])).toEqual([
    [["bootVolume"], true],
    [["volumeId"], true],
  ]);
  // A configuration generated from the import boots from the existing volume.
  const volumeId = String(imported.values.bootVolumeId);
  const generated = engine.plan(instance, imported, inputs({ bootVolume: null, volumeId }), cloud.session);
  expect(generated.action).toBe("none");
  await cloud.run(remove(imported));
  expect(live(cloud, "volume").map(({ name }) => name)).toEqual(["web-volume"]);
});

test("a delete is complete only when no read and no search shows the instance", async () => {
  const { cloud, create, remove } = await openNetwork({ taskMs: 20_000, listingLagMs: 3_000 });
  const state = await cloud.run(create());
  const began = cloud.elapsed();
  await cloud.run(remove(state));
  expect(cloud.elapsed() - began).toBeGreaterThanOrEqual(23_000);
  expect(requests(cloud, "delete_instance")).toHaveLength(1);
});

test("a failed instance is an error with its reason, is recorded, and the next run replaces it", async () => {
  const { cloud, inputs, create, read, remove } = await openNetwork();
  const failed = await cloud.run(failure(create({ name: "web-fails" })));
  const state = kept(failed);
  const id = live(cloud, "instance")[0]?.krn;
  expect(explain(failed)).toEqual({
    summary: 'Creating the instance "web-fails" failed',
    detail: [
      "The object was created but did not become ready.",
      "The API reports the status ERROR: boot: failed because of the name web-fails.",
      `The object exists as ${id} and is in the state.`,
      "The next apply replaces it; `terraform untaint ADDRESS` (or `tofu untaint ADDRESS`) keeps it.",
    ].join("\n"),
  });
  expect(state).toMatchObject({
    id,
    values: {
      status: "ERROR",
      failureReason: "boot: failed because of the name web-fails",
      taskId: expect.any(String),
    },
  });
  const refreshed = await cloud.run(read(state));
  const { action } = engine.plan(instance, refreshed, inputs({ name: "web-fails" }), cloud.session);
  expect([refreshed?.failed === undefined, action]).toEqual([false, "replace"]);
  await cloud.run(remove(state));
  expect(live(cloud, "instance")).toEqual([]);
});

test("the error about an instance whose ports never appear names the missing field as the engine spells it", async () => {
  const { cloud, create } = await openNetwork({ assume: { networkPortsAfterMs: 3_600_000 } });
  const failed = await cloud.run(failure(create()));
  expect(explain(failed, "terraform").detail).toContain("last seen: ACTIVE, without network_ports yet, ");
  expect(explain(failed, "pulumi").detail).toContain("last seen: ACTIVE, without networkPorts yet, ");
});

test("an in-place change leaves a port that the import did not find to the next refresh", async () => {
  const { cloud, inputs, create } = await openNetwork();
  const state = await cloud.run(create());
  const early = { ...state, values: { ...state.values, portId: null } };
  const portIn = (change: Values) =>
    engine.plan(instance, early, inputs(change), cloud.session).values.portId;
  expect([portIn({}), portIn({ powerState: "stopped" })]).toEqual([null, null]);
});

test("the progress of a create shows the status, and that an active instance has no ports yet", async () => {
  const assume = { instanceKrn: "active", networkPortsAfterMs: 5_000 } as const;
  const { cloud, create } = await openNetwork({ assume });
  const reports: string[] = [];
  await cloud.run(create({}, { report: (status) => reports.push(inWordsOf("terraform", status)) }));
  expect(reports.slice(0, 2)).toEqual(["accepted, 0 s", "BUILD, 0 s"]);
  expect(reports).toContainEqual(expect.stringMatching(/^ACTIVE, without network_ports yet, /));
  expect(reports.filter((status) => /^,|undefined/.test(status))).toEqual([]);
});

async function openGroups(...how: Parameters<typeof openNetwork>) {
  const network = await openNetwork(...how);
  const { cloud, vpcId, written } = network;
  const other = await cloud.run(cloud.create("security-group", { vpcId, name: "other" }));
  return { ...network, first: String((written.securityGroups as string[])[0]), second: String(other.id) };
}

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

test("an import stores whether the instance has a floating IP, and records another configured value without a request", async () => {
  const { cloud, vpcId, create, inputs } = await openNetwork();
  const made = await cloud.run(create({ floatingIp: true }));
  const imported = await cloud.run(engine.import(cloud.session, instance, `${vpcId},${made.id}`, cloud.call));
  const boot = { bootVolume: null, volumeId: String(imported.values.bootVolumeId) };
  const planned = (floatingIp: boolean) =>
    engine.plan(instance, imported, inputs({ ...boot, floatingIp }), cloud.session);
  expect(planned(true).action).toBe("none");
  expect(planned(false).changes).toMatchObject([{ path: ["floatingIp"], recordOnly: true }]);
});

test.each<[string, Values, string[]]>([
  ["several at once", { count: 3 }, ["count is not a known attribute"]],
  ["a list of volumes", { volumes: [] }, ["volumes is not a known attribute; did you mean volumeId?"]],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("instance", { ...machine, ...change })).toEqual(expected);
});

test("the secret fields are those of the contract's table and the user data", () => {
  const { fields } = resource("instance");
  const secret = Object.entries(fields).filter(
    ([, field]) => field.kind === "field" && field.options.secret === true,
  );
  expect(secret.map(([name]) => name)).toEqual([
    "userData",
    "userDataBase64",
    "gatewayPassword",
    "modelApiKey",
  ]);
});

const recorded = (values: Values) => ({ id: id("instance"), task: undefined, values, unread: [] });

const changes = (before: Values, after: Values) =>
  plan(resource("instance"), recorded({ ...machine, ...before }), { ...machine, ...after }).changes.map(
    ({ path, effect }) => `${path.join(".")} ${effect}`,
  );

test("power state, restarts, the size of the boot volume and its deletion change in place, other fields replace", () => {
  expect(changes({ powerState: "running" }, { powerState: "stopped" })).toEqual(["powerState update"]);
  expect(changes({ powerState: "stopped" }, {})).toEqual([]);
  expect(changes({ restartWhenChanged: { a: "1" } }, { restartWhenChanged: { a: "2" } })).toEqual([
    "restartWhenChanged update",
  ]);
  expect(changes({}, { deleteOnTermination: false })).toEqual(["deleteOnTermination update"]);
  expect(changes({}, { instanceType: "c1.large" })).toEqual(["instanceType replace"]);
  expect(changes({}, { bootVolume: { ...machine.bootVolume, sizeGb: 20 } })).toEqual([
    "bootVolume.sizeGb update",
  ]);
  expect(changes({}, { userData: "x" })).toEqual(["userData replace"]);
});

test("a replacement warns of the lost data", () => {
  const { changes } = plan(resource("instance"), recorded(machine), { ...machine, name: "other" });
  expect(changes.map(({ reason }) => reason)).toEqual(["The data on the boot volume is destroyed."]);
});

const boot = (sizeGb: number): Values => ({ bootVolume: { imageKrn: image, sizeGb, volumeType: "ssd" } });

const sizes = ({ values }: ResourceState) => [
  (values.bootVolume as Values | null)?.sizeGb,
  values.bootVolumeSizeGb,
];

describe("The boot volume is extended in place", () => {
  test.each(["current", "created", "none"] as const)(
    "a larger boot volume is extended in place, if the size of the instance is that of %j",
    async (instanceVolumeSize) => {
      const { cloud, create, update, read, inputs } = await openNetwork({ assume: { instanceVolumeSize } });
      const state = await cloud.run(create(boot(20)));
      expect(sizes(state)).toEqual([20, 20]);
      expect(engine.plan(instance, state, inputs(boot(30)), cloud.session)).toMatchObject({
        action: "update",
        changes: [{ path: ["bootVolume", "sizeGb"], before: 20, after: 30, effect: "update" }],
      });
      const from = logged(cloud);
      const after = await cloud.run(update(state, boot(30)));
      expect(sentSince(cloud, from)).toEqual([["extend_volume", { input: { newSize: 30 } }]]);
      expect(after.id).toBe(state.id);
      expect(sizes(after)).toEqual([30, 30]);
      const seen = await cloud.run(read(after));
      expect(sizes(seen as ResourceState)).toEqual([30, 30]);
      expect(engine.plan(instance, seen, inputs(boot(30)), cloud.session).action).toBe("none");
      expect(cloud.warnings).toEqual([]);
    },
  );

  test("a smaller boot volume is an error of the plan", async () => {
    const { cloud, create, inputs } = await openNetwork();
    const state = await cloud.run(create(boot(20)));
    const { problems, action } = engine.plan(instance, state, inputs(boot(10)), cloud.session);
    expect(action).toBe("none");
    expect(problems.map(({ path, problem }) => [path.join("."), inWordsOf("terraform", problem)])).toEqual([
      [
        "bootVolume.sizeGb",
        "cannot shrink from 20 to 10 GB: the volume is 20 GB now; set size_gb = 20, or create a smaller volume and copy the data",
      ],
    ]);
  });

  test("an extension outside is drift, which a plan does not undo", async () => {
    const { cloud, create, read, inputs, vpcId } = await openNetwork();
    const state = await cloud.run(create(boot(20)));
    const volume = resource("volume");
    const where = `${vpcId},${String(state.values.bootVolumeId)}`;
    const own = await cloud.run(engine.import(cloud.session, volume, where, cloud.call));
    const larger = engine.check(volume, {
      ...{ vpcId, sizeGb: 50, name: String(own.values.name) },
      ...{ volumeType: "ssd", source: own.values.source ?? null },
    });
    await cloud.run(engine.update(cloud.session, volume, own, larger.inputs, cloud.call));
    await settle(cloud);
    const seen = await cloud.run(read(state));
    expect(sizes(seen as ResourceState)).toEqual([50, 50]);
    const plan = (sizeGb: number) => engine.plan(instance, seen, inputs(boot(sizeGb)), cloud.session);
    expect(plan(50).action).toBe("none");
    expect(plan(20).problems).toHaveLength(1);
  });

  test("an import shows the size, and the first plan extends the volume to the configured one", async () => {
    const { cloud, create, update, inputs, vpcId } = await openNetwork();
    const { id } = await cloud.run(create(boot(20)));
    const imported = await cloud.run(engine.import(cloud.session, instance, `${vpcId},${id}`, cloud.call));
    expect(sizes(imported)).toEqual([undefined, 20]);
    expect(engine.plan(instance, imported, inputs(boot(20)), cloud.session).changes).toMatchObject([
      { path: ["bootVolume"], recordOnly: true },
      { path: ["volumeId"], recordOnly: true },
    ]);
    expect(engine.plan(instance, imported, inputs(boot(10)), cloud.session).problems).toHaveLength(1);
    const after = await cloud.run(update(imported, boot(30)));
    expect(requests(cloud, "extend_volume").map(({ body }) => body)).toEqual([{ input: { newSize: 30 } }]);
    expect(sizes(after)).toEqual([30, 30]);
  });

  test("a state without the size, of an earlier version, has an empty plan before and after a refresh", async () => {
    const { cloud, create, read, inputs } = await openNetwork();
    const state = await cloud.run(create(boot(20)));
    const old = { ...state, values: { ...state.values, bootVolumeSizeGb: null } };
    await settle(cloud);
    const from = logged(cloud);
    const seen = await cloud.run(read(old));
    expect(logged(cloud) - from).toBe(1);
    for (const each of [old, seen])
      expect(engine.plan(instance, each, inputs(boot(20)), cloud.session).action).toBe("none");
  });

  test.each([
    [
      400,
      [
        "The API did not confirm the change.",
        "The API refused to extend the boot volume (the API reports: volume web-volume is the boot volume of web).",
        "The object exists. Part of the change may have been made.",
        "Replace it with terraform apply -replace=ADDRESS (or tofu apply -replace=ADDRESS), or restore the former size_gb.",
      ],
    ],
    [
      409,
      [
        "The API did not confirm the change; last seen: the API reports: volume web-volume is the boot volume of web, 599 s.",
        "The timeout of 600 s expired.",
        "The object exists. Part of the change may have been made.",
        "Run again, or set a longer timeout (timeouts).",
      ],
    ],
  ] as const)(
    "a cloud that answers %d to the extension keeps the machine, and the error says so",
    async (bootVolumeExtend, text) => {
      const { cloud, create, update, read } = await openNetwork({ assume: { bootVolumeExtend } });
      const state = await cloud.run(create(boot(20)));
      const failed = await cloud.run(failure(update(state, boot(30))));
      expect(inWordsOf("terraform", explain(failed).detail).split("\n")).toEqual(text);
      expect(sizes(kept(failed))).toEqual([20, 20]);
      expect(sizes((await cloud.run(read(kept(failed)))) as ResourceState)).toEqual([20, 20]);
      expect(requests(cloud, "delete_instance")).toEqual([]);
    },
  );

  test("an extension whose response is lost is confirmed by the volume, and a second run sends nothing", async () => {
    const { cloud, create, update } = await openNetwork();
    const state = await cloud.run(create(boot(20)));
    const from = logged(cloud);
    cloud.emulator.faults.add({ target: "extend_volume", kind: "reset", when: "after", times: 1 });
    const after = await cloud.run(update(state, boot(30)));
    expect(sizes(after)).toEqual([30, 30]);
    // Until the extension ends, the API rejects another one of the same size.
    const sent = sentSince(cloud, from).map(([, body]) => body);
    expect(sent.every((body) => JSON.stringify(body) === '{"input":{"newSize":30}}')).toBe(true);
    const before = logged(cloud);
    const again = await cloud.run(update(state, boot(30)));
    expect(sizes(again)).toEqual([30, 30]);
    expect(sentSince(cloud, before)).toEqual([]);
  });
});
