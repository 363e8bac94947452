import * as z from "zod/mini";
import { InputError } from "../provider/core/error.ts";
import { wording } from "../provider/core/wording.ts";
import { readFile } from "../provider/definition/content.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { base64Text, text } from "../provider/definition/validator.ts";
import { contentOf, oneContent, oneForm, plannedContent } from "./fields/object-content.ts";
import { local } from "./fields/option.ts";
import {
  deleteObject,
  findObject,
  hasContent,
  listObjects,
  mayHaveContent,
  rename,
  upload,
  uploadRoute,
} from "./wire/object.ts";

const key = text.check(
  z.refine((value) => Buffer.byteLength(value) <= 1024, { error: "must have at most 1024 bytes" }),
  z.refine((value) => value.isWellFormed() && !/\p{Cc}/u.test(value), {
    error: "contains a character that is not allowed in a key",
  }),
  z.refine((value) => !value.endsWith("/"), { error: "must not end with /, as those of folders do" }),
);
const digest = z
  .string()
  .check(z.refine((value) => /^[\da-f]{64}$/.test(value), { error: "must be a SHA-256 in lower-case hex" }));
const forms = ["content", "contentBase64", "source"] as const;
/** Inputs whose change stores the object again. */
const written = ["key", "checksum", "contentType"];

export const object = defineResource({
  name: "object",
  category: "object-storage",
  about: "An object in a bucket. Its content is a text, bytes in Base64 or a local file.",
  // Create and update include the transfer of the content.
  requires: ["accountId", "objectKeys"],
  timeouts: { create: 3600, read: 300, update: 3600, delete: 300 },
  parents: ["bucketId"],
  deletedWithParent: true,
  idField: "key",
  sameBy: ["etag"],
  repairable: true,
  importedBy: ["key"],
  fields: {
    bucketId: field(z.string(), "ID of the bucket that contains the object.", {
      references: "bucket",
      replaceReason: "The content is uploaded to the new bucket and deleted from the old one.",
    }),
    key: field(key, "Key of the object, such as `logs/today.txt`.", {
      change: "update",
      usage: "At most 1024 bytes. Changing it renames the object in place.",
    }),
    content: field(z.optional(z.string()), wording`Content as text. ${oneForm}`, local),
    contentBase64: field(
      z.optional(base64Text),
      wording`Content as bytes, encoded in Base64. ${oneForm}`,
      local,
    ),
    source: field(
      z.optional(text),
      wording`Path of a local file with the content, read at each plan: a changed file is uploaded again. ${oneForm}`,
      { ...local, file: true },
    ),
    checksum: field(z.optional(digest), "SHA-256 of the content, in lowercase hex.", {
      change: "update",
      computed: true,
      meaning: "content digest",
      usage: "Default: calculated from the content. A configured value must match the content.",
      calculated: {
        needs: forms,
        from: (inputs: Parameters<typeof contentOf>[0]) => contentOf(inputs)?.sha256,
      },
      isProven: ({ sizeBytes, etag }: ObservedContent, inputs: ContentInputs) => {
        const content = knownContent(inputs);
        return content !== undefined && hasContent({ size_bytes: sizeBytes, etag }, content);
      },
      notAppliedHint: "the stored content differs from the sent content, or its etag is not an MD5",
    }),
    contentType: field(z.optional(text), "Media type of the content, such as `text/plain`.", {
      change: "update",
      computed: true,
      usage: "Default: chosen by the API.",
      same: (a, b) => a.toLowerCase() === b.toLowerCase(),
    }),
    sizeBytes: computed(z.int(), "Size of the content in bytes.", { changesWith: ["checksum"] }),
    etag: computed(z.string(), "Entity tag of the content, usually its MD5.", { changesWith: written }),
    storageClass: computed(z.string(), "Storage class, as reported by the API.", { changesWith: written }),
    lastModified: computed(z.string(), "Time of the last change, as reported by the API.", {
      changesWith: written,
    }),
  },
  rules: [{ needs: forms, check: oneContent }],
})({
  async list({ api, region, bucketId }) {
    const all = await listObjects(api, bucketId);
    return all
      .filter(({ isFolder }) => !isFolder)
      .map(({ key, size: sizeBytes, lastModified }) => ({
        id: key,
        bucketId,
        key,
        sizeBytes,
        lastModified,
        region,
      }));
  },

  matches: (row, { key, bucketId }) => row.key === key && row.bucketId === bucketId,

  async create({ api, inputs }) {
    const { bucketId, key, contentType } = inputs;
    const content = plannedContent(inputs);
    await upload(api, { bucket: bucketId, key, content, type: contentType, isNew: true });
    return { id: key };
  },

  async read({ api, id, bucketId, region, recorded }) {
    const found = await findObject(api, bucketId, id);
    if (found === undefined) return undefined;
    return {
      bucketId,
      key: id,
      checksum: await checksumOf(found, recorded),
      contentType: found.contentType,
      sizeBytes: found.size_bytes,
      etag: found.etag,
      storageClass: found.storage_class,
      lastModified: found.lastModified,
      region,
    };
  },

  evidence: {
    async isAbsent({ api, id, bucketId }) {
      // A listing by the whole key may treat the key as a folder and omit the object, so the prefix is that of its folder.
      const rows = await listObjects(api, bucketId, id.slice(0, id.lastIndexOf("/") + 1));
      return !rows.some(({ key }) => key === id);
    },
  },

  async update({ api, id, bucketId, inputs, prior, changed, repeated, current }) {
    const { key } = inputs;
    const isUploaded = changed.has("checksum") || changed.has("contentType");
    const object = isUploaded ? await current(uploadRoute) : undefined;
    if (changed.has("key")) {
      const uploaded = repeated ? await readable(inputs) : undefined;
      await rename(api, { bucket: bucketId, from: id, to: key, original: prior, uploaded, repeated });
    }
    if (object === undefined) return;
    // A content type that is not configured stays unchanged.
    const { contentType } = object;
    const content = plannedContent(inputs);
    const found = changed.has("contentType") ? undefined : await findObject(api, bucketId, key);
    // An imported object may already have this content.
    if (found === undefined || !hasContent(found, content))
      await upload(api, { bucket: bucketId, key, content, type: contentType, isNew: false });
  },

  async delete({ api, id, bucketId }) {
    await deleteObject(api, bucketId, id);
  },
});

/** Values of an object that identify its content, as the API shows them. */
interface ObservedContent {
  readonly sizeBytes?: number;
  readonly etag?: string;
}

type ContentInputs = Parameters<typeof contentOf>[0];

type Recorded = ContentInputs & {
  readonly checksum?: string | undefined;
  readonly etag?: string | undefined;
};

/**
 * Returns the SHA-256 of the object, which the API does not return: the stored value while the etag is unchanged, otherwise
 * that of the configured content if the object matches it. Returns undefined if neither applies.
 */
async function checksumOf(
  found: Parameters<typeof mayHaveContent>[0],
  recorded: Recorded,
): Promise<string | undefined> {
  const { etag, checksum } = recorded;
  if (etag !== undefined && etag === found.etag) return checksum;
  const content = await readable(recorded);
  const matches = etag === undefined ? mayHaveContent : hasContent;
  return content !== undefined && matches(found, content) ? content.sha256 : undefined;
}

/** Returns the configured or stored content; undefined if its file cannot be read. */
async function readable(recorded: Recorded) {
  if (recorded.source !== undefined) await readFile(recorded.source);
  return knownContent(recorded);
}

/** Returns the content of the inputs; undefined if its file cannot be read. */
function knownContent(inputs: ContentInputs) {
  try {
    return contentOf(inputs);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
