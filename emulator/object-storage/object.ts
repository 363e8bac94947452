import * as z from "zod";
import { refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { accountOperation, type ObjectHeaders } from "../iam/account-header.ts";
import { type Cloud, listed } from "../model/cloud.ts";
import type { Operation, OperationDeclaration } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { formFile, optionalText, text } from "../model/schema.ts";
import { isoTime } from "../state/clock.ts";
import { contentOf } from "../state/content.ts";
import { type Bucket, requireBucket } from "./bucket-model.ts";
import { objectContents } from "./object-content.ts";
import {
  checkCondition,
  copyObject,
  etagOf,
  objectModel,
  putObject,
  removeObject,
  requireObject,
  type StoredObject,
} from "./object-model.ts";
import { authorizeSession } from "./object-session-model.ts";
import { presignUrl } from "./presigned-url.ts";

const objectsPath = "/kos/v1/buckets/{bucket}/objects";

type BucketRequest = {
  readonly bucket: Bucket;
  readonly origin: string;
  /** Header `If-None-Match`. */
  readonly condition: string | undefined;
};
type ObjectRequest<B, Q> = BucketRequest & { readonly body: B; readonly query: Q };

/** Declares an operation on the objects of a bucket that requires a session. */
function objectOperation<B = unknown, Q = unknown>(
  declaration: Pick<
    OperationDeclaration<typeof objectsPath, ObjectHeaders, Q, B>,
    "name" | "method" | "changes" | "query" | "body" | "encoding"
  > & {
    /** Last segment of the path. */
    readonly action?: string;
    readonly source?: "client";
    readonly handle: (cloud: Cloud, call: ObjectRequest<B, Q>) => object;
  },
): Operation {
  const { action, source = "seed", handle, ...rest } = declaration;
  return accountOperation<typeof objectsPath, Q, B>({
    ...rest,
    source,
    section: "9.5",
    path: (action === undefined ? objectsPath : `${objectsPath}/${action}`) as typeof objectsPath,
    handle(cloud, { path: { bucket: id }, headers, query, body, origin }) {
      authorizeSession(cloud, headers["x-session-token"]);
      const bucket = requireBucket(cloud, id, headers);
      const condition = headers["if-none-match"];
      return { status: 200, body: handle(cloud, { bucket, origin, condition, query, body }) };
    },
  });
}

const longest = 1024;
const key = text.refine((value) => Buffer.byteLength(value) <= longest, {
  error: `must be at most ${longest} bytes`,
});
const objectKeyBody = z.strictObject({ objectkey: key });

type ObjectEntry = { key: string; isFolder: boolean; size: number; lastModified: string };

const entryOf = ({ name, size, updatedAt }: StoredObject): ObjectEntry => ({
  key: name,
  isFolder: name.endsWith("/"),
  size,
  lastModified: isoTime(updatedAt),
});

/** Returns the entries of a folder, each subfolder as one entry; all objects below when the switch selects it. */
function entriesBelow(cloud: Cloud, bucket: Bucket, prefix: string): ObjectEntry[] {
  const resources = objectModel(cloud)
    .all()
    .filter(({ name, parents }) => parents[0] === bucket.krn && name.startsWith(prefix) && name !== prefix);
  const entries = new Map<string, ObjectEntry>();
  for (const resource of listed(cloud, resources)) {
    const end = resource.name.indexOf("/", prefix.length) + 1;
    const isBelow = cloud.settings.assume.objectListDepth === "folder" && end > 0;
    const entry = entryOf(resource);
    const key = isBelow ? resource.name.slice(0, end) : resource.name;
    entries.set(key, isBelow ? { ...entry, key, isFolder: true, size: 0 } : entry);
  }
  return [...entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const listObjects = objectOperation({
  name: "list_objects",
  method: "GET",
  query: z.strictObject({ prefix: optionalText }),
  handle(cloud, { bucket, query: { prefix = "" } }) {
    const objects = entriesBelow(cloud, bucket, prefix);
    return cloud.settings.assume.objectListShape === "array" ? objects : { prefix, objects };
  },
});

const uploadObject = objectOperation({
  name: "upload_object",
  method: "PUT",
  encoding: "json or multipart",
  body: z.strictObject({ prefix: key, file: formFile.optional() }),
  handle(cloud, { bucket, origin, condition, body: { prefix, file } }) {
    const { uploadShape, uploadAddressName } = cloud.settings.assume;
    refuseByName(prefix);
    if (uploadShape === "pre-signed") {
      if (file !== undefined) throw new Refusal(400, "file: must be sent to the URL in the response");
      const address = presignUrl(cloud, origin, { method: "PUT", bucket: bucket.krn, key: prefix });
      return { objectKey: prefix, message: "upload started", [uploadAddressName]: address };
    }
    if (file === undefined) return { objectKey: prefix, message: "send the file as multipart/form-data" };
    checkCondition(cloud, bucket, prefix, condition);
    putObject(cloud, bucket, prefix, contentOf(file.bytes), file.contentType);
    return { objectKey: prefix, message: "file uploaded" };
  },
});

const deleteObject = objectOperation({
  name: "delete_object",
  method: "POST",
  action: "delete",
  body: objectKeyBody,
  handle(cloud, { bucket, body: { objectkey } }) {
    removeObject(cloud, requireObject(cloud, bucket, objectkey));
    return { objectKey: objectkey, message: "object deleted" };
  },
});

/** Returns a pre-signed URL that downloads an object. */
function downloadUrl(
  cloud: Cloud,
  { bucket, origin }: Pick<BucketRequest, "bucket" | "origin">,
  objectkey: string,
): string {
  requireObject(cloud, bucket, objectkey);
  return presignUrl(cloud, origin, { method: "GET", bucket: bucket.krn, key: objectkey });
}

const downloadObject = objectOperation({
  name: "download_object",
  method: "POST",
  changes: false,
  action: "download",
  body: objectKeyBody,
  handle: (cloud, { body: { objectkey }, ...place }) => ({
    objectKey: objectkey,
    preSignedUrl: downloadUrl(cloud, place, objectkey),
  }),
});

const presignObject = objectOperation({
  name: "presign_object",
  method: "POST",
  changes: false,
  action: "url",
  source: "client",
  body: objectKeyBody,
  handle: (cloud, { body: { objectkey }, ...place }) => ({ url: downloadUrl(cloud, place, objectkey) }),
});

const getObjectMetadata = objectOperation({
  name: "get_object_metadata",
  method: "POST",
  changes: false,
  action: "metadata",
  body: objectKeyBody,
  handle(cloud, { bucket, body: { objectkey } }) {
    const object = requireObject(cloud, bucket, objectkey);
    return {
      key: object.name,
      size_bytes: object.size,
      storage_class: "STANDARD",
      etag: etagOf(cloud, object),
      contentType: object.contentType,
      lastModified: isoTime(object.updatedAt),
    };
  },
});

function moveObject(
  cloud: Cloud,
  { bucket }: Pick<BucketRequest, "bucket">,
  from: string,
  to: string,
  copies: boolean,
): void {
  const object = requireObject(cloud, bucket, from);
  copyObject(cloud, bucket, object, to);
  if (!copies) removeObject(cloud, object);
}

const moveObjectTo = objectOperation({
  name: "move_object",
  method: "POST",
  action: "move",
  // One client omits the action (docs/contract.md#9.5).
  body: z.strictObject({
    sourceKey: key,
    destinationKey: key,
    action: z.enum(["move", "copy"]).default("move"),
  }),
  handle(cloud, { body: { sourceKey, destinationKey, action }, ...place }) {
    moveObject(cloud, place, sourceKey, destinationKey, action === "copy");
    return { sourceKey, destinationKey, message: action === "copy" ? "object copied" : "object moved" };
  },
});

const renameObject = objectOperation({
  name: "rename_object",
  method: "POST",
  action: "rename",
  body: z.strictObject({ oldKey: key, newKey: key }),
  handle(cloud, { body: { oldKey, newKey }, ...place }) {
    moveObject(cloud, place, oldKey, newKey, false);
    return { oldKey, newKey, message: "object renamed" };
  },
});

/** Objects of a bucket. */
export const objectKind: ResourceKind = {
  name: "object",
  operations: [
    listObjects,
    uploadObject,
    deleteObject,
    downloadObject,
    presignObject,
    getObjectMetadata,
    moveObjectTo,
    renameObject,
    ...objectContents,
  ],
};
