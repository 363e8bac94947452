import { hash } from "node:crypto";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, existing, newResource } from "../model/cloud.ts";
import type { Content } from "../state/content.ts";
import type { Resource } from "../state/store.ts";
import type { Bucket } from "./bucket-model.ts";

/** Object of a bucket; its name is its key, its first parent the bucket. */
export type StoredObject = Resource & {
  size: number;
  /** MD5 of the content, in hex. */
  etag: string;
  contentType: string;
  /** Id of the content in the content store; copies have the same id. */
  content: string;
};

export const objectModel = (cloud: Cloud) => cloud.store.model<StoredObject>("object");

/** Returns the existing objects of a bucket, sorted by key. */
export function objectsIn(cloud: Cloud, bucketKrn: string): StoredObject[] {
  const resources = objectModel(cloud)
    .all()
    .filter(({ parents }) => parents[0] === bucketKrn);
  return existing(cloud, resources).sort((a, b) => (a.name < b.name ? -1 : 1));
}

const find = (cloud: Cloud, bucket: Bucket, key: string): StoredObject | undefined =>
  objectModel(cloud)
    .all()
    .findLast(
      ({ name, parents, goneAt }) => name === key && parents[0] === bucket.krn && goneAt === undefined,
    );

/** Returns the object of a key; else 404. */
export function requireObject(cloud: Cloud, bucket: Bucket, key: string): StoredObject {
  const object = find(cloud, bucket, key);
  if (object === undefined) throw new Refusal(404, `object ${key} not found`);
  return object;
}

/** Deletes a content if no object refers to it. */
function releaseContent(cloud: Cloud, content: string): void {
  const isUsed = objectModel(cloud)
    .all()
    .some((resource) => resource.content === content && resource.goneAt === undefined);
  if (!isUsed) cloud.contents.delete(content);
}

export function removeObject(cloud: Cloud, object: StoredObject): void {
  deleteResource(cloud, object, 0);
  releaseContent(cloud, object.content);
}

type ObjectContent = Pick<StoredObject, "size" | "etag" | "contentType" | "content">;

/** Inserts or replaces the object of a key with a stored content. */
function place(cloud: Cloud, bucket: Bucket, key: string, facts: ObjectContent): StoredObject {
  const current = find(cloud, bucket, key);
  if (current === undefined)
    return objectModel(cloud).insert({
      ...newResource(cloud, "kos", "object", bucket.region),
      name: key,
      parents: [bucket.krn],
      ...facts,
    });
  const before = current.content;
  Object.assign(current, facts, { updatedAt: cloud.now });
  releaseContent(cloud, before);
  return current;
}

/** Rejects an upload of an existing key with `If-None-Match: *` as the switch selects: 412, or 501. */
export function checkCondition(
  cloud: Cloud,
  bucket: Bucket,
  key: string,
  condition: string | undefined,
): void {
  if (condition === undefined) return;
  const { uploadCondition } = cloud.settings.assume;
  if (uploadCondition === "unsupported") throw new Refusal(501, "header if-none-match: not implemented");
  if (condition !== "*" && uploadCondition === "obeyed")
    throw new Refusal(400, "header if-none-match: must be *");
  if (find(cloud, bucket, key) !== undefined && cloud.decide("uploadCondition") === "obeyed")
    throw new Refusal(412, `object ${key} exists`);
}

/** Stores content as the object of a key. */
export function putObject(
  cloud: Cloud,
  bucket: Bucket,
  key: string,
  content: Content,
  contentType = "application/octet-stream",
): StoredObject {
  const id = cloud.store.newUuid("content");
  cloud.contents.put(id, content);
  return place(cloud, bucket, key, { size: content.size, etag: content.md5, contentType, content: id });
}

/** Copies an object to another key. */
export function copyObject(cloud: Cloud, bucket: Bucket, from: StoredObject, key: string): void {
  if (from.name === key) throw new Refusal(400, "source and destination are the same key");
  const { size, etag, contentType, content } = from;
  place(cloud, bucket, key, { size, etag, contentType, content });
}

export const contentOfObject = ({ contents }: Cloud, { content, size, etag }: StoredObject): Content =>
  contents.get(content, { size, md5: etag });

/** Returns the etag (docs/contract.md#9.5) in the form that the switch selects. */
export function etagOf({ settings }: Cloud, { etag, updatedAt }: StoredObject): string {
  const form = settings.assume.objectEtag;
  if (form === "md5") return etag;
  if (form === "quoted") return `"${etag}"`;
  return `${hash("md5", `${etag} ${updatedAt}`)}-2`;
}
