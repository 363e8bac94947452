import * as z from "zod";
import { digestOf } from "../auth/api-key.ts";
import type { Attachment } from "../block-storage/volume-attachment-model.ts";
import type { VolumeCopy } from "../block-storage/volume-copy.ts";
import { afterChange, type Volume } from "../block-storage/volume-model.ts";
import type { AccessKey } from "../iam/access-key-model.ts";
import type { AccountPolicy } from "../iam/account-policy-model.ts";
import type { Bucket } from "../object-storage/bucket-model.ts";
import type { BucketPolicy } from "../object-storage/bucket-policy.ts";
import { type LifecycleRule, ruleFields } from "../object-storage/lifecycle-rule.ts";
import type { StoredObject } from "../object-storage/object-model.ts";
import type { Resource } from "../state/store.ts";
import { derivedUuid, form, reference } from "./form.ts";

const gigabytes = z.int().min(1).describe("GB");
const texts = z.record(z.string(), z.string());

const volume = form<Volume>()(
  "volume",
  {
    vpc: reference("vpc"),
    size: gigabytes,
    volumeType: z.string().min(1),
    availabilityZone: z.string().default("nova"),
    description: z.string().default(""),
    multiattach: z.boolean().default(false),
    metadata: texts.default({}),
    qos: z.json().default(null).describe("Limits with the names of the API"),
    source: z
      .strictObject({ type: z.enum(["image", "volume", "snapshot"]), id: z.string() })
      .nullable()
      .default(null)
      .describe("Object that it was created from; null for an empty volume"),
    policies: z.record(z.enum(["snapshot", "backup"]), z.json()).optional(),
  },
  {
    load: ({ vpc, policies, ...fields }) => ({
      ...{ ...fields, parents: [vpc], lastAction: "create" },
      ...(policies && { policies }),
    }),
    save: ({ parents: [vpc = ""], ...volume }, time) => ({
      ...{ vpc, ...afterChange(volume as Volume, time), availabilityZone: volume.availabilityZone },
      ...{ description: volume.description, multiattach: volume.multiattach, metadata: volume.metadata },
      ...{ qos: volume.qos as z.core.util.JSONType, source: volume.source },
      ...(volume.policies && {
        policies: volume.policies as Record<"snapshot" | "backup", z.core.util.JSONType>,
      }),
    }),
  },
);

const attachment = form<Attachment>()(
  "volume_attachment",
  { instance: reference("instance"), volume: reference("volume"), device: z.string() },
  {
    load: ({ instance, volume, device }) => ({ parents: [instance, volume], device }),
    save: ({ parents: [instance = "", volume = ""], device }) => ({ instance, volume, device }),
  },
);

/** Declares the form of snapshots or backups. A backup may outlive its volume. */
const copy = (kind: "snapshot" | "backup") =>
  form<VolumeCopy>()(
    kind,
    {
      vpc: reference("vpc"),
      volume: kind === "snapshot" ? reference("volume") : z.string().describe("KRN of the volume"),
      size: gigabytes,
      volumeType: z.string().min(1),
      description: z.string().default(""),
      incremental: z.boolean().optional(),
    },
    {
      load: ({ vpc, volume, incremental, ...fields }) => ({
        ...{ ...fields, parents: [vpc], volumeKrn: volume },
        ...(kind === "snapshot" && { uses: [volume] }),
        ...(incremental !== undefined && { incremental }),
      }),
      save: ({ parents: [vpc = ""], volumeKrn, size, volumeType, description, incremental }) => ({
        ...{ vpc, volume: volumeKrn, size, volumeType, description },
        ...(incremental !== undefined && { incremental }),
      }),
    },
  );

const bucket = form<Bucket>()(
  "bucket",
  {
    description: z.string().default(""),
    tags: texts.default({}),
    versioning: z.boolean().default(false),
    anonymousAccess: z.boolean().default(false),
    tier: z.string().default("fast"),
  },
  {
    load: ({ anonymousAccess, ...fields }) => ({ ...fields, parents: [], anonymous: anonymousAccess }),
    save: ({ description, tags, versioning, anonymous, tier }) => ({
      ...{ description, tags, versioning, anonymousAccess: anonymous, tier },
    }),
  },
);

const addresses = z.array(z.string()).default([]).describe("Addresses and CIDRs");

const bucketPolicy = form<BucketPolicy>()(
  "bucket_policy",
  { bucket: reference("bucket"), readWriteIps: addresses, readOnlyIps: addresses },
  {
    load: ({ bucket, ...lists }) => ({ parents: [bucket], owned: true, ...lists }),
    save: ({ parents: [bucket = ""], readWriteIps, readOnlyIps }) => ({
      ...{ bucket, readWriteIps: [...readWriteIps], readOnlyIps: [...readOnlyIps] },
    }),
  },
);

const lifecycleRule = form<LifecycleRule>()(
  "lifecycle_rule",
  { bucket: reference("bucket"), fields: ruleFields.describe("Fields with the names of the API") },
  {
    load: ({ bucket, fields }) => ({ parents: [bucket], owned: true, fields, enabled: fields.enabled }),
    save: ({ parents: [bucket = ""], fields, enabled }) => ({ bucket, fields: { ...fields, enabled } }),
  },
);

/** Content of an object is not part of an inventory: reads return as many zero bytes as its size. */
const object = form<StoredObject>()(
  "object",
  {
    bucket: reference("bucket"),
    size: z.int().min(0).describe("Bytes; reads return zeros"),
    md5: z.string().regex(/^[\da-f]{32}$/, "must be an MD5 in hex"),
    contentType: z.string().default("application/octet-stream"),
  },
  {
    load: ({ bucket, size, md5, contentType }) => ({
      ...{ parents: [bucket], size, etag: md5, contentType, content: "" },
    }),
    save: ({ parents: [bucket = ""], size, etag, contentType }) => ({ bucket, size, md5: etag, contentType }),
  },
);

const accessKey = form<AccessKey>()(
  "access_key",
  {
    keyName: z.string().default(""),
    secretDigest: z
      .string()
      .optional()
      .describe("SHA-256 of the secret in hex. Default: of an unknown secret"),
  },
  {
    load: ({ keyName, secretDigest }, { krn }) => ({
      ...{ parents: [], keyName, digest: secretDigest ?? digestOf(derivedUuid(krn, "secret")) },
    }),
    save: ({ keyName, digest }) => ({ keyName, secretDigest: digest }),
  },
);

const accountPolicy = form<AccountPolicy>()(
  "account_policy",
  { policyId: z.string().default(""), statements: z.string(), conditions: z.string().default("") },
  {
    load: (fields) => ({ parents: [], ...fields }),
    save: ({ policyId, statements, conditions }) => ({ policyId, statements, conditions }),
  },
);

const accountPolicyAttachment = form<Resource>()(
  "account_policy_attachment",
  { policy: reference("account_policy") },
  {
    load: ({ policy }) => ({ parents: [policy] }),
    save: ({ parents: [policy = ""] }) => ({ policy }),
  },
);

export const storageForms = [
  ...[volume, attachment, copy("snapshot"), copy("backup")],
  ...[bucket, bucketPolicy, lifecycleRule, object, accessKey, accountPolicy, accountPolicyAttachment],
];
