import * as z from "zod/mini";
import { field } from "../../provider/definition/field.ts";
import { maybeFlag, maybeText, text } from "../../provider/definition/validator.ts";
import { bucketList, bucketRoutes, getBucket, toTier } from "../../resources/wire/bucket.ts";
import { bucketPolicyRoutes } from "../../resources/wire/bucket-policy.ts";
import { lifecycleRoutes, wire } from "../../resources/wire/lifecycle-rule.ts";
import { operation } from "../operation.ts";
import { flagOf, optionalNumber, optionalText, page, requiredText } from "../parameter.ts";

const bucketId = requiredText("ID of the bucket.");
const tier = optionalText("Storage tier, such as `tier-1`. Default: the tier of the region.");
const map = z.record(z.string(), z.string());
const hosts = (about: string) => field(z._default(z.array(text), []), about);
const hostLists = {
  readWriteIps: hosts("IP addresses or ranges that may read and write."),
  readOnlyIps: hosts("IP addresses or ranges that may read."),
};
const listsOf = (lists: { readonly readWriteIps: string[]; readonly readOnlyIps: string[] }) => ({
  s3_read_write_ips: lists.readWriteIps,
  s3_read_only_ips: lists.readOnlyIps,
});
const ruleFields = {
  name: requiredText("Name of the rule."),
  attribute: optionalText("Attribute from which the age of an object is calculated."),
  enabled: flagOf("If true, the rule is applied.", true),
  expirationDays: optionalNumber("Age in days after which objects are deleted."),
  noncurrentDays: optionalNumber("Age in days after which noncurrent versions are deleted."),
  newerNoncurrentVersions: optionalNumber("Number of noncurrent versions that are kept."),
  deleteIncompleteMpu: optionalNumber("Age in days after which incomplete uploads are deleted."),
  expiredObjDeleteMarker: flagOf("If true, delete markers without versions are removed."),
};
const ruleBody = (rule: {
  readonly name: string;
  readonly attribute?: string | undefined;
  readonly enabled: boolean;
  readonly expirationDays?: number | undefined;
  readonly noncurrentDays?: number | undefined;
  readonly newerNoncurrentVersions?: number | undefined;
  readonly deleteIncompleteMpu?: number | undefined;
  readonly expiredObjDeleteMarker: boolean;
}) => ({
  name: rule.name,
  attribute: rule.attribute,
  enabled: rule.enabled,
  expiration_days: rule.expirationDays,
  noncurrent_days: rule.noncurrentDays,
  newer_noncurrent_versions: rule.newerNoncurrentVersions,
  delete_incomplete_mpu: rule.deleteIncompleteMpu,
  expired_obj_delete_marker: rule.expiredObjDeleteMarker,
});
const ruleId = requiredText("ID of the rule.");
/** Parameters and request of an operation on a bucket, and on a lifecycle rule. */
const ofBucket = {
  parameters: { bucketId },
  request: (at: { readonly bucketId: string }) => ({ path: { bucket: at.bucketId } }),
};
const ofRule = {
  parameters: { bucketId, ruleId },
  request: (at: { readonly bucketId: string; readonly ruleId: string }) => ({
    path: { bucket: at.bucketId, rule: at.ruleId },
  }),
};
const otp = optionalText(
  "One-time password. Default: a password of the settings of the client, as of `otpCommand`.",
  { secret: true },
);

