import * as z from "zod/mini";
import { inOtherRegion } from "../provider/core/krn.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineLookup } from "../provider/definition/function.ts";
import { described } from "../provider/definition/shape.ts";
import { text } from "../provider/definition/validator.ts";
import { listBuckets } from "../resources/wire/bucket.ts";

const row = z.object({
  id: described(z.string(), "ID of the bucket."),
  name: described(z.optional(z.string()), "Name of the bucket."),
  versioning: described(z.boolean(), "True if the bucket keeps noncurrent versions of its objects."),
  anonymousAccess: described(z.boolean(), "True if anyone can read the objects without credentials."),
  tags: described(z.record(z.string(), z.string()), "Tags of the bucket, as keys and values."),
  tier: described(z.optional(z.string()), "Storage tier of the bucket."),
  url: described(z.optional(z.string()), "URL of the bucket."),
});

/** Lookup of the buckets of a region (docs/contract.md#9.1). */
export const buckets = defineLookup({
  name: "buckets",
  category: "object-storage",
  about: "Lists the buckets of a region.",
  fields: {
    search: field(z.optional(text), "Returns only buckets whose name contains this text."),
    refresh: field(
      z._default(z.boolean(), true),
      "If true, the API refreshes its list; if false, new buckets can be missing.",
    ),
    buckets: computed(z.array(row), "Buckets, in the order of the API."),
  },
})(async ({ api, region, inputs: { search, refresh }, share }) => {
  const what = `buckets ${refresh} ${JSON.stringify(search)}`;
  const all = await share(what, () => listBuckets(api, { search, refresh }));
  return {
    buckets: all
      .filter(({ id, name }) => !inOtherRegion(id, region) && name?.includes(search ?? "") !== false)
      .map(({ versioning = false, anonymousAccess = false, tags, ...bucket }) => ({
        ...bucket,
        tags: tags ?? {},
        versioning,
        anonymousAccess,
      })),
  };
});
