// A website: bucket, access rules, lifecycle of old versions, an access key for uploads, and the pages.
// Objects are written in a session of an access key: SERVICE_ACCESS_KEY and SERVICE_SECRET_KEY. A destroy requires two
// one-time passwords, one for the bucket and one for the key: SERVICE_OTP_COMMAND.
import { AccessKey, Bucket, BucketPolicy, LifecycleRule, ObjectResource } from "@kcloud/iac/pulumi";

const site = new Bucket("site", { versioning: true, tags: { team: "shop" } });
const inSite = { bucketId: site.id };

new BucketPolicy("site", { ...inSite, readWriteIps: ["10.0.0.0/24"], readOnlyIps: ["192.0.2.0/24"] });

new LifecycleRule("former", { ...inSite, noncurrentDays: 30, deleteIncompleteMpu: 1 });

const uploads = new AccessKey("uploads");

new ObjectResource("home", {
  ...inSite,
  key: "index.html",
  content: "<h1>Shop</h1>",
  contentType: "text/html",
});

// A changed file is uploaded by the next update.
new ObjectResource("source", { ...inSite, key: "source/index.ts", source: "index.ts" });

export const bucketId = site.id;
export const accessKey = uploads.id;
export const secretKey = uploads.secretKey;
