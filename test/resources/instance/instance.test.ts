import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { Values } from "../../../provider/core/value.ts";
import { inWordsOf, type Text } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, kept, live, requests } from "../../support/cloud.ts";
import { instance, logged, openNetwork, sentSince } from "../../support/instance-world.ts";

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

test.each([
  [{ userData: "#!/bin/sh\n" }, "IyEvYmluL3NoCg=="],
  [{ userDataBase64: "IyEvYmluL3NoCg==" }, "IyEvYmluL3NoCg=="],
  [{ userData: "IyEvYmluL3NoCg==" }, "SXlFdlltbHVMM05vQ2c9PQ=="],
  [{}, undefined],
])("user data is encoded once, according to its field: %j", async (change, expected) => {
  const bodies: string[] = [];
  const { cloud, create } = await openNetwork(
    {},
    {},
    {
      wrap: (transport) => ({
        send(request, signal) {
          bodies.push(request.url.endsWith("create_instance_async") ? (request.body ?? "") : "");
          return transport.send(request, signal);
        },
      }),
    },
  );
  await cloud.run(create(change));
  const sent = JSON.parse(bodies.join("")) as { user_data?: string };
  expect(sent.user_data).toBe(expected);
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

test("an instance that failed before it had a KRN is identified and deleted by its task", async () => {
  const { cloud, inputs, create, read, remove } = await openNetwork({ assume: { instanceKrn: "active" } });
  const state = kept(await cloud.run(failure(create({ name: "web-fails" }))));
  const refreshed = await cloud.run(read(state));
  expect(refreshed).toMatchObject({ id: state.values.taskId, values: { status: "ERROR" } });
  const { action } = engine.plan(instance, refreshed, inputs({ name: "web-fails" }), cloud.session);
  expect(action).toBe("replace");
  await cloud.run(remove(state));
  expect(requests(cloud, "delete_instance").map(({ query }) => query)).toEqual([
    { task_id: state.values.taskId, deleteVolume: "true" },
  ]);
  expect(live(cloud, "instance")).toEqual([]);
});

test("the error about an instance whose ports never appear names the missing field as the engine spells it", async () => {
  const { cloud, create } = await openNetwork({ assume: { networkPortsAfterMs: 3_600_000 } });
  const failed = await cloud.run(failure(create()));
  expect(explain(failed, "terraform").detail).toContain("last seen: ACTIVE, without network_ports yet, ");
  expect(explain(failed, "pulumi").detail).toContain("last seen: ACTIVE, without networkPorts yet, ");
});

test.each([
  [{ instanceKrn: "active" }],
  [{ instanceSpelling: "legacy" }],
  [{ instancePaging: "camel" }],
  [{ buildingWord: "CREATING" }],
  [{ searchShowsPorts: true }],
  [{ networkPortsAfterMs: 5_000 }],
  [{ instanceListKeepsDeadMs: 60_000 }],
] as const)("an instance is created, read and deleted under every assumption: %j", async (assume) => {
  const { cloud, inputs, create, read, remove } = await openNetwork({ assume, listingLagMs: 500 });
  const state = await cloud.run(create());
  expect(state.values).toMatchObject({ status: "ACTIVE", networkPorts: [{ fixedIp: "10.0.0.2" }] });
  const refreshed = await cloud.run(read(state));
  expect(refreshed).toEqual(state);
  expect(engine.plan(instance, refreshed, inputs(), cloud.session).action).toBe("none");
  await cloud.run(remove(state));
  expect(live(cloud, "instance")).toEqual([]);
});

test("a refresh reads no single instance while the search shows the addresses of its ports", async () => {
  const { cloud, create, read } = await openNetwork();
  const state = await cloud.run(create({ floatingIp: true }));
  await cloud.run(cloud.session.ports.clock.sleep(10_000));
  const before = requests(cloud, "get_instance").length;
  expect(await cloud.run(read(state))).toEqual(state);
  expect(requests(cloud, "get_instance")).toHaveLength(before);
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
  await cloud.run(create({}, { report: (status: Text) => reports.push(inWordsOf("terraform", status)) }));
  expect(reports.slice(0, 2)).toEqual(["accepted, 0 s", "BUILD, 0 s"]);
  expect(reports).toContainEqual(expect.stringMatching(/^ACTIVE, without network_ports yet, /));
  expect(reports.filter((status) => /^,|undefined/.test(status))).toEqual([]);
});
