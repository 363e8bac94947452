import { Bucket, BucketPolicy } from "@kcloud/iac/pulumi";

const orders = new Bucket("orders");

// The addresses that can access the bucket.
const policy = new BucketPolicy("orders", {
  bucketId: orders.id,
  readWriteIps: ["10.0.0.0/24"],
  readOnlyIps: ["192.0.2.10", "2001:db8::/32"],
});

export const policyKrn = policy.policyKrn;
