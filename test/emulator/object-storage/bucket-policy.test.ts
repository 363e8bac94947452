import { expect, test } from "@jest/globals";
import { at, cloud, accountHeader as headers, makeBucket, refusal } from "../client.ts";

const path = "/kos/v1/buckets/policy";
const hosts = (s3_read_write_ips: string[], s3_read_only_ips: string[] = []) => ({
  s3_read_write_ips,
  s3_read_only_ips,
});

test("a bucket gets a policy, which is read, changed as a whole and deleted", async () => {
  const emulator = cloud();
  const krn = await makeBucket(emulator);
  const made = await emulator.call(`POST ${path}/${krn}`, { headers, body: hosts(["10.0.0.0/8"]) });
  const policy = {
    bucketKrn: krn,
    bucketPolicyKrn: at(made.body, "bucketPolicyKrn"),
    ...hosts(["10.0.0.0/8"]),
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
  };
  expect([made.status, made.body]).toEqual([201, policy]);
  await emulator.clock.advance(1000);
  const body = hosts([], ["2001:db8::1"]);
  const changed = await emulator.call(`PUT ${path}/${krn}`, { headers, body });
  expect([changed.status, changed.body]).toEqual([204, undefined]);
  const read = await emulator.call(`GET ${path}/${krn}`, { headers });
  expect(read.body).toEqual({ ...policy, ...body, updated_at: "2026-01-01T00:00:01.000Z" });
  expect((await emulator.call(`DELETE ${path}/${krn}`, { headers })).status).toBe(204);
  expect(await refusal(emulator, `GET ${path}/${krn}`, { headers })).toEqual([
    404,
    "bucket data has no policy",
  ]);
});

test("a second policy, a host name and a missing bucket are rejected", async () => {
  const emulator = cloud();
  const krn = await makeBucket(emulator);
  const create = (body: object, bucket = krn) =>
    refusal(emulator, `POST ${path}/${bucket}`, { headers, body });
  expect(await create(hosts(["10.0.0.1", "db.example"]))).toEqual([
    422,
    "s3_read_write_ips.1: not an address or a range of addresses",
  ]);
  expect(await create({ s3_read_only_ips: [] })).toEqual([400, "s3_read_write_ips: required"]);
  await emulator.call(`POST ${path}/${krn}`, { headers, body: hosts([]) });
  expect(await create(hosts([]))).toEqual([409, "bucket data has a policy already"]);
  expect(await create(hosts([]), "none")).toEqual([404, "bucket none not found"]);
  const change = { headers, body: hosts(["10.0.0.0/33"]) };
  expect((await refusal(emulator, `PUT ${path}/${krn}`, change))[0]).toBe(422);
});
