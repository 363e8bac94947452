import * as z from "zod";
import { Refusal } from "../http/wire.ts";
import { accountOperation } from "../iam/account-header.ts";
import { type Cloud, deleteResource, existing, newResource } from "../model/cloud.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { parseAddress, parseCidr } from "../network/cidr.ts";
import { isoTime } from "../state/clock.ts";
import type { Resource } from "../state/store.ts";
import { type Bucket, requireBucket } from "./bucket-model.ts";

/** Access policy of a bucket, at most one; it is deleted with the bucket. */
export type BucketPolicy = Resource & { readWriteIps: readonly string[]; readOnlyIps: readonly string[] };

const bucketPolicyModel = (cloud: Cloud) => cloud.store.model<BucketPolicy>("bucket_policy");

const bucketPolicyPath = "/kos/v1/buckets/policy/{bucket}";

const hosts = z.strictObject({
  s3_read_write_ips: z.array(z.string()),
  s3_read_only_ips: z.array(z.string()),
});

const policyOf = (cloud: Cloud, { krn }: Bucket): BucketPolicy | undefined =>
  existing(cloud, bucketPolicyModel(cloud).all()).find(({ parents }) => parents[0] === krn);

function requireBucketPolicy(cloud: Cloud, bucket: Bucket): BucketPolicy {
  const policy = policyOf(cloud, bucket);
  if (policy === undefined) throw new Refusal(404, `bucket ${bucket.name} has no policy`);
  return policy;
}

/** Returns the hosts of both lists; rejects anything but addresses and ranges (docs/contract.md#9). */
function listsOf(body: z.output<typeof hosts>) {
  for (const [field, list] of Object.entries(body))
    for (const [index, host] of list.entries())
      if (parseAddress(host) === undefined && parseCidr(host) === undefined)
        throw new Refusal(422, `${field}.${index}: not an address or a range of addresses`);
  return { readWriteIps: body.s3_read_write_ips, readOnlyIps: body.s3_read_only_ips };
}

const renderBucketPolicy = (policy: BucketPolicy) => ({
  bucketKrn: policy.parents[0],
  bucketPolicyKrn: policy.krn,
  s3_read_write_ips: policy.readWriteIps,
  s3_read_only_ips: policy.readOnlyIps,
  created_at: isoTime(policy.createdAt),
  updated_at: isoTime(policy.updatedAt),
});

const getBucketPolicy = accountOperation({
  name: "get_bucket_policy",
  method: "GET",
  path: bucketPolicyPath,
  section: "9.4",
  source: "seed",
  handle: (cloud, { path: { bucket } }) => ({
    status: 200,
    body: renderBucketPolicy(requireBucketPolicy(cloud, requireBucket(cloud, bucket))),
  }),
});

const createBucketPolicy = accountOperation({
  name: "create_bucket_policy",
  method: "POST",
  path: bucketPolicyPath,
  section: "9.4",
  source: "seed",
  body: hosts,
  handle(cloud, { headers, body, path: { bucket: id } }) {
    const bucket = requireBucket(cloud, id, headers);
    if (policyOf(cloud, bucket)) throw new Refusal(409, `bucket ${bucket.name} has a policy already`);
    const policy = bucketPolicyModel(cloud).insert({
      ...newResource(cloud, "kos", "bucketpolicy", bucket.region),
      name: bucket.name,
      parents: [bucket.krn],
      owned: true,
      ...listsOf(body),
    });
    return { status: 201, body: renderBucketPolicy(policy) };
  },
});

const updateBucketPolicy = accountOperation({
  name: "update_bucket_policy",
  method: "PUT",
  path: bucketPolicyPath,
  section: "9.4",
  source: "seed",
  body: hosts,
  handle(cloud, { headers, body, path: { bucket } }) {
    const policy = requireBucketPolicy(cloud, requireBucket(cloud, bucket, headers));
    Object.assign(policy, listsOf(body), { updatedAt: cloud.now });
    return { status: 204 };
  },
});

const deleteBucketPolicy = accountOperation({
  name: "delete_bucket_policy",
  method: "DELETE",
  path: bucketPolicyPath,
  section: "9.4",
  source: "seed",
  handle(cloud, { headers, path: { bucket } }) {
    deleteResource(cloud, requireBucketPolicy(cloud, requireBucket(cloud, bucket, headers)), 0);
    return { status: 204 };
  },
});

/** Access policies of buckets. */
export const bucketPolicyKind: ResourceKind = {
  name: "bucket_policy",
  operations: [getBucketPolicy, createBucketPolicy, updateBucketPolicy, deleteBucketPolicy],
};
