import { Bucket, ObjectResource } from "@kcloud/iac/pulumi";

// Objects are written in a session of an access key: SERVICE_ACCESS_KEY and SERVICE_SECRET_KEY, or accessKey and
// secretKey of the provider.
const site = new Bucket("site");

new ObjectResource("page", {
  bucketId: site.id,
  key: "index.html",
  content: "<h1>Shop</h1>",
  contentType: "text/html",
});

// A changed file is uploaded by the next update.
const source = new ObjectResource("source", {
  bucketId: site.id,
  key: "source/index.ts",
  source: "index.ts",
});

export const etag = source.etag;
