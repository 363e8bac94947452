import * as z from "zod/mini";
import { CloudError, InputError, isAmbiguous, isConflict } from "../../provider/core/error.ts";
import type { Api } from "../../provider/definition/api.ts";
import type { Content } from "../../provider/definition/content.ts";
import { endpoint, inRows, json } from "../../provider/definition/endpoint.ts";
import { maybeFlag, maybeNumber, maybeText } from "../../provider/definition/validator.ts";

/** Objects of a bucket in requests and responses of the API (docs/contract.md#9.5). */

const inSession = { region: "x-region-id", account: true, objectSession: true } as const;

const metadata = z.object({
  key: maybeText,
  size_bytes: z.number(),
  storage_class: maybeText,
  etag: maybeText,
  contentType: maybeText,
  lastModified: maybeText,
});
const slot = z.object({ preSignedUrl: maybeText, url: maybeText });
const entry = z.object({
  key: z.string(),
  isFolder: maybeFlag,
  size: maybeNumber,
  lastModified: maybeText,
});
const entries = z.array(entry);

/** Routes of the objects of a bucket, in a session. */
export const objectRoutes = {
  list: inRows(
    endpoint(
      "read",
      "GET /kos/v1/buckets/{bucket}/objects",
      z.union([z.object({ objects: z.nullable(entries) }), entries]),
      inSession,
    ),
    entry,
  ),
  upload: endpoint("update", "PUT /kos/v1/buckets/{bucket}/objects", slot, {
    ...inSession,
    body: json<{ prefix: string }>(),
    writes: ["checksum", "contentType"],
  }),
  uploadNewForm: endpoint("create", "PUT /kos/v1/buckets/{bucket}/objects", undefined, inSession),
  uploadForm: endpoint("update", "PUT /kos/v1/buckets/{bucket}/objects", undefined, inSession),
  delete: endpoint("delete", "POST /kos/v1/buckets/{bucket}/objects/delete", undefined, {
    ...inSession,
    body: json<{ objectkey: string }>(),
  }),
  download: endpoint(
    "read",
    "POST /kos/v1/buckets/{bucket}/objects/download",
    z.object({ preSignedUrl: z.string() }),
    { ...inSession, body: json<{ objectkey: string }>() },
  ),
  metadata: endpoint("read", "POST /kos/v1/buckets/{bucket}/objects/metadata", metadata, {
    ...inSession,
    body: json<{ objectkey: string }>(),
  }),
  rename: endpoint("action", "POST /kos/v1/buckets/{bucket}/objects/rename", undefined, {
    ...inSession,
    body: json<{ oldKey: string; newKey: string }>(),
  }),
  move: endpoint("action", "POST /kos/v1/buckets/{bucket}/objects/move", undefined, {
    ...inSession,
    body: json<{ sourceKey: string; destinationKey: string; action: "move" | "copy" }>(),
  }),
};

/** Route of an upload, which writes content and content type. */
export const uploadRoute = objectRoutes.upload;

/** Metadata of an object. */
export type Metadata = z.infer<typeof metadata>;
/** Object in a listing, with its complete key and its size in bytes. */
export type Listed = Partial<z.infer<typeof entry>> & { readonly key: string };

/** Reads the metadata of an object, with the etag unquoted; returns undefined for a 404. */
export async function findObject(api: Api, bucket: string, key: string): Promise<Metadata | undefined> {
  const found = await api.find(objectRoutes.metadata, { path: { bucket }, body: { objectkey: key } });
  return found && { ...found, etag: found.etag?.replace(/^"(.*)"$/, "$1") };
}

const isDigest = (etag = ""): boolean => /^[\da-f]{32}$/i.test(etag);

/**
 * Returns true if size and etag prove that the object has this content. The etag is an MD5 only for content uploaded in one
 * request.
 */
export const hasContent = (
  { size_bytes, etag }: { readonly [N in "size_bytes" | "etag"]: Metadata[N] | undefined },
  { size, md5 }: Content,
): boolean => size_bytes === size && etag?.toLowerCase() === md5;

