import { describe, expect, test } from "@jest/globals";
import { instanceArguments, withNetwork } from "./stack.ts";

describe("a wait", () => {
  test("for an instance returns its ID and its addresses, by its task or its name", async () => {
    const world = await withNetwork();
    const { client, run, vpcId } = world;
    const { task_id: taskId } = await run(client.instance.createInstance(instanceArguments(world)));
    const found = await run(client.instance.waitUntilActive({ vpcId, taskId: taskId ?? "" }));
    expect(found).toMatchObject({ status: "ACTIVE", instanceKrn: expect.stringMatching(/^krn:/) });
    expect(await run(client.instance.waitUntilActive({ vpcId, instanceName: "web" }))).toEqual(found);
    const { instanceKrn } = found;
    await run(client.instance.controlInstance({ instanceKrn, action: "stop" }));
    expect(await run(client.instance.waitUntilStopped({ vpcId, instanceKrn }))).toMatchObject({
      instanceKrn,
    });
    await run(client.instance.deleteInstance({ instanceKrn, deleteVolume: true }));
    await run(client.instance.waitUntilDeleted({ vpcId, instanceKrn }));
  });

  test("for an object that failed throws the reason of the API", async () => {
    const world = await withNetwork();
    const { client, run, vpcId } = world;
    const { task_id: taskId } = await run(
      client.instance.createInstance({ ...instanceArguments(world), instanceName: "web-fails" }),
    );
    await expect(run(client.instance.waitUntilActive({ vpcId, taskId: taskId ?? "" }))).rejects.toMatchObject(
      {
        name: "FailedError",
        message: expect.stringContaining("has failed"),
      },
    );
  });

  test("for the deletion of an object that has failed ends when it is gone", async () => {
    const world = await withNetwork();
    const { client, run, vpcId } = world;
    const { task_id: taskId = "" } = await run(
      client.instance.createInstance({ ...instanceArguments(world), instanceName: "web-fails" }),
    );
    const at = { vpcId, taskId: taskId ?? "" };
    await expect(run(client.instance.waitUntilActive(at))).rejects.toThrow("has failed");
    await run(client.instance.deleteInstance({ taskId: at.taskId }));
    await run(client.instance.waitUntilDeleted(at));
  });

  test("by a name is for the only instance that has it, and one by a task never returns another instance", async () => {
    const world = await withNetwork();
    const { client, run, vpcId } = world;
    const machine = (volumeName: string) =>
      run(client.instance.createInstance({ ...instanceArguments(world), volumeName }));
    const { task_id: first } = await machine("first");
    const { instanceKrn } = await run(client.instance.waitUntilActive({ vpcId, taskId: first ?? "" }));
    const other = { vpcId, taskId: "11111111-2222-4333-8444-555555555555" };
    await expect(run(client.instance.waitUntilActive(other))).rejects.toThrow("is not found");
    await machine("second");
    await expect(run(client.instance.waitUntilActive({ vpcId, instanceName: "web" }))).rejects.toThrow(
      "the instance web is one of 2: wait for it by its ID",
    );
    await run(client.instance.deleteInstance({ instanceKrn }));
    await run(client.instance.waitUntilDeleted({ vpcId, instanceKrn }));
    const { instanceKrn: second } = await run(
      client.instance.waitUntilActive({ vpcId, instanceName: "web" }),
    );
    expect(second).not.toBe(instanceKrn);
  });

  test("ends at its time limit with the last status", async () => {
    const { client, run, vpcId } = await withNetwork({ taskMs: 100_000 });
    const { volume } = await run(
      client.volume.createVolume({ vpcId, name: "data", size: 1, volumeType: "ssd" }),
    );
    const wait = client.volume.waitUntilAvailable(
      { vpcId, volumeId: volume?.id ?? "" },
      { timeoutMs: 20_000 },
    );
    await expect(run(wait)).rejects.toThrow(/is not ready after 20 s; last status: creating$/);
  });

  test("for an object that no read shows fails once new objects are visible", async () => {
    const { client, run, vpcId } = await withNetwork();
    const wait = client.volume.waitUntilAvailable({ vpcId, volumeId: "krn:kbs:In-Bangalore-1:1:2:volume:3" });
    await expect(run(wait)).rejects.toThrow(/^the volume krn\S+ is not found$/);
  });

  test("ends with the reason of its signal", async () => {
    const { client, run, vpcId } = await withNetwork();
    const abort = new AbortController();
    const reason = new Error("no longer needed");
    const wait = client.instance.waitUntilActive({ vpcId, instanceName: "web" }, { signal: abort.signal });
    abort.abort(reason);
    await expect(run(wait)).rejects.toBe(reason);
  });

  test("for an instance without a name is refused", async () => {
    const { client, run, vpcId } = await withNetwork();
    for (const at of [{ vpcId }, { vpcId, instanceName: "web", taskId: "1" }])
      await expect(run(client.instance.waitUntilActive(at as never))).rejects.toThrow(
        "instanceKrn: set either the ID, the name, or the task of the instance",
      );
  });
});

test("a wait for a deletion reads the object again soon after it was not found, and counts it as gone after three reads", async () => {
  const { cloud, client, run, vpcId } = await withNetwork({ taskMs: 200_000 });
  const { clock } = cloud.session.ports;
  const { volume } = await run(
    client.volume.createVolume({ vpcId, name: "data", size: 1, volumeType: "ssd" }),
  );
  const volumeId = volume?.id ?? "";
  await run(client.volume.waitUntilAvailable({ vpcId, volumeId }));
  await run(client.volume.deleteVolume({ vpcId, volumeId }));
  cloud.emulator.log.clear();
  const began = clock.monotonic();
  await run(client.volume.waitUntilDeleted({ vpcId, volumeId }));
  const outcomes = cloud.emulator.log.entries().map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 404)).toHaveLength(3);
  expect(outcomes.slice(-3)).toEqual([404, 404, 404]);
  // Pauses are 15 s at the end of the deletion; the first read without the volume follows within one of them.
  expect(clock.monotonic() - began).toBeLessThan(200_000 + 15_000 * 1.25 + 2 * 1_250 + 1_000);
});
