import * as z from "zod/mini";
import { CloudError } from "../../provider/core/error.ts";
import { matchesMasked } from "../../provider/core/krn.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { maybe, maybeFlag, maybeNumber, maybeText } from "../../provider/definition/validator.ts";
import { everyRow, pageSize } from "./page.ts";

/** Buckets, as the listing and the read of one show them (docs/contract.md#9.1). */

/**
 * How every call of object storage travels but those on the token of a session (docs/contract.md#1.3,
 * docs/contract.md#9).
 */
export const storage = { account: true, region: "x-region-id" } as const;

const tiers: { readonly [region: string]: string } = {
  "In-Bangalore-1": "tier-1",
  "In-Hyderabad-1": "tier-2",
};

/**
 * The tier that a write goes to: the bucket's own, else that of its region, where one is known (docs/contract.md#1.3,
 * docs/contract.md#16).
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
  tags: maybe(z.record(z.string(), z.string())),
  tier: maybeText,
  owner: maybeText,
  createdAt: maybeText,
});

/** A bucket as an answer shows it. */
export const observed = (row: z.infer<typeof wire>) => ({
  id: row.krnid ?? row.krn ?? "",
  name: row.name,
  versioning: row.versioning ?? false,
  anonymousAccess: row.anonymous_access ?? false,
  tags: row.tags ?? {},
  tier: row.tier,
  url: row.url,
});

/** A bucket, in the definitions' words. */
export type BucketRow = ReturnType<typeof observed>;

export const getBucket = endpoint("read", "GET /kos/v1/buckets/{bucket}", wire, storage);

const list = endpoint(
  "read",
  "GET /kos/v1/buckets",
  z.union([
    z.array(wire),
    z.object({
      items: maybe(z.array(wire)),
      totalItems: maybeNumber,
      totalPages: maybeNumber,
      currentPage: maybeNumber,
    }),
  ]),
  storage,
);

/**
 * Every bucket of the account, of all regions; those alone whose name holds `search`, where the cloud heeds it. What was
 * made or deleted a moment ago may be missing from a list that is not refreshed.
 */
export async function listBuckets(
  api: Api,
  { search, refresh = true }: { search?: string | undefined; refresh?: boolean } = {},
): Promise<BucketRow[]> {
  const rows = await everyRow({
    route: list,
    what: "buckets",
    async ask(page) {
      const query = { page, page_size: pageSize, name_filter: search, refresh };
      const answer = await api.send(list, { query });
      if (Array.isArray(answer)) return { rows: answer.map(observed), total_pages: 1 };
      const { items = [], totalItems, totalPages, currentPage = page } = answer;
      if (currentPage !== page)
        throw unread(`it shows page ${currentPage} of the buckets where ${page} was asked for`);
      return { rows: items.map(observed), totalCount: totalItems, totalPages };
    },
    keyOf: ({ id, name }) => `${id}\n${name}`,
  });
  return rows ?? [];
}

/**
 * What is in a bucket that the cloud says it does not know: nothing, once the list of buckets does not show it either.
 * Otherwise the refusal stands, since a 404 alone proves nothing (docs/reliability.md#3.9).
 */
export async function insideMissingBucket(api: Api, bucketId: string): Promise<never[]> {
  const rows = await listBuckets(api);
  if (rows.some(({ id }) => matchesMasked(id, bucketId)))
    throw unread("the bucket is listed, but what is in it cannot be read", 404);
  return [];
}

/** An answer that does not tell what it should. */
export const unread = (said: string, status?: number) =>
  new CloudError({
    failure: status === undefined ? "unreadable" : "rejected",
    route: `${list.method} ${list.path}`,
    said,
    status,
  });
