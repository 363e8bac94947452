import * as z from "zod/mini";
import { CloudError } from "../../provider/core/error.ts";
import { matchesMasked } from "../../provider/core/krn.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeFlag, maybeNumber, maybeText, maybeUnset } from "../../provider/definition/validator.ts";
import { everyRow, pageSize } from "./page.ts";

/** Buckets in responses of the listing and the single read (docs/contract.md#9.1). */

/** Headers of all object storage routes, except those of session tokens (docs/contract.md#1.3, docs/contract.md#9). */
export const storage = { account: true, region: "x-region-id" } as const;

const tiers: { readonly [region: string]: string } = {
  "In-Bangalore-1": "tier-1",
  "In-Hyderabad-1": "tier-2",
};

/**
 * Returns the header with the tier for a write: the tier of the bucket, otherwise the tier of its region, if known
 * (docs/contract.md#1.3, docs/contract.md#16).
 */
export const toTier = (region: string, tier: string | undefined) => ({ "x-tier": tier ?? tiers[region] });

const wire = z.object({
  krnid: maybeText,
  krn: maybeText,
  name: maybeText,
  region: maybeText,
  url: maybeText,
  versioning: maybeFlag,
  anonymous_access: maybeFlag,
  tags: maybeUnset(z.record(z.string(), z.string())),
  tier: maybeText,
  owner: maybeText,
  createdAt: maybeText,
});

/** Converts a bucket of a response. */
export const observed = (row: z.infer<typeof wire>) => ({
  id: row.krnid ?? row.krn ?? "",
  name: row.name,
  versioning: row.versioning,
  anonymousAccess: row.anonymous_access,
  tags: row.tags,
  tier: row.tier,
  url: row.url,
  createdAt: row.createdAt,
});

/** Bucket with the field names of the definition. */
export type BucketRow = ReturnType<typeof observed>;

/** Route that reads one bucket. */
export const getBucket = endpoint("read", "GET /kos/v1/buckets/{bucket}", wire, storage);

/** Route that lists the buckets of the account. */
export const bucketList = endpoint(
  "read",
  "GET /kos/v1/buckets",
  z.union([
    z.array(wire),
    z.object({
      // Required: a body without items is another response, not an empty list.
      items: z.nullable(z.array(wire)),
      totalItems: maybeNumber,
      totalPages: maybeNumber,
      currentPage: maybeNumber,
    }),
  ]),
  storage,
);

/**
 * Lists the buckets of the account, in all regions. `search` filters by a part of the name, if the API supports it.
 * Without `refresh` the list may not show recent creates and deletes yet.
 */
export async function listBuckets(
  api: Api,
  { search, refresh = true }: { search?: string | undefined; refresh?: boolean } = {},
): Promise<BucketRow[]> {
  const rows = await everyRow({
    route: bucketList,
    what: "buckets",
    async ask(page) {
      const query = { page, page_size: pageSize, name_filter: search, refresh };
      const answer = await api.send(bucketList, { query });
      if (Array.isArray(answer)) return { rows: answer.map(observed), total_pages: 1 };
      const { items, totalItems, totalPages, currentPage = page } = answer;
      if (currentPage !== page)
        throw unread(`the listing returned page ${currentPage} of the buckets instead of page ${page}`);
      return { rows: (items ?? []).map(observed), totalCount: totalItems, totalPages };
    },
    keyOf: ({ id, name }) => id || name,
  });
  return rows ?? [];
}

/**
 * Returns the content of a bucket after a 404: none, if the list of buckets does not show the bucket either. Throws
 * `CloudError` 404 if the list shows the bucket, since a 404 alone proves nothing (docs/reliability.md#3.9).
 */
export async function insideMissingBucket(api: Api, bucketId: string): Promise<never[]> {
  const rows = await listBuckets(api);
  if (rows.some(({ id }) => matchesMasked(id, bucketId)))
    throw unread("the bucket is listed, but its content cannot be read", 404);
  return [];
}

/** Creates the error for a response whose content is incomplete or contradicts another one. */
export const unread = (message: string, status?: number) =>
  new CloudError({
    failure: status === undefined ? "unreadable" : "rejected",
    route: `${bucketList.method} ${bucketList.path}`,
    reason: message,
    status,
  });

/** Fields of a body that a create and an update send. */
interface Settings {
  readonly versioning: boolean;
  readonly anonymous_access: boolean;
  readonly tags: Readonly<Record<string, string>>;
}

/** Routes of a bucket. */
export const bucketRoutes = {
  create: endpoint("create", "POST /kos/v1/buckets", z.object({ krn: maybeText }), {
    ...storage,
    body: json<
      Settings & { name: string; description: string | undefined; region: string; tier: string | undefined }
    >(),
  }),
  update: endpoint("update", "PUT /kos/v1/buckets/{bucket}", undefined, {
    ...storage,
    body: json<Settings>(),
    writes: ["versioning", "anonymousAccess", "tags"],
  }),
  delete: endpoint("guarded-delete", "DELETE /kos/v1/buckets/{bucket}", undefined, {
    ...storage,
    body: json<{ otp?: string }>(),
  }),
};
