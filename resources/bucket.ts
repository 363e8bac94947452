import * as z from "zod/mini";
import { CloudError, FailedError, isConflict, isNotFound } from "../provider/core/error.ts";
import type { Api } from "../provider/definition/api.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { flag, text } from "../provider/definition/validator.ts";
import { noPrototypeLabel } from "./fields/label.ts";
import { unreadable } from "./fields/option.ts";
import { getBucket, listBuckets, observed, bucketRoutes as routes, toTier, unread } from "./wire/bucket.ts";
import { deleteObject, listObjects } from "./wire/object.ts";

export const bucket = defineResource({
  name: "bucket",
  category: "object-storage",
  about: "A bucket of the object storage. Deleting it requires a one-time password and an empty bucket.",
  holdsData: "All objects in the bucket are destroyed in all versions; copy them to another bucket first.",
  deletesToo: [{ kind: "object", contents: ({ forceDestroy }) => forceDestroy === true }],
  otpDelete: true,
  // The delete timeout covers `forceDestroy`, which deletes objects one by one.
  requires: ["accountId"],
  timeouts: { create: 300, read: 120, update: 300, delete: 3600 },
  fields: {
    name: field(text, "Name of the bucket, unique in the object storage.", {
      // An assumption (docs/contract.md#9.1), so no error.
      doubt: (name) =>
        /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)
          ? undefined
          : "may be refused: a bucket's name is expected to have 3 to 63 lower-case letters, digits, dots and hyphens, with a letter or digit at both ends",
    }),
    description: field(z.optional(z.string()), "Free-text description of the bucket.", unreadable),
    tier: field(z.optional(text), "Storage tier of the bucket, such as `fast` or `slow`.", {
      computed: true,
      usage: "Default: the tier of the region.",
    }),
    versioning: field(flag, "If true, the bucket keeps noncurrent versions of its objects.", {
      change: "update",
      meaning: "keeps versions",
    }),
    anonymousAccess: field(flag, "If true, anyone can read the objects without credentials.", {
      change: "update",
      meaning: "is public",
    }),
    tags: field(z.optional(z.record(z.string(), z.string())), "Tags of the bucket, as keys and values.", {
      change: "update",
    }),
    forceDestroy: field(
      z.optional(z.boolean()),
      "If true, deleting the bucket first deletes its objects; otherwise deleting a bucket with objects fails. Default: `false`.",
      { change: "update", unreadable: true, local: true, meaning: "discards data" },
    ),
    url: computed(z.string(), "URL of the bucket."),
  },
  rules: [noPrototypeLabel("tags")],
})({
  whole: true,
  async list({ api, region }) {
    const rows = await listBuckets(api);
    return rows.map((row) => ({ ...row, region }));
  },

  async create({ api, region, inputs }) {
    const { name, description, tier, versioning, anonymousAccess: anonymous_access, tags } = inputs;
    const { krn } = await api.send(routes.create, {
      headers: toTier(region, tier),
      body: { name, description, region, tier, versioning, anonymous_access, tags: tags ?? {} },
    });
    return { id: krn };
  },

  async read({ api, id, region, recorded }) {
    const row = await api.find(getBucket, { path: { bucket: id } });
    // The response of the single read may lack the URL, which the listing shows.
    return row && { ...observed(row), url: row.url ?? recorded.url, region };
  },

  async update({ api, id, region, prior, current }) {
    const { versioning, anonymousAccess: anonymous_access, tags } = await current(routes.update);
    await api.send(routes.update, {
      path: { bucket: id },
      headers: toTier(region, prior.tier),
      body: { tags: tags ?? {}, versioning, anonymous_access },
    });
  },

  async delete({ api, id, region, prior, otp }) {
    await (prior.forceDestroy ? empty(api, id) : requireEmpty(api, id));
    const call = { path: { bucket: id }, headers: toTier(region, prior.tier) };
    const password = await otp();
    try {
      await api.send(routes.delete, password === undefined ? call : { ...call, body: { otp: password } });
    } catch (error) {
      // The API refuses to delete a bucket that contains objects.
      if (isConflict(error)) throw new CloudError({ ...error, remedies: ["set-force-destroy"] });
      throw error;
    }
  },
});

/**
 * Deletes every object and checks that the bucket is empty, before a one-time password is used. Throws `CloudError` if the
 * listing still shows objects.
 */
async function empty(api: Api, bucket: string): Promise<void> {
  const objects = await listObjects(api, bucket);
  for (const { key } of objects)
    await deleteObject(api, bucket, key).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  const left = objects.length === 0 ? [] : await listObjects(api, bucket);
  if (left.length > 0) throw unread(`the bucket still shows ${left.length} objects`);
}

/**
 * Throws `FailedError` if the listing shows objects, before a one-time password is used. Checks nothing without an access
 * key or if the listing fails: the API then rejects the delete.
 */
async function requireEmpty(api: Api, bucket: string): Promise<void> {
  if (api.accessKey === undefined) return;
  const objects = await listObjects(api, bucket).catch((error) => {
    if (error instanceof CloudError) return [];
    throw error;
  });
  const holds = objects.length === 1 ? "1 object" : `${objects.length} objects`;
  if (objects.length > 0)
    throw new FailedError(`the bucket holds ${holds}; no one-time password was used`, {
      remedies: ["set-force-destroy", "run-again"],
    });
}
