import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { InputError } from "../provider/core/error.ts";
import { attribute, type Text, wording } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineEphemeral, defineLookup } from "../provider/definition/function.ts";
import { described } from "../provider/definition/shape.ts";
import { text, wholeNumber } from "../provider/definition/validator.ts";
import { download, downloadAddress, findObject, listObjects } from "../resources/wire/object.ts";

/** Lookups of objects in a bucket: the listing, the content, a pre-signed URL (docs/contract.md#9.5). */

const bucketId = field(text, "ID of the bucket.", { references: "bucket" });

const row = {
  key: described(z.string(), "Key of the object."),
  sizeBytes: described(z.optional(z.int()), "Size of the content in bytes."),
  lastModified: described(z.optional(z.string()), "Time of the last change, as reported by the API."),
};

/** Lookup of the objects of a bucket, below a prefix if one is given. */
export const objects = defineLookup({
  name: "objects",
  category: "object-storage",
  about: "Lists the objects of a bucket.",
  fields: {
    bucketId,
    prefix: field(
      z.optional(text),
      "Returns only objects whose key starts with this prefix, such as `logs/`.",
    ),
    objects: computed(z.array(z.object(row)), "Objects, in the order of the API."),
  },
})(async ({ api, inputs: { bucketId, prefix } }) => {
  const all = await listObjects(api, bucketId, prefix);
  return {
    objects: all
      .filter(({ isFolder, key }) => !isFolder && key.startsWith(prefix ?? ""))
      .map(({ key, size: sizeBytes, lastModified }) => ({ key, sizeBytes, lastModified })),
  };
});

const mebibyte = 1024 * 1024;

/** Lookup of the content of a small object, such as a configuration. */
export const objectContent = defineLookup({
  name: "object-content",
  category: "object-storage",
  about: "Reads the content of a small object.",
  fields: {
    bucketId: field(text, "ID of the bucket that contains the object.", { references: "bucket" }),
    key: field(text, "Key of the object, such as `logs/today.txt`."),
    maxBytes: field(
      z._default(wholeNumber(1), mebibyte),
      "Maximum size of the content in bytes. A larger object is an error.",
    ),
    content: computed(z.string(), "Content as text; null if it is not valid UTF-8."),
    contentBase64: computed(z.string(), "Content as bytes, encoded in Base64."),
    checksum: computed(z.string(), "SHA-256 of the content, in lowercase hex."),
  },
})(async ({ api, inputs: { bucketId, key, maxBytes } }) => {
  const refuse = (field: string, problem: Text) => new InputError([{ path: [field], problem }]);
  const found = await findObject(api, bucketId, key);
  if (found === undefined) throw refuse("key", "is not the key of an object in the bucket");
  const parts: Uint8Array[] = [];
  let size = 0;
  const tooLarge = (bytes: number) =>
    refuse(
      "maxBytes",
      wording`the object holds ${bytes} bytes or more: set a larger ${attribute("maxBytes")}, or download it`,
    );
  if (found.size_bytes > maxBytes) throw tooLarge(found.size_bytes);
  await download(api, bucketId, key, (part) => {
    size += part.length;
    if (size > maxBytes) throw tooLarge(size);
    parts.push(Uint8Array.from(part));
  });
  const bytes = Buffer.concat(parts);
  return {
    content: utf8(bytes),
    contentBase64: bytes.toString("base64"),
    checksum: createHash("sha256").update(bytes).digest("hex"),
  };
});

/** Returns bytes as text; undefined if they are not valid UTF-8. */
function utf8(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

/** Ephemeral URL that allows downloading an object without credentials until it expires. */
export const objectAddress = defineEphemeral({
  name: "object-address",
  category: "object-storage",
  about:
    "A pre-signed URL of an object, which allows a download without credentials until it expires. It is stored in no state.",
  fields: {
    bucketId: field(text, "ID of the bucket that contains the object.", { references: "bucket" }),
    key: field(text, "Key of the object, such as `logs/today.txt`."),
    url: computed(z.string(), "Pre-signed URL of the object.", { secret: true }),
  },
})({
  open: async ({ api, inputs: { bucketId, key } }) => ({
    values: { url: await downloadAddress(api, bucketId, key) },
  }),
});
