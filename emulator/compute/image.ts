import * as z from "zod";
import { copyModel, deleteCopy, requireCopy } from "../block-storage/volume-copy.ts";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import {
  type Cloud,
  deleteResource,
  isReady,
  listed,
  listingTime,
  lookUp,
  refuseDuplicateName,
} from "../model/cloud.ts";
import { imageModel, imageStatus, insertImage, publicImages } from "../model/image.ts";
import { addTask, type Instance, instanceStatus, requireInstance } from "../model/instance.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { count, optionalText, page, regional, text } from "../model/schema.ts";
import { imageUploads } from "./image-upload.ts";

const listImages = operation({
  name: "list_images",
  method: "GET",
  path: "/vm/v1/image/{region}",
  section: "5",
  source: "client",
  query: z.strictObject({ region_id: optionalText, page: count.optional(), limit: count.optional() }),
  // No source shows the fields of an element (docs/contract.md#5); these are an assumption (docs/contract.md#17.4).
  handle(cloud, { query, path: { region } }) {
    if (query.region_id !== undefined && query.region_id !== region)
      throw new Refusal(400, `query region_id: is not that of the path, ${region}`);
    const created = listed(cloud, imageModel(cloud).all()).filter((resource) => resource.region === region);
    const images = [
      ...publicImages(region).map((image) => ({ ...image, status: "active" })),
      ...created.map((resource) => ({
        krn: resource.krn,
        name: resource.name,
        status: imageStatus(resource, listingTime(cloud)),
      })),
    ];
    const { rows } = page(images, { page: query.page, size: query.limit });
    return { status: 200, body: { images: rows } };
  },
});

/** Rejects an instance that is not ready. */
function checkImageSource(cloud: Cloud, instance: Instance): void {
  if (isReady(cloud, instance)) return;
  throw new Refusal(409, `instance ${instance.name} is ${instanceStatus(cloud, instance, cloud.now)}`);
}

const createImage = operation({
  name: "create_image",
  method: "POST",
  path: "/vm/v1/instance/createimage/{instance}",
  section: "5",
  source: "client",
  headers: regional,
  body: z.strictObject({
    name: text,
    instance_krn: text.optional(),
    description: z.string().optional(),
  }),
  handle(cloud, { headers, body, path }) {
    const region = headers["x-region"];
    refuseByName(body.name);
    if (body.instance_krn !== undefined && body.instance_krn !== path.instance)
      throw new Refusal(400, "instance_krn: is not that of the path");
    const instance = requireInstance(cloud, path.instance, region);
    checkImageSource(cloud, instance);
    refuseDuplicateName(cloud, imageModel(cloud).all(), region, "image", body.name);
    const image = insertImage(cloud, region, body.name, failureByName(body.name));
    if (cloud.settings.assume.imageCreateAnswer === "image")
      return { status: 200, body: { image: image.krn } };
    image.taskId = addTask(cloud, instance, image.work);
    return { status: 202, body: { task_id: image.taskId } };
  },
});

const deleteImage = operation({
  name: "delete_image",
  method: "DELETE",
  path: "/vm/v1/image/{image}",
  section: "5",
  source: "client",
  query: z.strictObject({ snapshot_krn: optionalText }),
  handle(cloud, { query, path: { image: krn } }) {
    if (query.snapshot_krn !== undefined && query.snapshot_krn !== krn)
      throw new Refusal(400, "query snapshot_krn: is not that of the path");
    const [, , region = ""] = krn.split(":");
    if (publicImages(region).some((image) => image.krn === krn))
      throw new Refusal(403, `image ${krn} is public`);
    if (copyModel(cloud, "snapshot").get(krn)) {
      deleteCopy(cloud, "snapshot", requireCopy(cloud, "snapshot", krn, {}));
      return { status: 204 };
    }
    const image = lookUp(cloud, imageModel(cloud), krn, `image ${krn} not found`);
    if (cloud.now < image.work.endsAt) throw new Refusal(409, `image ${image.name} is creating`);
    deleteResource(cloud, image, 0);
    return { status: 204 };
  },
});

/** Public images of the catalogue and private images. */
export const imageKind: ResourceKind = {
  name: "image",
  operations: [listImages, createImage, deleteImage, ...imageUploads],
};
