import { Bucket, LifecycleRule } from "@kcloud/iac/pulumi";

const logs = new Bucket("logs", { versioning: true });

const old = new LifecycleRule("old", {
  bucketId: logs.id,
  expirationDays: 90,
  noncurrentDays: 7,
  deleteIncompleteMpu: 1,
});

export const status = old.status;