/** Returns true if the object may have this content: if the etag is not an MD5, only the size is compared. */
export const mayHaveContent = (found: Metadata, content: Content): boolean =>
  isDigest(found.etag) ? hasContent(found, content) : found.size_bytes === content.size;

const tries = 3;

/** Content to upload to a key of a bucket. */
interface Upload {
  readonly bucket: string;
  readonly key: string;
  readonly content: Content;
  readonly type: string | undefined;
  /** True to upload only if the key has no object; a storage without this condition overwrites the object. */
  readonly isNew: boolean;
}

/**
 * Uploads content to a key. The upload is idempotent: after an ambiguous response it is repeated, up to three requests in
 * total, unless a read shows the content and its type.
 */
export async function upload(api: Api, wanted: Upload): Promise<void> {
  const { bucket, key, content, type } = wanted;
  let { isNew } = wanted;
  let unclear: unknown;
  for (let sent = 1; ; sent++) {
    try {
      return await uploadOnce(api, { ...wanted, isNew });
    } catch (error) {
      // An earlier request may have stored the object of the key.
      if (unclear !== undefined && isConflict(error)) throw unclear;
      if (isNew && isUnsupported(error)) {
        isNew = false;
        continue;
      }
      if (!isAmbiguous(error) || sent === tries) throw error;
      unclear = error;
      const found = await findObject(api, bucket, key);
      const isStored = found !== undefined && hasContent(found, content);
      if (isStored && (type === undefined || found.contentType === type)) return;
    }
  }
}

/** Returns true for the response of a storage without the condition of an upload (docs/contract.md#17.6). */
const isUnsupported = (error: unknown): boolean => error instanceof CloudError && error.status === 501;

/** Uploads to the URL in the response or, without one, as a form (docs/contract.md#17.6). */
async function uploadOnce(api: Api, { bucket, key, content, type, isNew }: Upload): Promise<void> {
  const { preSignedUrl, url } = await api.send(objectRoutes.upload, {
    path: { bucket },
    body: { prefix: key },
  });
  const address = preSignedUrl ?? url;
  if (address !== undefined) return api.transfer.put(address, content, { type, isNew });
  const file = { name: key.slice(key.lastIndexOf("/") + 1), content, type };
  const form = { fields: { prefix: key }, file };
  // A create, so that the engine searches before it repeats the request, which would fail if the first one was executed.
  if (isNew)
    await api.send(objectRoutes.uploadNewForm, { path: { bucket }, headers: { "if-none-match": "*" }, form });
  else await api.send(objectRoutes.uploadForm, { path: { bucket }, form });
}

/** Streams the content of an object to `receive`. Throws `CloudError`, also for an incomplete transfer. */
export async function download(
  api: Api,
  bucket: string,
  key: string,
  receive: (part: Uint8Array) => void | Promise<void>,
): Promise<void> {
  await api.transfer.get(await downloadAddress(api, bucket, key), receive);
}

/** Returns a URL that downloads an object without credentials until it expires. */
export async function downloadAddress(api: Api, bucket: string, key: string): Promise<string> {
  const { preSignedUrl } = await api.send(objectRoutes.download, {
    path: { bucket },
    body: { objectkey: key },
  });
  return preSignedUrl;
}

/** Size and etag of an object. */
type Facts = Pick<Metadata, "etag"> & { readonly size_bytes: number | undefined };

/**
 * Compares the content of two objects by size and etag: "same", "other", or "unknown" for different etags of which one is
 * not an MD5.
 */
export function compareContent(a: Facts, b: Facts): "same" | "other" | "unknown" {
  if (a.size_bytes !== b.size_bytes) return "other";
  if (a.etag !== undefined && a.etag === b.etag) return "same";
  return isDigest(a.etag) && isDigest(b.etag) ? "other" : "unknown";
}

