import * as z from "zod/mini";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { field } from "../../provider/definition/field.ts";
import { maybeFlag, maybeNumber, maybeText } from "../../provider/definition/validator.ts";
import { objectRoutes } from "../../resources/wire/object.ts";
import { answerOf } from "../answer.ts";
import { operation } from "../operation.ts";
import { flagOf, messageFields, optionalText, requiredText } from "../parameter.ts";

const section = "9.5";

const bucketId = requiredText("ID of the bucket.");
const key = requiredText("Key of the object.");
const address = requiredText("Pre-signed URL, which grants access to the object until it expires.", {
  secret: true,
});

/** Parameters and request of an operation on an object. */
const ofObject = {
  parameters: { bucketId, key },
  request: (at: { readonly bucketId: string; readonly key: string }) => ({
    path: { bucket: at.bucketId },
    body: { objectkey: at.key },
  }),
};

/** Fields of the response to a request for a pre-signed URL, which grants access to the object. */
const presigned = ["preSignedUrl", "url"];
const done = { objectKey: maybeText, ...messageFields };

const entry = z.object({
  key: z.string(),
  isFolder: maybeFlag,
  size: maybeNumber,
  lastModified: maybeText,
});
const { row, ...list } = objectRoutes.list;

const presign = endpoint(
  "read",
  "POST /kos/v1/buckets/{bucket}/objects/url",
  z.record(z.string(), z.unknown()),
  {
    region: "x-region-id",
    account: true,
    objectSession: true,
    body: json<{ objectkey: string }>(),
  },
);
const foreign = { region: false, anonymous: true } as const;

/** Operations of the objects of a bucket. The requests belong to the session of the access key of the client. */
export const object = {
  listObjects: operation(list, {
    section,
    about: "Lists the objects of a bucket. The API may show a folder as one entry.",
    parameters: { bucketId, prefix: optionalText("Start of the keys.") },
    request: ({ bucketId, prefix }) => ({ path: { bucket: bucketId }, query: { prefix } }),
    answer: z.union([z.object({ prefix: maybeText, objects: z.nullable(z.array(entry)) }), z.array(entry)]),
    listing: { rows: ["objects"], ...(row === undefined ? {} : { row: answerOf(row) ?? row }) },
  }),
  uploadObject: operation(objectRoutes.upload, {
    section,
    about: "Starts the upload of an object and returns the pre-signed URL to which its content is sent.",
    parameters: { bucketId, key },
    request: ({ bucketId, key }) => ({ path: { bucket: bucketId }, body: { prefix: key } }),
    also: done,
    secrets: presigned,
  }),
  deleteObject: operation(objectRoutes.delete, {
    section,
    about: "Deletes an object.",
    ...ofObject,
    also: done,
  }),
  downloadObject: operation(objectRoutes.download, {
    section,
    about: "Returns a pre-signed URL at which the content of an object can be read; `download` reads it.",
    ...ofObject,
    also: { objectKey: maybeText },
    secrets: presigned,
  }),
  presignObject: operation(presign, {
    section,
    about: "Returns pre-signed URLs of an object; the form of the response is not documented.",
    ...ofObject,
    secrets: presigned,
  }),
  getObjectMetadata: operation(objectRoutes.metadata, {
    section,
    about: "Returns size, etag and media type of an object.",
    ...ofObject,
  }),
  moveObject: operation(objectRoutes.move, {
    section,
    about: "Moves or copies an object to another key of its bucket.",
    parameters: {
      bucketId,
      sourceKey: requiredText("Key of the object."),
      destinationKey: requiredText("New key."),
      action: field(z.enum(["move", "copy"]), "`copy` keeps the object at its key, `move` does not."),
    },
    request: ({ bucketId, ...body }) => ({ path: { bucket: bucketId }, body }),
    also: { sourceKey: maybeText, destinationKey: maybeText, ...messageFields },
  }),
  renameObject: operation(objectRoutes.rename, {
    section,
    about: "Renames an object: the API copies it to the new key, then deletes the original.",
    parameters: { bucketId, oldKey: requiredText("Key of the object."), newKey: requiredText("New key.") },
    request: ({ bucketId, ...body }) => ({ path: { bucket: bucketId }, body }),
    also: { oldKey: maybeText, newKey: maybeText, ...messageFields },
  }),
  getObjectContent: operation(endpoint("read", "GET /kos/content/{bucket}/{object}", undefined, foreign), {
    section,
    about: "Reads the content of an object at a pre-signed URL.",
    parameters: { address },
    request: () => ({ path: { bucket: "-", object: "-" } }),
    transfer: "download",
  }),
  putObjectContent: operation(endpoint("update", "PUT /kos/content/{bucket}/{object}", undefined, foreign), {
    section,
    about: "Sends the content of an object to a pre-signed URL.",
    parameters: {
      address,
      contentType: optionalText("Media type of the object, such as `text/plain`."),
      isNew: flagOf("If true, an object of the key is not overwritten."),
    },
    request: () => ({ path: { bucket: "-", object: "-" } }),
    content: "Content of the object.",
    transfer: "upload",
  }),
};
