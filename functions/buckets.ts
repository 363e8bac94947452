import * as z from "zod/mini";
import { inOtherRegion } from "../provider/core/krn.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineLookup } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";
import { listBuckets } from "../resources/wire/bucket.ts";

const row = z.object({
  id: z.string(),
  name: z.optional(z.string()),
  versioning: z.boolean(),
  anonymousAccess: z.boolean(),
  tags: z.record(z.string(), z.string()),
  tier: z.optional(z.string()),
  url: z.optional(z.string()),
});

/** Lookup of the buckets of a region (docs/contract.md#9.1). */
export const buckets = defineLookup({
  name: "buckets",
  about: "Lists the buckets of a region.",
  fields: {
    search: field(z.optional(text), "Only those whose name holds this."),
    refresh: field(
      z._default(z.boolean(), true),
      "Whether the cloud looks anew; otherwise what was made a moment ago may be missing.",
    ),
    buckets: computed(z.array(row), "The buckets, in the cloud's order."),
  },
})(async ({ api, region, inputs: { search, refresh }, share }) => {
  const what = `buckets ${refresh} ${JSON.stringify(search)}`;
  const all = await share(what, () => listBuckets(api, { search, refresh }));
  return {
    buckets: all
      .filter(({ id, name }) => !inOtherRegion(id, region) && name?.includes(search ?? "") !== false)
      .map(({ versioning = false, anonymousAccess = false, ...bucket }) => ({
        ...bucket,
        versioning,
        anonymousAccess,
      })),
  };
});
