import { expect, test } from "@jest/globals";
import { createContentStore } from "../../../emulator/state/content.ts";
import { bucket, emulatorWith, instance, krnOf, rows, vpc } from "./sample.ts";

const data = { ...rows.bootVolume, krn: krnOf("kbs", "volume", 21), name: "data", vpc };
const attachment = {
  ...{ kind: "volume_attachment", krn: krnOf("kbs", "attachment", 22), name: "data" },
  ...{ instance, volume: data.krn, device: "/dev/vdb" },
};
const port = { ...rows.port, instance };
const machine = [rows.vpc, rows.network, rows.subnet, port, rows.bootVolume, rows.instance];
const headers = { "k-tenant-id": vpc };

test("a volume is in use while it is attached, and a snapshot has the size after an extension", async () => {
  const emulator = await emulatorWith([...machine, data, attachment]);
  const read = await emulator.call(`GET /kbs/v1/volumes/${data.krn}`, { headers });
  expect(JSON.stringify(read.body)).toMatch(/"in-use".*"\/dev\/vdb"/);
  const { status } = await emulator.call(`POST /kbs/v1/volumes/${data.krn}/action?op=extend`, {
    headers,
    body: { input: { newSize: 40 } },
  });
  expect(status).toBeLessThan(300);
  expect(emulator.snapshot().objects).toContainEqual(expect.objectContaining({ name: "data", size: 40 }));
});

test("a snapshot blocks the delete of its volume, and a backup does not", async () => {
  const copy = { name: "of-data", vpc, volume: data.krn, size: 20, volumeType: "ssd" };
  const remove = async (kind: string) => {
    const row = { ...copy, kind, krn: krnOf("kbs", kind, 23) };
    const emulator = await emulatorWith([rows.vpc, rows.network, data, row]);
    return (await emulator.call(`DELETE /kbs/v1/volumes/${data.krn}`, { headers })).status;
  };
  expect([await remove("snapshot"), await remove("backup")]).toEqual([409, 202]);
});

test("policy and rules are those of their bucket and are deleted with it", async () => {
  const policy = { kind: "bucket_policy", krn: krnOf("kos", "bucketpolicy", 24), name: "files", bucket };
  const rule = {
    ...{ kind: "lifecycle_rule", krn: krnOf("kos", "lifecyclerule", 25), name: "old", bucket },
    fields: { name: "old", enabled: false, expiration_days: 9 },
  };
  const emulator = await emulatorWith([rows.bucket, { ...policy, readOnlyIps: ["192.0.2.0/24"] }, rule]);
  expect(emulator.snapshot().objects).toContainEqual(expect.objectContaining(rule));
  emulator.inventory.remove(bucket);
  expect(emulator.inventory.list()).toEqual([]);
});

test("an object has its size and its digest; reads return as many zero bytes", async () => {
  const row = {
    ...{ kind: "object", krn: krnOf("kos", "object", 26), name: "a/b.bin", bucket, size: 150_000 },
    md5: "0123456789abcdef0123456789abcdef",
  };
  const emulator = await emulatorWith([rows.bucket, row]);
  expect(emulator.snapshot().objects).toContainEqual(expect.objectContaining(row));
  let size = 0;
  for await (const part of createContentStore().get("", row).read()) {
    expect(part.every((byte) => byte === 0)).toBe(true);
    size += part.length;
  }
  expect(size).toBe(150_000);
});

test("the secret of an access key is not known, unless its digest is given", async () => {
  const row = { kind: "access_key", krn: krnOf("kos", "accesskey", 27), name: "AK1", keyName: "backup" };
  const [first, second, given] = await Promise.all(
    [row, row, { ...row, secretDigest: "00ff" }].map(async (key) => (await emulatorWith([key])).snapshot()),
  );
  expect(first?.objects).toEqual(second?.objects);
  expect(first?.objects).not.toEqual(given?.objects);
  expect(given?.objects).toEqual([expect.objectContaining({ secretDigest: "00ff" })]);
});

test("a policy of the account is attached", async () => {
  const policy = { kind: "account_policy", krn: krnOf("iam", "policy", 28), name: "read", statements: "[]" };
  const krn = krnOf("iam", "policyattachment", 29);
  const attached = { kind: "account_policy_attachment", krn, name: "read", policy: policy.krn };
  const emulator = await emulatorWith([policy, attached]);
  expect(emulator.snapshot().objects).toEqual([
    expect.objectContaining(policy),
    expect.objectContaining(attached),
  ]);
});