/** Returns the problem of a target key with another object, as the end of a sentence. `from` is the key of the original. */
export const keyConflict = (from: string, compared: "other" | "unknown"): string =>
  compared === "other"
    ? "is the key of another object of the bucket"
    : `is the key of an object of the same size as ${from}, and their etags do not tell whether it is a copy of it: delete one of the two, or choose another key`;

/** Moves, copies or renames an object with a single request, which is not repeated. */
export async function moveObject(
  api: Api,
  {
    bucket,
    action,
    from,
    to,
  }: {
    readonly bucket: string;
    readonly action: "move" | "copy" | "rename";
    readonly from: string;
    readonly to: string;
  },
): Promise<void> {
  const where = { path: { bucket } };
  if (action === "rename")
    await api.send(objectRoutes.rename, { ...where, body: { oldKey: from, newKey: to } });
  else await api.send(objectRoutes.move, { ...where, body: { sourceKey: from, destinationKey: to, action } });
}

export async function deleteObject(api: Api, bucket: string, key: string): Promise<void> {
  await api.send(objectRoutes.delete, { path: { bucket }, body: { objectkey: key } });
}

/**
 * Renames an object. The API copies the object and deletes the original (docs/contract.md#9.5). With `repeated` an earlier
 * request may have been executed: an object with the new key is its copy if it has the content of the original or, once
 * the original is gone, may have it or has the content that was to be uploaded then. Throws `InputError` for any other.
 */
export async function rename(
  api: Api,
  { bucket, from, to, original, uploaded, repeated }: Rename,
): Promise<void> {
  const copy = repeated ? await findObject(api, bucket, to) : undefined;
  if (copy !== undefined) {
    const isGone = (await findObject(api, bucket, from)) === undefined;
    const compared = compareContent(copy, { size_bytes: original.sizeBytes, etag: original.etag });
    const isUploaded = uploaded !== undefined && hasContent(copy, uploaded);
    const isCopy = compared === "same" || (isGone && (compared === "unknown" || isUploaded));
    if (!isCopy) throw new InputError([{ path: ["key"], problem: `${to} ${keyConflict(from, compared)}` }]);
    if (isGone) return;
  }
  await api.send(objectRoutes.rename, { path: { bucket }, body: { oldKey: from, newKey: to } });
}

/** Object to rename. */
interface Rename {
  readonly bucket: string;
  readonly from: string;
  readonly to: string;
  /** Stored values of the object. */
  readonly original: Original;
  /** Content that an earlier attempt may have uploaded after the rename. */
  readonly uploaded: Content | undefined;
  /** True if an earlier request may have been executed. */
  readonly repeated: boolean;
}

/** Stored values of the object to rename. */
type Original = { readonly sizeBytes?: number | undefined; readonly etag?: string | undefined };

/**
 * Lists the objects of a bucket whose key starts with the prefix. If the API returns a folder as one entry, its content
 * is listed too. The entry of the folder, which may be an object itself, follows its content.
 */
export async function listObjects(api: Api, bucket: string, prefix = ""): Promise<Listed[]> {
  const all: Listed[] = [];
  await gather(api, bucket, prefix, all);
  return all;
}

async function gather(api: Api, bucket: string, prefix: string, all: Listed[]): Promise<void> {
  const query = { prefix: prefix === "" ? undefined : prefix };
  const found = await api.send(objectRoutes.list, { path: { bucket }, query });
  const shown = new Set<string>();
  for (const row of found) {
    if (row.isFolder) continue;
    all.push(row);
    shown.add(folderOf(row.key, prefix));
  }
  for (const { key, isFolder } of found) {
    const folder = key.endsWith("/") ? key : `${key}/`;
    if (!isFolder || !folder.startsWith(prefix) || folder === prefix) continue;
    // A recursive listing already contains the content.
    if (!shown.has(folder)) await gather(api, bucket, folder, all);
    all.push({ key, isFolder });
  }
}

/** Returns the folder of a key directly below the prefix; an empty string if there is none. */
const folderOf = (key: string, prefix: string): string => key.slice(0, key.indexOf("/", prefix.length) + 1);
