import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { createWaiters } from "../../library/waiter.ts";
import { openClientCloud } from "./client-cloud.ts";
import { instanceArguments, withNetwork } from "./stack.ts";

test("the page of the client has every waiter", () => {
  const [, section = ""] =
    /^## Waits\n([\s\S]*?)^## /m.exec(readFileSync("docs/guides/client.md", "utf8")) ?? [];
  const rows = [...section.matchAll(/^\| `(\w+)` +\| (.*?) *\|$/gm)].map(([, area = "", cell = ""]) => [
    area,
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ]);
  const waiters = Object.entries(createWaiters({ settings: {} } as never));
  expect(rows).toEqual(waiters.map(([area, methods]) => [area, Object.keys(methods)]));
});

test("a wait for the detachment from one instance ignores the other instances of the volume", async () => {
  const world = await withNetwork();
  const { client, run, vpcId } = world;
  const machines: string[] = [];
  for (const instanceName of ["one", "two"]) {
    const args = { ...instanceArguments(world), instanceName, volumeName: `${instanceName}-disk` };
    const { task_id: taskId } = await run(client.instance.createInstance(args));
    const found = await run(client.instance.waitUntilActive({ vpcId, taskId: taskId ?? "" }));
    expect(found.volumeId).toMatch(/^krn:kbs:/);
    machines.push(found.instanceKrn);
  }
  const [one = "", two = ""] = machines;
  const created = await run(
    client.volume.createVolume({ vpcId, name: "data", size: 1, volumeType: "ssd", multiattach: true }),
  );
  const volumeId = created.volume?.id ?? "";
  const at = { vpcId, volumeId };
  await run(client.volume.waitUntilAvailable(at));
  const attachments: string[] = [];
  for (const instanceId of [one, two]) {
    await run(client.volume.attachVolume({ ...at, instanceId }));
    attachments.push((await run(client.volume.waitUntilAttached({ ...at, instanceId }))).attachmentId);
  }
  const [attachmentId = ""] = attachments;
  await run(client.volume.detachVolume({ ...at, instanceId: one, attachmentId }));
  await run(client.volume.waitUntilDetached({ ...at, instanceId: one }));
  const options = { timeoutMs: 20_000 };
  await expect(run(client.volume.waitUntilDetached({ ...at, instanceId: two }, options))).rejects.toThrow(
    "is not ready after 20 s; last status: attached",
  );
  await expect(run(client.volume.waitUntilDetached(at, options))).rejects.toThrow("last status: attached");
});

test("a wait without an API that can be reached ends with the failure of its read", async () => {
  const { client, run } = openClientCloud(
    {},
    {},
    { wrap: () => ({ send: async () => ({ kind: "unsent", reason: "the connection was refused" }) }) },
  );
  const wait = client.volume.waitUntilAvailable({ vpcId: "krn:vpc:1", volumeId: "krn:volume:1" });
  await expect(run(wait)).rejects.toMatchObject({ name: "CloudError", failure: "unsent" });
});