/** Operations of buckets, their lifecycle rules and their policies. */
export const bucket = {
  listBuckets: operation(bucketList, {
    section: "9.1",
    about: "Lists the buckets of the account in all regions, in pages.",
    parameters: {
      page,
      pageSize: optionalNumber("Number of rows of a page.", 1),
      nameFilter: optionalText("Part of the name."),
      refresh: flagOf("If true, the list shows recent changes."),
    },
    request: ({ page, pageSize, nameFilter, refresh }) => ({
      query: { page, page_size: pageSize, name_filter: nameFilter, refresh },
    }),
    listing: { rows: ["items"], page: { number: "page" }, size: "pageSize" },
  }),
  createBucket: operation(bucketRoutes.create, {
    section: "9.1",
    about: "Creates a bucket.",
    parameters: {
      name: requiredText("Name of the bucket, which no other bucket has."),
      description: optionalText("Free-text description of the bucket, which no read returns."),
      tags: field(z._default(map, {}), "Tags of the bucket."),
      versioning: flagOf("If true, the bucket keeps former versions of its objects."),
      anonymousAccess: flagOf("If true, everybody can read the bucket."),
      tier,
    },
    request: ({ anonymousAccess, tier, ...bucket }, { region }) => ({
      headers: toTier(region, tier),
      body: {
        name: bucket.name,
        description: bucket.description,
        region,
        tier,
        versioning: bucket.versioning,
        anonymous_access: anonymousAccess,
        tags: bucket.tags,
      },
    }),
    also: { bucketName: maybeText, createdAt: maybeText },
  }),
  getBucket: operation(getBucket, {
    section: "9.1",
    about: "Returns a bucket.",
    ...ofBucket,
  }),
  updateBucket: operation(bucketRoutes.update, {
    section: "9.1",
    about: "Replaces tags, versioning and public access of a bucket.",
    parameters: {
      bucketId,
      tags: field(map, "All tags of the bucket."),
      versioning: field(z.boolean(), "If true, the bucket keeps former versions of its objects."),
      anonymousAccess: field(z.boolean(), "If true, everybody can read the bucket."),
      tier,
    },
    request: ({ bucketId, tags, versioning, anonymousAccess, tier }, { region }) => ({
      path: { bucket: bucketId },
      headers: toTier(region, tier),
      body: { tags, versioning, anonymous_access: anonymousAccess },
    }),
    answer: z.optional(
      z.object({ name: maybeText, krnid: maybeText, versioning: maybeFlag, anonymous_access: maybeFlag }),
    ),
  }),
  deleteBucket: operation(bucketRoutes.delete, {
    section: "9.1",
    about: "Deletes an empty bucket, with a one-time password.",
    parameters: { bucketId, otp, tier },
    request: ({ bucketId, otp, tier }, { region }) => ({
      path: { bucket: bucketId },
      headers: toTier(region, tier),
      ...(otp === undefined ? {} : { body: { otp } }),
    }),
  }),
  listLifecycleRules: operation(lifecycleRoutes.list, {
    section: "9.3",
    about: "Lists the lifecycle rules of a bucket.",
    ...ofBucket,
    listing: { rows: [] },
  }),
  createLifecycleRule: operation(lifecycleRoutes.create, {
    section: "9.3",
    about: "Creates a lifecycle rule of a bucket, which can delete objects.",
    parameters: { bucketId, ...ruleFields },
    request: ({ bucketId, ...rule }) => ({ path: { bucket: bucketId }, body: ruleBody(rule) }),
    answer: z.optional(wire),
  }),
  getLifecycleRule: operation(lifecycleRoutes.read, {
    section: "9.3",
    about: "Returns a lifecycle rule.",
    ...ofRule,
  }),
  updateLifecycleRule: operation(lifecycleRoutes.update, {
    section: "9.3",
    about: "Replaces a lifecycle rule.",
    parameters: { bucketId, ruleId, ...ruleFields },
    request: ({ bucketId, ruleId, ...rule }) => ({
      path: { bucket: bucketId, rule: ruleId },
      body: ruleBody(rule),
    }),
    answer: z.optional(wire),
  }),
  deleteLifecycleRule: operation(lifecycleRoutes.delete, {
    section: "9.3",
    about: "Deletes a lifecycle rule.",
    ...ofRule,
  }),
  getBucketPolicy: operation(bucketPolicyRoutes.read, {
    section: "9.4",
    about: "Returns the policy of a bucket.",
    ...ofBucket,
    also: { bucketKrn: maybeText, created_at: maybeText, updated_at: maybeText },
  }),
  createBucketPolicy: operation(bucketPolicyRoutes.create, {
    section: "9.4",
    about: "Creates the policy of a bucket: the hosts that have access.",
    parameters: { bucketId, ...hostLists },
    request: ({ bucketId, ...lists }) => ({ path: { bucket: bucketId }, body: listsOf(lists) }),
    answer: z.optional(z.object({ bucketKrn: maybeText, bucketPolicyKrn: maybeText })),
  }),
  updateBucketPolicy: operation(bucketPolicyRoutes.update, {
    section: "9.4",
    about: "Replaces the policy of a bucket.",
    parameters: {
      bucketId,
      readWriteIps: field(z.array(text), "All IP addresses or ranges that may read and write."),
      readOnlyIps: field(z.array(text), "All IP addresses or ranges that may read."),
    },
    request: ({ bucketId, ...lists }) => ({ path: { bucket: bucketId }, body: listsOf(lists) }),
  }),
  deleteBucketPolicy: operation(bucketPolicyRoutes.delete, {
    section: "9.4",
    about: "Deletes the policy of a bucket.",
    ...ofBucket,
  }),
};
