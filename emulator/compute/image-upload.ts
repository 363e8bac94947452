import * as z from "zod";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import type { OperationResponse } from "../http/wire.ts";
import { type Cloud, refuseDuplicateName } from "../model/cloud.ts";
import { imageModel, insertImage } from "../model/image.ts";
import { type Operation, operation } from "../model/operation.ts";
import { formFile } from "../model/schema.ts";

/** Disk formats of docs/contract.md#5. */
const diskFormats = ["qcow2", "vhd", "vhdx", "vmdk", "raw", "iso"] as const;
const diskFormat = z.enum(diskFormats, `must be one of ${diskFormats.join(", ")}`);

/**
 * Returns the image name of a file: its base name without extension. The form has no name field (docs/contract.md#5).
 */
function imageNameOf(file: string): string {
  const last = file.slice(file.lastIndexOf("/") + 1);
  return last.replace(/\.[^.]*$/, "");
}

function upload(cloud: Cloud, region: string, name: string): OperationResponse {
  refuseByName(name);
  refuseDuplicateName(cloud, imageModel(cloud).all(), region, "image", name);
  insertImage(cloud, region, name, failureByName(name));
  return { status: 202, body: { message: "image upload accepted" } };
}

const sourceUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .transform((url) => imageNameOf(new URL(url).pathname))
  .refine((name) => name !== "", { error: "must name a file" });

const importImage = operation({
  name: "import_image",
  method: "POST",
  path: "/vm/v1/image/bucket/{region}",
  section: "5",
  source: "client",
  encoding: "multipart",
  body: z.strictObject({ diskFormat, image: sourceUrl }),
  handle: (cloud, { body, path: { region } }) => upload(cloud, region, body.image),
});

/** Uploaded file; its bytes are ignored. */
const imageFile = formFile
  .transform(({ filename }) => imageNameOf(filename))
  .refine((name) => name !== "", { error: "must have a file name" });

const uploadImage = operation({
  name: "upload_image",
  method: "POST",
  path: "/vm/v1/image/{region}",
  section: "5",
  source: "client",
  encoding: "multipart",
  // No source shows the fields of the form (docs/contract.md#5): these are the fields of the import, with a file instead of the
  // URL.
  body: z.strictObject({ diskFormat, image: imageFile }),
  handle: (cloud, { body, path: { region } }) => upload(cloud, region, body.image),
});

const listDiskFormats = operation({
  name: "list_disk_formats",
  method: "GET",
  path: "/vm/v1/image/disk-formats",
  section: "5",
  source: "client",
  handle: () => ({ status: 200, body: diskFormats }),
});

/** Operations that import and upload images. */
export const imageUploads: readonly Operation[] = [importImage, uploadImage, listDiskFormats];
