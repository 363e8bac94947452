import { Refusal } from "../http/wire.ts";
import { type Cloud, existing, lookUp } from "../model/cloud.ts";
import { isoTime } from "../state/clock.ts";
import { ownerOf } from "../state/id.ts";
import type { Resource } from "../state/store.ts";

export type Bucket = Resource & {
  readonly description: string;
  tags: Record<string, string>;
  versioning: boolean;
  anonymous: boolean;
  readonly tier: string;
};

export const bucketModel = (cloud: Cloud) => cloud.store.model<Bucket>("bucket");

/**
 * Returns the bucket of a KRN or a name; the path accepts both (docs/contract.md#16.1). 404 when its region differs
 * from the header's.
 */
export function requireBucket(
  cloud: Cloud,
  id: string,
  { "x-region-id": region }: { readonly "x-region-id"?: string | undefined } = {},
): Bucket {
  const table = bucketModel(cloud);
  const named = existing(cloud, table.all()).find(({ name }) => name === id);
  return lookUp(cloud, table, named?.krn ?? id, `bucket ${id} not found`, region);
}

/** Rejects a bucket name that exists in any region: 409. */
export function refuseBucketName(cloud: Cloud, name: string): void {
  if (existing(cloud, bucketModel(cloud).all()).some((bucket) => bucket.name === name))
    throw new Refusal(409, `bucket ${name} already exists`);
}

/** Renders a bucket for the read (docs/contract.md#9.1); the description is never returned. */
export const renderBucket = (bucket: Bucket): Record<string, unknown> => ({
  name: bucket.name,
  krnid: bucket.krn,
  createdAt: isoTime(bucket.createdAt),
  tags: bucket.tags,
  versioning: bucket.versioning,
  anonymous_access: bucket.anonymous,
  region: bucket.region,
  owner: ownerOf(bucket.krn).account,
  tier: bucket.tier,
});

/** Renders a bucket for the listing (docs/contract.md#9.1). */
export function renderListedBucket(bucket: Bucket): Record<string, unknown> {
  const { owner: _, ...fields } = renderBucket(bucket);
  return { ...fields, url: `https://${bucket.name}.object.example` };
}
