import { hash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { accessKey, bucketPolicy, lifecycleRule, object, volume } from "../../../account/seed/storage.ts";

const owner = { account: "12", customer: "00000000-0000-4000-8000-000000000001" };
const entry = (values: object, id = "krn:it") => ({
  ...{ kind: "", id, region: "In-A-1", values: values as never },
});

test("a volume without a known size has the smallest, which is listed", () => {
  const { rows, assumed } = volume(entry({ vpcId: "krn:net", name: "data", volumeType: "hdd" }), owner);
  expect(rows).toMatchObject([{ size: 1, volumeType: "hdd" }]);
  expect(assumed).toEqual(["size of the volume krn:it: 1"]);
});

test("limits of a volume have the names of the API", () => {
  const qos = { bandwidth: null, iops: { readIopsSec: 500, writeIopsSec: null } };
  const { rows } = volume(entry({ sizeGb: 1, volumeType: "hdd", qos }), owner);
  expect(rows).toMatchObject([{ qos: { iops: { read_iops_sec: 500 } } }]);
});

test.each([
  [{ etag: '"0123456789abcdef0123456789abcdef"' }, "0123456789abcdef0123456789abcdef", 0],
  [{ etag: "0123-2", content: "text" }, hash("md5", "text"), 0],
  [{ etag: "0123-2" }, hash("md5", "a.txt"), 1],
])("the digest of an object %j", (values, md5, facts) => {
  const { rows, assumed } = object(
    entry({ bucketId: "krn:b", key: "a.txt", sizeBytes: 4, ...values }),
    owner,
  );
  expect(rows).toMatchObject([{ name: "a.txt", size: 4, md5 }]);
  expect(assumed).toHaveLength(facts);
});

test("the secret of an access key is not in its row", () => {
  const { rows, assumed } = accessKey(entry({ name: "backup", secretKey: "canary" }, "AK1"), owner);
  expect(rows).toMatchObject([{ name: "AK1", keyName: "backup" }]);
  expect(JSON.stringify(rows)).not.toContain("canary");
  expect(assumed).toEqual(['the secret of the access key "backup"']);
});

test("a policy and a rule are those of their bucket", () => {
  const lists = { readWriteIps: ["192.0.2.1"], readOnlyIps: null };
  expect(bucketPolicy(entry({ bucketId: "krn:b", ...lists }), owner).rows).toMatchObject([
    { bucket: "krn:b", readWriteIps: ["192.0.2.1"], readOnlyIps: [] },
  ]);
  expect(
    lifecycleRule(entry({ bucketId: "krn:b", name: "old", enabled: true, expirationDays: 9 }), owner).rows,
  ).toMatchObject([{ bucket: "krn:b", fields: { name: "old", enabled: true, expiration_days: 9 } }]);
});
