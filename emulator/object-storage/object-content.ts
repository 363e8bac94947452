import * as z from "zod";
import { type Operation, operation } from "../model/operation.ts";
import { text } from "../model/schema.ts";
import { requireBucket } from "./bucket-model.ts";
import { checkCondition, contentOfObject, etagOf, putObject, requireObject } from "./object-model.ts";
import { checkPresignedUrl, presignedPath } from "./presigned-url.ts";

/** Routes of pre-signed URLs. They are on the emulator's own host and need no credential. */

const query = z.strictObject({ expires: text, token: text });

const getObjectContent = operation({
  name: "get_object_content",
  method: "GET",
  path: presignedPath,
  section: "9.5",
  source: "assumption",
  open: true,
  query,
  handle(cloud, { query, path: { bucket: krn, object: key } }) {
    checkPresignedUrl(cloud, { method: "GET", bucket: krn, key }, query);
    const object = requireObject(cloud, requireBucket(cloud, krn), key);
    const headers = { "content-type": object.contentType, etag: etagOf(cloud, object) };
    return { status: 200, headers, content: contentOfObject(cloud, object) };
  },
});

const putObjectContent = operation({
  name: "put_object_content",
  method: "PUT",
  path: presignedPath,
  section: "9.5",
  source: "assumption",
  open: true,
  headers: z.object({ "content-type": text.optional(), "if-none-match": text.optional() }),
  query,
  bytes: true,
  handle(cloud, { query, headers, content, path: { bucket: krn, object: key } }) {
    checkPresignedUrl(cloud, { method: "PUT", bucket: krn, key }, query);
    const bucket = requireBucket(cloud, krn);
    checkCondition(cloud, bucket, key, headers["if-none-match"]);
    const object = putObject(cloud, bucket, key, content, headers["content-type"]);
    return { status: 200, headers: { etag: etagOf(cloud, object) } };
  },
});

export const objectContents: readonly Operation[] = [getObjectContent, putObjectContent];
