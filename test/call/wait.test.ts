import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { operationWaits } from "../../library/operation-wait.ts";
import { publicKey } from "../resources/public-key.ts";
import { type CallCloud, type CallSetting, expectRefused, openCallCloud } from "./call-cloud.ts";

/** `kcloud call --wait`. */

/** Converts `{ vpcId: "x" }` to `--vpc-id=x`. */
const optionsOf = (values: Readonly<Record<string, string | number>>): string[] =>
  Object.entries(values).map(
    ([name, value]) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}=${value}`,
  );

/** Calls an operation that destroys, with its confirmation. */
const destroy = (name: string, id: string, values: Readonly<Record<string, string>>) => [
  ...[name, ...optionsOf(values)],
  ...["--yes", "--confirm", id, "--wait"],
];

/** Creates a VPC with a subnet by a call that waits; returns what it printed. */
async function createVpc({ answer }: CallCloud) {
  const vpc = await answer<{ data: { tasks: { krn: string; subnet_list?: { krn: string }[] }[] } }>(
    ...[
      "create_vpc",
      "--name",
      "shop",
      "--subnet",
      '{"name":"front","cidr":"10.0.0.0/24"}',
      "--yes",
      "--wait",
    ],
  );
  const [{ krn: vpcId = "" } = {}] = vpc.data.tasks;
  const subnetId = vpc.data.tasks.flatMap(({ subnet_list }) => subnet_list ?? [])[0]?.krn ?? "";
  return { vpcId, subnetId };
}

/** Creates what a machine needs; returns the parameters of its creation. */
async function machineIn(opened: CallCloud, instanceName = "web") {
  const { vpcId, subnetId } = await createVpc(opened);
  await opened.answer("create_ssh_key", "--key-name", "deploy", "--public-key", publicKey(1), "--yes");
  const group = await opened.answer<{ result: { id: string } }>(
    ...["create_security_group", "--vpc-id", vpcId, "--name", "web", "--yes"],
  );
  const { images } = await opened.answer<{ images: { krn: string }[] }>("list_images");
  const values = {
    ...{ instanceName, instanceType: "c1.small", vpcId, subnetId, sshkeyName: "deploy" },
    ...{ securityGroups: group.result.id, imageKrn: images[0]?.krn ?? "" },
    ...{ volumeName: `${instanceName}-disk`, volumeSize: 20, volumeType: "ssd" },
  };
  return { vpcId, group: group.result.id, values };
}

test("after every operation of the table, the call ends when the object is ready or gone", async () => {
  const opened = openCallCloud({ taskMs: 5_000, assume: { podRead: "pod" } });
  const { answer, call, cloud } = opened;
  const waited = new Set<string>();
  const wait = <T>(name: string, values: Readonly<Record<string, string | number>>): Promise<T> => {
    waited.add(name);
    return answer<T>(name, ...optionsOf(values), "--yes", "--wait");
  };
  const gone = async (name: string, id: string, values: Readonly<Record<string, string>>) => {
    waited.add(name);
    expect(await call(destroy(name, id, values))).toMatchObject({ code: 0, stdout: "", stderr: "" });
  };
  const { vpcId, group, values } = await machineIn(opened);
  waited.add("create_vpc");
  const machine = (name: string) => ({ ...values, instanceName: name, volumeName: `${name}-disk` });
  type Instance = { krn: string; status: string };
  const first = await wait<Instance>("create_instance", machine("one"));
  const second = await wait<Instance>("create_instance_sync", machine("two"));
  expect([first.status, second.status]).toEqual(["ACTIVE", "ACTIVE"]);
  const power = (action: string) => wait<Instance>("control_instance", { instanceKrn: first.krn, action });
  expect((await power("stop")).status).not.toBe("ACTIVE");
  expect((await power("start")).status).toBe("ACTIVE");

  type Volume = { id: string; status: string; attachments?: { remote_attachment_id: string }[] };
  const volume = { vpcId, name: "data", size: 10, volumeType: "ssd" };
  const data = await wait<Volume>("create_volume", volume);
  expect(data.status).toBe("available");
  const at = { vpcId, volumeId: data.id };
  const attached = await wait<Volume>("attach_volume", { ...at, instanceId: first.krn });
  const attachmentId = attached.attachments?.[0]?.remote_attachment_id ?? "";
  const detached = await wait<Volume>("detach_volume", { ...at, instanceId: first.krn, attachmentId });
  expect(detached.attachments ?? []).toEqual([]);
  const backup = await answer<{ id?: string; backup?: { id: string } }>(
    ...["create_backup", ...optionsOf({ ...at, name: "daily" }), "--yes"],
  );
  const backupId = backup.backup?.id ?? backup.id ?? "";
  await cloud.run(cloud.session.ports.clock.sleep(60_000));
  const restored = await wait<Volume>("restore_backup", { vpcId, backupId, name: "copy" });
  expect(restored).toMatchObject({ name: "copy", status: "available" });
  for (const { id } of [data, restored]) await gone("delete_volume", id, { vpcId, volumeId: id });

  const pod = { podName: "train", podTemplateId: 1, instanceType: "p1.small" };
  expect(await wait("create_pod", pod)).toMatchObject({ pod_name: "train" });

  const { volume_krn: disk } = await answer<{ volume_krn: string }>(
    "get_instance",
    "--instance-krn",
    first.krn,
  );
  await gone("delete_instance", first.krn, { instanceKrn: first.krn, deleteVolume: "true" });
  expect((await call(["get_volume", ...optionsOf({ vpcId, volumeId: disk })])).code).toBe(5);
  await gone("delete_instance_sync", second.krn, { instanceKrn: second.krn, deleteVolume: "true" });
  await call(["delete_security_group", "--security-group-id", group, "--yes", "--confirm", group]);
  await call(["delete_backup", ...optionsOf({ vpcId, backupId }), "--yes", "--confirm", backupId]);
  await cloud.run(cloud.session.ports.clock.sleep(10_000));
  await gone("delete_vpc", vpcId, { vpcId });
  // The content of a document is read from the disk, not on the clock of this test: test/call/call.test.ts waits for one.
  const documents = Object.entries(operationWaits).filter(([name]) => /_document(_|$)/.test(name));
  expect([documents.length, new Set(documents.map(([, wait]) => wait)).size]).toEqual([4, 1]);
  expect([...waited, ...documents.map(([name]) => name)].toSorted()).toEqual(
    Object.keys(operationWaits).toSorted(),
  );
});

test("the table of the page has every operation with a wait, and no other", () => {
  const [, section = ""] =
    /^## Waits\n([\s\S]*?)^## /m.exec(readFileSync("docs/guides/call.md", "utf8")) ?? [];
  const cells = [...section.matchAll(/^\| (`[^|]*)/gm)].map(([, cell = ""]) => cell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+_\w+)`/g)].map(([, name]) => name));
  expect(named.toSorted()).toEqual(Object.keys(operationWaits).toSorted());
});

describe("a wait", () => {
  /** Starts the creation of a volume. */
  const creating = async (opened: CallCloud, more: readonly string[], setting?: CallSetting) => {
    const vpcId = String((await opened.cloud.run(opened.cloud.create("vpc", { name: "shop" }))).id);
    opened.sent.length = 0;
    const args = ["--name", "data", "--size", "10", "--volume-type", "ssd", "--yes", "--wait", ...more];
    return opened.call(["create_volume", "--vpc-id", vpcId, ...args], setting);
  };

  test("that takes longer than --timeout ends with the exit code 4 and the ID of the object", async () => {
    const called = await creating(openCallCloud({ taskMs: 100_000 }), ["--timeout", "30"]);
    expect([called.code, called.stdout]).toEqual([4, ""]);
    expect(called.stderr).toMatch(
      /^kcloud call: The volume krn:\S+ is not ready after 30 s; last status: creating\.\nkcloud call: create_volume was executed, but the wait for the volume krn:\S+ failed: read the object before you call the operation again\.\n$/,
    );
  });

  test("for an instance and its boot volume has one limit of time", async () => {
    const opened = openCallCloud({ taskMs: 20_000 });
    const { clock } = opened.cloud.session.ports;
    const { values } = await machineIn(opened);
    const { krn } = await opened.answer<{ krn: string }>(
      ...["create_instance", ...optionsOf(values), "--yes", "--wait"],
    );
    const began = clock.monotonic();
    const args = destroy("delete_instance", krn, { instanceKrn: krn, deleteVolume: "true" });
    const { code, stderr } = await opened.call([...args, "--timeout", "30"]);
    expect([code, clock.monotonic() - began < 32_000]).toEqual([4, true]);
    expect(stderr).toMatch(/^kcloud call: The volume krn:\S+ is not ready after \d+ s/);
  });

  test("for an object that the API reports as failed ends with the exit code 4 and the reason", async () => {
    const opened = openCallCloud();
    const { values } = await machineIn(opened, "web-fails");
    const { code, stderr } = await opened.call(["create_instance", ...optionsOf(values), "--yes", "--wait"]);
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(
        /^kcloud call: The instance of the task \S+ has failed: .*\n.*create_instance was executed/,
      ),
    ]);
  });

  test("that is interrupted leaves the exit code to the signal, with the outcome and the ID", async () => {
    const stop = new AbortController();
    let outcome = "";
    const opened = openCallCloud(
      { taskMs: 60_000 },
      {
        wrap: (transport) => ({
          async send(request, signal) {
            const reply = await transport.send(request, signal);
            if (/GET .*volumes\/krn/.test(`${request.method} ${request.url}`))
              stop.abort(new Error("SIGINT"));
            return reply;
          },
        }),
      },
    );
    const setOutcome = (text: string) => {
      outcome = text;
    };
    const called = creating(opened, [], { stop: stop.signal, setOutcome });
    await expect(called).rejects.toThrow("SIGINT");
    expect(outcome).toMatch(
      /^create_volume was executed, and the wait for the volume krn:\S+ is not complete$/,
    );
    expect(opened.sent.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("tells a person what it waits for", async () => {
    const { stderr } = await creating(openCallCloud(), [], { typed: [] });
    expect(stderr).toMatch(/^kcloud call: waiting for the volume krn:\S+\n$/);
  });

  test("prints one field of the object; without that field, the exit code is 4", async () => {
    expect((await creating(openCallCloud(), ["--field", "status"])).stdout).toBe("available\n");
    const missing = await creating(openCallCloud(), ["--field", "nope"]);
    expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('"name": "data"')]);
  });

  test("is not begun for a request that failed", async () => {
    const opened = openCallCloud();
    const unknown = "krn:vpc:In-Bangalore-1:000000000000:00000000-0000-4000-8000-000000000000:vpc:9";
    const { code, stderr } = await opened.call(destroy("delete_vpc", unknown, { vpcId: unknown }));
    expect([code, stderr, opened.sent.length]).toEqual([
      5,
      expect.stringContaining("Nothing was changed."),
      1,
    ]);
  });

  test("for an instance that cannot be read is refused before the instance is deleted", async () => {
    const opened = openCallCloud();
    const krn = "krn:vm:In-Bangalore-1:000000000000:00000000-0000-4000-8000-000000000000:instance:9";
    const { code } = await opened.call(destroy("delete_instance", krn, { instanceKrn: krn }));
    expect([code, opened.sent.map(({ method }) => method)]).toEqual([5, ["GET"]]);
  });

  test("for an instance whose read has no clear response deletes nothing, and says so", async () => {
    const opened = openCallCloud(
      {},
      {
        wrap: (transport) => ({
          send: async (request, signal) =>
            request.method === "GET"
              ? { kind: "lost", reason: "the connection was closed" }
              : transport.send(request, signal),
        }),
      },
    );
    const krn = "krn:vm:In-Bangalore-1:000000000000:00000000-0000-4000-8000-000000000000:instance:9";
    const { code, stderr } = await opened.call(destroy("delete_instance", krn, { instanceKrn: krn }));
    expect([code, stderr]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
    expect(opened.sent.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test.each([
    [["get_vpc", "--wait"], "get_vpc has nothing to wait for: remove --wait"],
    [["delete_volume", "--wait", "--field", "x"], "delete_volume with --wait prints nothing: remove --field"],
    [["delete_vpc", "--wait", "--out", "x"], "delete_vpc with --wait prints nothing: remove --out"],
    [
      ["mask_document", "--wait", "--yes"],
      "the response contains a secret (output_file): use --out FILE, whose mode will be 600",
    ],
  ])("%j: %s", expectRefused);

  test("for several instances is refused before anything is sent", async () => {
    const { call, sent } = openCallCloud();
    const values = {
      ...{ instanceName: "web", instanceType: "c1.small", vpcId: "krn:vpc:1", subnetId: "krn:subnet:1" },
      ...{ sshkeyName: "deploy", securityGroups: "g", volumes: "v", count: 2 },
    };
    const { code, stderr } = await call(["create_instance", ...optionsOf(values), "--yes", "--wait"]);
    expect([code, sent, stderr.split("\n")[0]]).toEqual([
      2,
      [],
      "kcloud call: --count: must be 1 for a wait, which is for one instance",
    ]);
  });
});
