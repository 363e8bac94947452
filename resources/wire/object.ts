import * as z from "zod/mini";
import { InputError, isAmbiguous } from "../../provider/core/error.ts";
import type { Api } from "../../provider/definition/api.ts";
import type { Content } from "../../provider/definition/content.ts";
import { endpoint, inRows } from "../../provider/definition/endpoint.ts";
import { maybeFlag, maybeNumber, maybeText } from "../../provider/definition/validator.ts";

/** Objects of a bucket as the cloud writes them (docs/contract.md#9.5). */

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

const routes = {
  list: inRows(
    endpoint(
      "read",
      "GET /kos/v1/buckets/{bucket}/objects",
      z.union([z.object({ objects: z.nullable(entries) }), entries]),
      inSession,
    ),
    entry,
  ),
  upload: endpoint("update", "PUT /kos/v1/buckets/{bucket}/objects", slot, inSession),
  uploadForm: endpoint("update", "PUT /kos/v1/buckets/{bucket}/objects", undefined, inSession),
  delete: endpoint("delete", "POST /kos/v1/buckets/{bucket}/objects/delete", undefined, inSession),
  download: endpoint(
    "read",
    "POST /kos/v1/buckets/{bucket}/objects/download",
    z.object({ preSignedUrl: z.string() }),
    inSession,
  ),
  metadata: endpoint("read", "POST /kos/v1/buckets/{bucket}/objects/metadata", metadata, inSession),
  rename: endpoint("action", "POST /kos/v1/buckets/{bucket}/objects/rename", undefined, inSession),
  move: endpoint("action", "POST /kos/v1/buckets/{bucket}/objects/move", undefined, inSession),
};

/** What the cloud tells of an object. */
export type Metadata = z.infer<typeof metadata>;
/** An object as a listing shows it: its whole key, its size in bytes. */
export type Listed = Partial<z.infer<typeof entry>> & { readonly key: string };

/** What the cloud tells of an object now; undefined where there is none. */
export async function findObject(api: Api, bucket: string, key: string): Promise<Metadata | undefined> {
  const found = await api.find(routes.metadata, { path: { bucket }, body: { objectkey: key } });
  return found && { ...found, etag: found.etag?.replace(/^"(.*)"$/, "$1") };
}

const isDigest = (etag = ""): boolean => /^[\da-f]{32}$/i.test(etag);

/** Whether it is certainly this content. An etag is the MD5 of what was sent at once, and else tells nothing. */
export const isCertainly = ({ size_bytes, etag }: Metadata, { size, md5 }: Content): boolean =>
  size_bytes === size && etag?.toLowerCase() === md5;

/** Whether it can be this content, as far as the cloud tells. */
export const isPerhaps = (found: Metadata, content: Content): boolean =>
  isDigest(found.etag) ? isCertainly(found, content) : found.size_bytes === content.size;

const tries = 3;

/** Content on its way to a key of a bucket. */
interface Upload {
  readonly bucket: string;
  readonly key: string;
  readonly content: Content;
  readonly type: string | undefined;
}

/**
 * Sends content to a key. It is the same however often it is sent; what got no clear answer is sent again, unless the
 * cloud shows that it is there.
 */
export async function upload(api: Api, wanted: Upload): Promise<void> {
  const { bucket, key, content, type } = wanted;
  for (let sent = 1; ; sent++) {
    try {
      return await uploadOnce(api, wanted);
    } catch (error) {
      if (!isAmbiguous(error) || sent === tries) throw error;
      const found = await findObject(api, bucket, key);
      const isThere = found !== undefined && isCertainly(found, content);
      if (isThere && (type === undefined || found.contentType === type)) return;
    }
  }
}

/** To the address that the cloud gives for it; where it gives none, as a form (docs/contract.md#17.6). */
async function uploadOnce(api: Api, { bucket, key, content, type }: Upload): Promise<void> {
  const { preSignedUrl, url } = await api.send(routes.upload, { path: { bucket }, body: { prefix: key } });
  const address = preSignedUrl ?? url;
  if (address !== undefined) return api.transfer.put(address, content, type);
  const file = { name: key.slice(key.lastIndexOf("/") + 1), content, type };
  await api.send(routes.uploadForm, { path: { bucket }, form: { fields: { prefix: key }, file } });
}

