import * as z from "zod/mini";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { notSet, text, wholeNumber } from "../provider/definition/validator.ts";
import { insideMissingBucket } from "./wire/bucket.ts";
import { amounts, type RuleBody, lifecycleRoutes as routes, type wire } from "./wire/lifecycle-rule.ts";

type Values = Readonly<Record<string, unknown>>;
type Amount = number | undefined | null;

/** Returns true if the rule newly deletes objects, or deletes them after fewer days. */
const isEarlier = (before: Amount, after: Amount, { after: rule }: { readonly after: Values }): boolean =>
  rule.enabled !== false && typeof after === "number" && (typeof before !== "number" || after < before);

/** Returns true if fewer noncurrent versions are kept: without a number, none of those of the age is. */
const isFewer = (before: Amount, after: Amount, { after: rule }: { readonly after: Values }): boolean => {
  if (rule.enabled === false) return false;
  if (typeof after !== "number") return typeof before === "number" && typeof rule.noncurrentDays === "number";
  return typeof before === "number" ? after < before : typeof rule.noncurrentDays !== "number";
};

const amount = (about: string, discards?: typeof isEarlier) =>
  field(z.optional(wholeNumber(1)), about, {
    change: "update",
    ...(discards === undefined ? {} : { discards }),
  });

export const lifecycleRule = defineResource({
  name: "lifecycle-rule",
  category: "object-storage",
  about:
    "A lifecycle rule of a bucket, which deletes objects and versions as they age. Deleted objects cannot be restored.",
  requires: ["accountId"],
  timeouts: { create: 120, read: 120, update: 300, delete: 120 },
  parents: ["bucketId"],
  fields: {
    bucketId: field(z.string(), "ID of the bucket.", { references: "bucket" }),
    name: field(text, "Name of the rule, unique in the bucket.", { change: "update" }),
    attribute: field(
      z.optional(text),
      "Attribute that determines the age of an object, as named by the API.",
      {
        change: "update",
        // The age that another attribute gives is unknown.
        discards: (before, _after, { before: rule, after: { enabled } }) =>
          rule.enabled === true && enabled !== false && before !== null,
      },
    ),
    enabled: field(z._default(z.boolean(), true), "If true, the rule is in force.", {
      change: "update",
      discards: (before, after) => before === false && after === true,
    }),
    expirationDays: amount("Days after which an object is deleted.", isEarlier),
    noncurrentDays: amount("Days after which a noncurrent version of an object is deleted.", isEarlier),
    newerNoncurrentVersions: amount(
      "Number of the newest noncurrent versions of an object to keep.",
      isFewer,
    ),
    deleteIncompleteMpu: amount("Days after which an incomplete multipart upload is aborted."),
    expiredObjDeleteMarker: field(
      z._default(z.boolean(), false),
      "If true, the delete marker of an object without versions is deleted.",
      { change: "update" },
    ),
    status: computed(z.string(), "Status reported by the API.", { changesWith: ["enabled"] }),
  },
  rules: [
    {
      needs: [
        "expirationDays",
        "noncurrentDays",
        "newerNoncurrentVersions",
        "deleteIncompleteMpu",
        "expiredObjDeleteMarker",
      ],
      check: (inputs) =>
        inputs.expiredObjDeleteMarker || amounts.some((name) => inputs[name] !== undefined)
          ? undefined
          : { path: ["expirationDays"], problem: "is required if the rule has no other effect" },
    },
  ],
})({
  whole: true,
  async list({ api, region, bucketId }) {
    const rows = await api.find(routes.list, { path: { bucket: bucketId } });
    return (rows ?? (await insideMissingBucket(api, bucketId))).map((row) => observed(row, bucketId, region));
  },

  async create({ api, inputs }) {
    const rule = await api.send(routes.create, { path: { bucket: inputs.bucketId }, body: ruleBody(inputs) });
    return { id: rule?.id };
  },

  async read({ api, id, bucketId, region }) {
    const row = await api.find(routes.read, { path: { bucket: bucketId, rule: id } });
    return row && observed(row, bucketId, region);
  },

  async update({ api, id, bucketId, current }) {
    const body = ruleBody(await current(routes.update));
    await api.send(routes.update, { path: { bucket: bucketId, rule: id }, body });
  },

  async delete({ api, id, bucketId }) {
    await api.send(routes.delete, { path: { bucket: bucketId, rule: id } });
  },
});

/** Complete rule, which create and update both send (docs/contract.md#9.3). */
interface Rule extends Partial<Readonly<Record<(typeof amounts)[number], number | undefined>>> {
  readonly name: string;
  readonly attribute?: string | undefined;
  readonly enabled: boolean;
  readonly expiredObjDeleteMarker: boolean;
}

const ruleBody = (rule: Rule): RuleBody => ({
  name: rule.name,
  attribute: rule.attribute,
  enabled: rule.enabled,
  expiration_days: rule.expirationDays,
  noncurrent_days: rule.noncurrentDays,
  newer_noncurrent_versions: rule.newerNoncurrentVersions,
  delete_incomplete_mpu: rule.deleteIncompleteMpu,
  expired_obj_delete_marker: rule.expiredObjDeleteMarker,
});

/** Converts a rule of a response; a field that is 0 or missing is not set. */
const observed = (row: z.infer<typeof wire>, bucketId: string, region: string) => ({
  id: row.id ?? "",
  bucketId,
  name: row.name,
  attribute: row.attribute || notSet,
  enabled: row.enabled,
  expirationDays: row.expiration_days || notSet,
  noncurrentDays: row.noncurrent_days || notSet,
  newerNoncurrentVersions: row.newer_noncurrent_versions || notSet,
  deleteIncompleteMpu: row.delete_incomplete_mpu || notSet,
  expiredObjDeleteMarker: row.expired_obj_delete_marker,
  status: row.status,
  region,
});
