import { Refusal } from "../http/wire.ts";
import { imageKrn, images } from "../model/catalogue.ts";
import { type Cloud, existing, isReady, newResource } from "../model/cloud.ts";
import type { Resource } from "../state/store.ts";
import { startWork, workState } from "../state/work.ts";

/** An image of one's own: made from a machine or uploaded. It hangs on nothing. */
export type Image = Resource & {
  /** The task of its machine that makes it, where the create was answered by one. */
  taskId: string | null;
};

export const imageModel = (cloud: Cloud) => cloud.store.model<Image>("image");

/** The images of the catalogue and one's own, as they can be named in the region. */
export function publicImages(region: string): { readonly krn: string; readonly name: string }[] {
  return images.map(({ name, uuid }) => ({ krn: imageKrn(region, uuid), name }));
}

/** The image that something is made of: 404 with the list of those there are, 409 while it is being made. */
export function requireImage(
  cloud: Cloud,
  krn: string,
  region: string,
): { readonly krn: string; readonly name: string } {
  const own = existing(cloud, imageModel(cloud).all()).filter((resource) => resource.region === region);
  const image = own.find((resource) => resource.krn === krn);
  if (image && !isReady(cloud, image))
    throw new Refusal(409, `image ${image.name} is ${imageStatus(image, cloud.now)}`);
  const found = image ?? publicImages(region).find((candidate) => candidate.krn === krn);
  if (found) return found;
  const known = [...publicImages(region), ...own].map((candidate) => candidate.krn).join(", ");
  throw new Refusal(404, `image ${krn} not found; there are ${known}`);
}

/** The status of an image of one's own. No source has its words (contract 17.4). */
export function imageStatus(image: Image, at: number): string {
  const state = workState(image.work, at);
  if (state === "failed") return "error";
  return state === "success" ? "active" : "creating";
}

/** Begins an image: it is made when a task's time is over. */
export function insertImage(cloud: Cloud, region: string, name: string, failure: string | undefined): Image {
  return imageModel(cloud).insert({
    ...newResource(cloud, "vm", "image", region),
    name,
    parents: [],
    work: startWork(cloud.now, cloud.settings.taskMs, failure),
    taskId: null,
  });
}
