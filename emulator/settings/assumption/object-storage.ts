import * as z from "zod";
import { amount, milliseconds } from "../amount.ts";

/** Open questions of the contract about object storage (docs/contract.md#9): part of the switches in `assumption.ts`. */
export const objectAssumptions = {
  accountHeader: z
    .enum(["required", "optional"])
    .default("required")
    .describe("16.1: object storage requires the header x-account-id, or only the bearer token"),
  tierHeader: z
    .enum(["optional", "required"])
    .default("optional")
    .describe("1.3: the header x-tier is optional or required in writes of object storage"),
  accessKeySpelling: z
    .enum(["documented", "client"])
    .default("documented")
    .describe("16: a listed key has `access_key` and `created_date`, or `access_key_id` and `created_at`"),
  accessKeyRegion: z
    .enum(["as-sent", "lower-case"])
    .default("as-sent")
    .describe("9.2: spelling of the region of a listed key"),
  otpRequired: z
    .boolean()
    .default(true)
    .describe(
      "16: the delete of a bucket or an access key requires a one-time password; else it is optional",
    ),
  wrongOtp: z
    .union([z.literal(400), z.literal(401), z.literal(403), z.literal(422)])
    .default(401)
    .describe("17.6: the HTTP status that rejects a one-time password"),
  bucketNames: z
    .enum(["dns", "any"])
    .default("dns")
    .describe("9.1: a bucket's name must be a DNS name of 3 to 63 characters, else 422; or may be any text"),
  bucketTier: z
    .enum(["fast", "slow", "tier-1", "tier-2"])
    .default("fast")
    .describe("16: the tier of a bucket that is created without one"),
  bucketListShape: z
    .enum(["paged", "array"])
    .default("paged")
    .describe("16: the bucket list returns pages in `items`, or an array of all buckets"),
  bucketListNames: z
    .enum(["page", "others"])
    .default("page")
    .describe(
      "17.6: the bucket list obeys `page`, `page_size`, `name_filter` and `refresh`, or ignores them and always returns its first page",
    ),
  bucketPageDefault: amount.default(10).describe("9.1: buckets per page without a size in the request"),
  bucketPageMax: amount.default(100).describe("17.6: maximum number of buckets per page"),
  bucketListCachedMs: milliseconds
    .default(0)
    .describe("9.1: age in ms of the cache that a bucket list without `refresh` shows"),
  lifecycleRuleAnswer: z
    .enum(["rule", "message"])
    .default("rule")
    .describe("17.6: the create of a lifecycle rule returns the rule, or a message without its id"),
  sessionHeader: z
    .enum(["required", "optional"])
    .default("required")
    .describe("1.3: operations on objects require a session in x-session-token, or only the bearer token"),
  sessionMs: milliseconds
    .default(900_000)
    .describe("9.5: lifetime in ms of a session from its activation or refresh"),
  sessionAttempts: amount
    .default(100)
    .describe("9.5: activations of sessions per access key within five minutes; then 429"),
  objectListShape: z
    .enum(["object", "array"])
    .default("object")
    .describe("16: the object list returns `prefix` and `objects`, or an array"),
  objectListDepth: z
    .enum(["folder", "all"])
    .default("folder")
    .describe("9.5: the object list has the objects and subfolders of one folder, or all objects below it"),
  objectEtag: z
    .enum(["md5", "quoted", "opaque"])
    .default("md5")
    .describe(
      "9.5: the etag of an object is its MD5, the MD5 in quotes, or a text that is not derived from the content alone",
    ),
  uploadShape: z
    .enum(["pre-signed", "multipart"])
    .default("pre-signed")
    .describe("17.6: an upload returns the URL to which the bytes are sent, or accepts them as a form"),
  uploadAddressName: z
    .enum(["preSignedUrl", "url"])
    .default("preSignedUrl")
    .describe("17.6: the field of that URL in the response of an upload"),
  uploadCondition: z
    .enum(["obeyed", "ignored", "unsupported"])
    .default("obeyed")
    .describe(
      "17.6: an upload with `If-None-Match: *` gets 412 if the key has an object, overwrites the object, or always gets 501",
    ),
  addressMs: milliseconds.default(900_000).describe("9.5: lifetime in ms of a pre-signed URL"),
};
