import { Refusal } from "../http/wire.ts";
import type { Resource } from "../state/store.ts";
import { startWork, workState } from "../state/work.ts";
import { imageKrn, images } from "./catalogue.ts";
import { type Cloud, existing, isReady, newResource } from "./cloud.ts";

/** Private image, created from an instance or uploaded. It has no dependencies. */
export type Image = Resource & {
  /** Task of the instance that creates the image, if the create returned one. */
  taskId: string | null;
};

export const imageModel = (cloud: Cloud) => cloud.store.model<Image>("image");

/** Returns the public images of a region. */
export function publicImages(region: string): { readonly krn: string; readonly name: string }[] {
  return images.map(({ name, uuid }) => ({ krn: imageKrn(region, uuid), name }));
}

/** Returns an image to create from: 404 with the list of the existing ones, 409 while it is being created. */
export function requireImage(
  cloud: Cloud,
  krn: string,
  region: string,
): { readonly krn: string; readonly name: string } {
  const created = existing(cloud, imageModel(cloud).all()).filter((resource) => resource.region === region);
  const image = created.find((resource) => resource.krn === krn);
  if (image && !isReady(cloud, image))
    throw new Refusal(409, `image ${image.name} is ${imageStatus(image, cloud.now)}`);
  const usable = image ?? publicImages(region).find((candidate) => candidate.krn === krn);
  if (usable) return usable;
  const krns = [...publicImages(region), ...created].map((candidate) => candidate.krn).join(", ");
  throw new Refusal(404, `image ${krn} not found; there are ${krns}`);
}

/** Returns the status of a private image. Its values are an assumption (docs/contract.md#17.4). */
export function imageStatus(image: Image, time: number): string {
  const state = workState(image.work, time);
  if (state === "failed") return "error";
  return state === "success" ? "active" : "creating";
}

/** Inserts an image whose creation takes a task's duration. */
export function insertImage(cloud: Cloud, region: string, name: string, failure: string | undefined): Image {
  return imageModel(cloud).insert({
    ...newResource(cloud, "vm", "image", region),
    name,
    parents: [],
    work: startWork(cloud.now, cloud.settings.taskMs, failure),
    taskId: null,
  });
}