/** Gives an object's content to `receive`, as it comes. Throws `CloudError`, also where it breaks off. */
export async function download(
  api: Api,
  bucket: string,
  key: string,
  receive: (part: Uint8Array) => void | Promise<void>,
): Promise<void> {
  await api.transfer.get(await downloadAddress(api, bucket, key), receive);
}

/** An address from which an object can be had without credentials, until it expires. */
export async function downloadAddress(api: Api, bucket: string, key: string): Promise<string> {
  const { preSignedUrl } = await api.send(routes.download, { path: { bucket }, body: { objectkey: key } });
  return preSignedUrl;
}

/** Whether two objects hold the same, as far as the cloud tells. */
export const isSameContent = (a: Metadata, b: Metadata): boolean =>
  a.size_bytes === b.size_bytes && (a.etag === b.etag || !isDigest(a.etag) || !isDigest(b.etag));

/** Gives an object another key, or a second one: one request, once. */
export async function moveObject(
  api: Api,
  bucket: string,
  action: "move" | "copy" | "rename",
  from: string,
  to: string,
): Promise<void> {
  const where = { path: { bucket } };
  if (action === "rename") await api.send(routes.rename, { ...where, body: { oldKey: from, newKey: to } });
  else await api.send(routes.move, { ...where, body: { sourceKey: from, destinationKey: to, action } });
}

/** Takes an object out of its bucket. */
export async function deleteObject(api: Api, bucket: string, key: string): Promise<void> {
  await api.send(routes.delete, { path: { bucket }, body: { objectkey: key } });
}

/**
 * Gives an object another key, under which nothing else may be. The cloud copies it and deletes the original
 * (docs/contract.md#9.5): where an answer was lost after one of both, this goes on from there.
 */
export async function rename(api: Api, bucket: string, from: string, to: string, was: Was): Promise<void> {
  const there = await findObject(api, bucket, to);
  if (there !== undefined) {
    const isCopy = there.size_bytes === was.sizeBytes && (there.etag === was.etag || !isDigest(there.etag));
    if (!isCopy)
      throw new InputError([{ path: ["key"], problem: `${to} is the key of another object of the bucket` }]);
    if ((await findObject(api, bucket, from)) === undefined) return;
  }
  await api.send(routes.rename, { path: { bucket }, body: { oldKey: from, newKey: to } });
}

/** What is remembered of the object that is renamed. */
type Was = { readonly sizeBytes?: number | undefined; readonly etag?: string | undefined };

/**
 * Every object of a bucket whose key begins with the prefix. Where the cloud shows a folder as one entry, what is in it
 * is listed too; the folder itself may be an object as well, and comes after what is in it.
 */
export async function listObjects(api: Api, bucket: string, prefix = ""): Promise<Listed[]> {
  const all: Listed[] = [];
  await gather(api, bucket, prefix, all);
  return all;
}

async function gather(api: Api, bucket: string, prefix: string, all: Listed[]): Promise<void> {
  const query = { prefix: prefix === "" ? undefined : prefix };
  const found = await api.send(routes.list, { path: { bucket }, query });
  const shown = new Set<string>();
  for (const row of found) {
    if (row.isFolder) continue;
    all.push(row);
    shown.add(folderOf(row.key, prefix));
  }
  for (const { key, isFolder } of found) {
    const folder = key.endsWith("/") ? key : `${key}/`;
    if (!isFolder || !folder.startsWith(prefix) || folder === prefix) continue;
    // A listing of all that is below has shown it already.
    if (!shown.has(folder)) await gather(api, bucket, folder, all);
    all.push({ key, isFolder });
  }
}

/** The folder that a key is in, right below the prefix. */
const folderOf = (key: string, prefix: string): string => key.slice(0, key.indexOf("/", prefix.length) + 1);
