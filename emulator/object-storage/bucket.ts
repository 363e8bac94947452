import * as z from "zod";
import { requireOneTimePassword } from "../auth/auth.ts";
import { refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { accountOperation, defaultRegion } from "../iam/account-header.ts";
import {
  type Cloud,
  deleteResource,
  dependents,
  listed,
  listingTime,
  newResource,
  ownedBy,
} from "../model/cloud.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { count, flag, optionalText, page, region, text, withAliases } from "../model/schema.ts";
import { isoTime } from "../state/clock.ts";
import { existsAt } from "../state/store.ts";
import {
  type Bucket,
  bucketModel,
  refuseBucketName,
  renderBucket,
  renderListedBucket,
  requireBucket,
} from "./bucket-model.ts";
import { objectsIn } from "./object-model.ts";

const bucketPath = "/kos/v1/buckets/{bucket}";
const tags = z.record(z.string(), z.string());

/** Returns the buckets at the listing time; without `refresh` at an earlier, cached time. */
function shownBuckets(cloud: Cloud, refresh: boolean): readonly Bucket[] {
  const resources = bucketModel(cloud).all();
  if (refresh) return listed(cloud, resources);
  const time = listingTime(cloud) - cloud.settings.assume.bucketListCachedMs;
  return resources.filter((resource) => existsAt(resource, time));
}

const listBuckets = accountOperation({
  name: "list_buckets",
  method: "GET",
  path: "/kos/v1/buckets",
  section: "9.1",
  source: "seed",
  query: z.looseObject({
    page: count.optional(),
    page_size: count.optional(),
    name_filter: optionalText,
    refresh: flag.optional(),
  }),
  handle(cloud, { query: parameters }) {
    const { bucketListShape, bucketListNames, bucketPageDefault, bucketPageMax } = cloud.settings.assume;
    const query: Partial<typeof parameters> = bucketListNames === "page" ? parameters : {};
    const { name_filter: filter = "" } = query;
    const buckets = shownBuckets(cloud, query.refresh === true).filter(({ name }) => name.includes(filter));
    if (bucketListShape === "array") return { status: 200, body: buckets.map(renderListedBucket) };
    const size = Math.min(query.page_size ?? bucketPageDefault, bucketPageMax);
    const { rows, paging } = page(buckets, { page: query.page, size });
    const { page: currentPage, total_count: totalItems, total_pages: totalPages } = paging;
    return {
      status: 200,
      body: {
        totalItems,
        totalPages,
        currentPage,
        ...(currentPage < totalPages && { nextPage: currentPage + 1 }),
        items: rows.map(renderListedBucket),
      },
    };
  },
});

const dnsName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

/** Rejects an invalid bucket name: 422 (docs/contract.md#9). */
function checkName(cloud: Cloud, name: string): void {
  const isName = name.length >= 3 && name.length <= 63 && dnsName.test(name);
  if (!isName && cloud.decide("bucketNames") === "dns")
    throw new Refusal(422, "name: must be 3 to 63 lower-case letters, digits, dots and hyphens");
}

/** Rejects a write without a tier when the switch requires one. */
function requireTier({ settings }: Cloud, tier: string | undefined): void {
  if (tier === undefined && settings.assume.tierHeader === "required")
    throw new Refusal(400, "header x-tier: required");
}

const createBucket = accountOperation({
  name: "create_bucket",
  method: "POST",
  path: "/kos/v1/buckets",
  section: "9.1",
  source: "seed",
  body: withAliases(
    { bucketName: "name" },
    z.strictObject({
      name: text,
      description: z.string().optional(),
      tags: tags.optional(),
      versioning: z.boolean().default(false),
      anonymous_access: z.boolean().default(false),
      region: region.optional(),
      tier: text.optional(),
    }),
  ),
  handle(cloud, { headers, body }) {
    const place = body.region ?? headers["x-region-id"] ?? defaultRegion;
    requireTier(cloud, headers["x-tier"]);
    refuseByName(body.name);
    checkName(cloud, body.name);
    refuseBucketName(cloud, body.name);
    const bucket = bucketModel(cloud).insert({
      ...newResource(cloud, "kos", "bucket", place),
      name: body.name,
      parents: [],
      description: body.description ?? "",
      tags: body.tags ?? {},
      versioning: body.versioning,
      anonymous: body.anonymous_access,
      tier: body.tier ?? headers["x-tier"] ?? cloud.settings.assume.bucketTier,
    });
    const { krn, name: bucketName, createdAt } = bucket;
    return { status: 201, body: { krn, bucketName, createdAt: isoTime(createdAt) } };
  },
});

const getBucket = accountOperation({
  name: "get_bucket",
  method: "GET",
  path: bucketPath,
  section: "9.1",
  source: "seed",
  handle: (cloud, { path: { bucket } }) => ({
    status: 200,
    body: renderBucket(requireBucket(cloud, bucket)),
  }),
});

const updateBucket = accountOperation({
  name: "update_bucket",
  method: "PUT",
  path: bucketPath,
  section: "9.1",
  source: "seed",
  body: z.strictObject({
    tags: tags.optional(),
    versioning: z.boolean().optional(),
    anonymous_access: z.boolean().optional(),
  }),
  handle(cloud, { headers, body, path: { bucket: id } }) {
    requireTier(cloud, headers["x-tier"]);
    const bucket = requireBucket(cloud, id, headers);
    bucket.tags = body.tags ?? bucket.tags;
    bucket.versioning = body.versioning ?? bucket.versioning;
    bucket.anonymous = body.anonymous_access ?? bucket.anonymous;
    bucket.updatedAt = cloud.now;
    return { status: 200, body: renderBucket(bucket) };
  },
});

/** Deletes a bucket with its policy and rules; rejects one that has objects. */
function removeBucket(cloud: Cloud, bucket: Bucket): void {
  const objects = objectsIn(cloud, bucket.krn).length;
  if (objects > 0) throw new Refusal(409, `bucket ${bucket.name} is not empty: it has ${objects} objects`);
  const [user] = dependents(cloud, bucket.krn);
  if (user !== undefined) throw new Refusal(409, `bucket ${bucket.name} is in use by ${user.name}`);
  for (const resource of [...ownedBy(cloud, bucket.krn), bucket]) deleteResource(cloud, resource, 0);
}

const deleteBucket = accountOperation({
  name: "delete_bucket",
  method: "DELETE",
  path: bucketPath,
  section: "9.1",
  source: "seed",
  body: z.strictObject({ otp: z.string().optional() }),
  bodiless: true,
  handle(cloud, { headers, body, path: { bucket: id } }) {
    requireTier(cloud, headers["x-tier"]);
    const bucket = requireBucket(cloud, id, headers);
    requireOneTimePassword(cloud, body.otp);
    removeBucket(cloud, bucket);
    return { status: 204 };
  },
});

/** Buckets of object storage. */
export const bucketKind: ResourceKind = {
  name: "bucket",
  operations: [listBuckets, createBucket, getBucket, updateBucket, deleteBucket],
};
