import * as z from "zod";

const milliseconds = z.int().min(0);
const size = z.int().min(1);

/** Open questions of the contract about object storage (docs/contract.md#9): part of the switches in `assumption.ts`. */
export const objectAssumptions = {
  accountHeader: z
    .enum(["required", "optional"])
    .default("required")
    .describe("16.1: object storage demands the header x-account-id, or lets bearer alone pass"),
  tierHeader: z
    .enum(["optional", "required"])
    .default("optional")
    .describe("1.3: the writes of object storage take a header x-tier, or demand it"),
  accessKeySpelling: z
    .enum(["documented", "client"])
    .default("documented")
    .describe("16: a listed key has `access_key` and `created_date`, or `access_key_id` and `created_at`"),
  accessKeyRegion: z
    .enum(["as-sent", "lower-case"])
    .default("as-sent")
    .describe("9.2: how a listed key spells its region"),
  otpRequired: z
    .boolean()
    .default(true)
    .describe("16: deleting a bucket or an access key takes a one-time password; else it may be left out"),
  wrongOtp: z
    .union([z.literal(400), z.literal(401), z.literal(403), z.literal(422)])
    .default(401)
    .describe("17.6: the status of refusing a one-time password"),
  bucketNames: z
    .enum(["dns", "any"])
    .default("dns")
    .describe("9.1: a bucket's name must be one of DNS, 3 to 63 characters, or 422; or may be any text"),
  bucketTier: z
    .enum(["fast", "slow", "tier-1", "tier-2"])
    .default("fast")
    .describe("16: the tier of a bucket that is made without one"),
  bucketListShape: z
    .enum(["paged", "array"])
    .default("paged")
    .describe("16: the bucket list answers pages below `items`, or all of them as a bare array"),
  bucketListNames: z
    .enum(["page", "others"])
    .default("page")
    .describe(
      "17.6: the bucket list goes by `page`, `page_size`, `name_filter` and `refresh`, or ignores them: its first page, always",
    ),
  bucketPageDefault: size.default(10).describe("9.1: buckets on a page when the request names no size"),
  bucketPageMax: size.default(100).describe("17.6: the most buckets that a page holds"),
  bucketListCachedMs: milliseconds
    .default(0)
    .describe("9.1: a bucket list without `refresh` shows the world as it was so long ago"),
  lifecycleRuleAnswer: z
    .enum(["rule", "message"])
    .default("rule")
    .describe("17.6: the create of a lifecycle rule answers the rule, or a message without its id"),
  sessionHeader: z
    .enum(["required", "optional"])
    .default("required")
    .describe("1.3: what is done with objects takes a session in x-session-token, or lets bearer alone pass"),
  sessionMs: milliseconds
    .default(900_000)
    .describe("9.5: how long a session lives from its activation or refresh on"),
  sessionAttempts: size
    .default(100)
    .describe("9.5: how often an access key may ask for a session within five minutes; then 429"),
  objectListShape: z
    .enum(["object", "array"])
    .default("object")
    .describe("16: the object list answers `prefix` and `objects`, or a bare array"),
  objectListDepth: z
    .enum(["folder", "all"])
    .default("folder")
    .describe("9.5: the object list shows one folder with those in it, or all that is below"),
  objectEtag: z
    .enum(["md5", "quoted", "opaque"])
    .default("md5")
    .describe(
      "9.5: the etag of an object is its MD5, the same in quotes, or nothing that tells of its content",
    ),
  uploadShape: z
    .enum(["pre-signed", "multipart"])
    .default("pre-signed")
    .describe("17.6: an upload answers an address that takes the bytes, or takes them itself as a form"),
  uploadAddressName: z
    .enum(["preSignedUrl", "url"])
    .default("preSignedUrl")
    .describe("17.6: the field in which an upload answers that address"),
  uploadCondition: z
    .enum(["obeyed", "ignored", "unsupported"])
    .default("obeyed")
    .describe(
      "17.6: an upload with `If-None-Match: *` fails with 412 where the key has an object, overwrites the object, or fails always with 501",
    ),
  addressMs: milliseconds.default(900_000).describe("9.5: how long a pre-signed address is good"),
};
