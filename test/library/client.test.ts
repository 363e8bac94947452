import { expect, test } from "@jest/globals";
import { openClientCloud } from "./client-cloud.ts";

test("a VPC and a volume are created, listed, waited for and deleted", async () => {
  const { cloud, client, run, rows } = openClientCloud();
  const { task_id: taskId } = await run(client.vpc.createVpc({ name: "shop" }));
  const { vpcId } = await run(client.vpc.waitUntilCreated({ taskId: taskId ?? "" }));
  const { volume } = await run(
    client.volume.createVolume({ vpcId, name: "data", size: 10, volumeType: "ssd" }),
  );
  const volumeId = volume?.id ?? "";
  expect(await run(client.volume.waitUntilAvailable({ vpcId, volumeId }))).toBe("available");
  expect(await rows(client.volume.listVolumes({ vpcId }))).toMatchObject([{ name: "data" }]);
  expect(await run(client.volume.listVolumes({ vpcId }))).toMatchObject([{ name: "data" }]);
  expect(await run(client.volume.getVolume({ vpcId, volumeId }))).toMatchObject({ name: "data" });
  await run(client.volume.deleteVolume({ vpcId, volumeId }));
  await run(client.volume.waitUntilDeleted({ vpcId, volumeId }));
  await run(client.vpc.deleteVpc({ vpcId }));
  await run(client.vpc.waitUntilDeleted({ vpcId }));
  expect(cloud.emulator.log.entries().every(({ outcome }) => Number(outcome) < 300 || outcome === 404)).toBe(
    true,
  );
});

test("an object is uploaded, listed, read as a stream, moved and deleted in the session of the client", async () => {
  const { cloud, client, run, rows } = openClientCloud();
  const bucket = await run(cloud.create("bucket", { name: "shop-data" }));
  const bucketId = String(bucket.id);
  const content = Buffer.alloc(300_000, "x");
  await run(client.object.upload({ bucketId, key: "a/b.txt", content, contentType: "text/plain" }));
  const parts = await rows(client.object.download({ bucketId, key: "a/b.txt" }));
  expect(Buffer.concat(parts).equals(content)).toBe(true);
  expect(await run(client.object.getObjectMetadata({ bucketId, key: "a/b.txt" }))).toMatchObject({
    size_bytes: 300_000,
    contentType: "text/plain",
  });
  await run(client.object.renameObject({ bucketId, oldKey: "a/b.txt", newKey: "c.txt" }));
  expect(await rows(client.object.listObjects({ bucketId }))).toMatchObject([{ key: "c.txt" }]);
  await run(client.object.deleteObject({ bucketId, key: "c.txt" }));
  expect(await rows(client.object.listObjects({ bucketId }))).toEqual([]);
  await run(client.close());
  const sessions = cloud.emulator.log.counts();
  expect(sessions).toMatchObject({ activate_session: 1, deactivate_session: 1 });
  expect(() => client.object.listObjects({ bucketId })).toThrow("the client is closed");
});

test("an inference task is created, waited for and cancelled by one GET", async () => {
  const { cloud, client, run } = openClientCloud();
  const { id: taskId } = await run(client.inference.createInferenceTask({ taskName: "serve", ngpu: 1 }));
  expect(await run(client.inference.getInferenceTask({ taskId: String(taskId) }))).toMatchObject({
    name: "serve",
    namespace: "gpu-scheduler",
  });
  await run(client.inference.cancelInferenceTask({ taskId: String(taskId) }));
  expect(cloud.emulator.log.count({ operation: "cancel_inference_task" })).toBe(1);
});

test("all problems of the arguments are reported at once, and nothing is sent", async () => {
  const { cloud, client, run } = openClientCloud();
  const wrong = { nme: "data", size: 0, vpcId: "krn:vpc:In-Bangalore-1:1:***:vpc:1" } as never;
  await expect(run(client.volume.createVolume(wrong))).rejects.toMatchObject({
    name: "InputError",
    problems: [
      { path: ["nme"], problem: "is not a known attribute; did you mean name?" },
      { path: ["vpcId"] },
      { path: ["name"], problem: "is required" },
      { path: ["size"], problem: "must be at least 1" },
      { path: ["volumeType"], problem: "is required" },
    ],
  });
  expect(cloud.emulator.log.count()).toBe(0);
});

test("a listing that is larger than a response may be is read row by row", async () => {
  const objects = Array.from({ length: 120_000 }, (_, index) => ({
    key: `folder/of/a/long/name/object-${index}-${"x".repeat(100)}`,
    isFolder: false,
    size: index,
    addedLater: true,
  }));
  const body = Buffer.from(JSON.stringify({ prefix: "", objects }));
  const { client, run } = openClientCloud(
    {},
    {},
    {
      wrap: (transport) => ({
        async send(request, signal) {
          if (!request.url.includes("/objects")) return transport.send(request, signal);
          for (let at = 0; at < body.length; at += 65_536)
            await request.receive?.(body.subarray(at, at + 65_536));
          return { kind: "answer", status: 200, headers: {}, body: "", cut: request.receive === undefined };
        },
      }),
    },
  );
  const counted = await run(
    (async () => {
      let [count, last] = [0, {}];
      for await (const row of client.object.listObjects({ bucketId: "krn:kos:bucket" })) {
        count += 1;
        last = row;
      }
      return { count, last };
    })(),
  );
  expect(body.length).toBeGreaterThan(16 * 1024 * 1024);
  expect(counted).toEqual({ count: 120_000, last: objects.at(-1) });
});
