import * as z from "zod/mini";
import { CloudError } from "../../provider/core/error.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeText } from "../../provider/definition/validator.ts";
import { taskWire } from "./instance.ts";
import { counts, everyRow, pageSize } from "./page.ts";

/** Images of a region. The fields of a row are not documented (docs/contract.md#5), so all of them are returned. */

/** Route that lists the images of a region. */
export const imageList = endpoint(
  "read",
  "GET /vm/v1/image/{region}",
  z.object({ images: z.array(z.record(z.string(), z.unknown())), ...counts }),
  { region: false, foreign: true },
);

type ImageRow = { readonly [name: string]: unknown };

/** Returns the first non-empty text under one of several names. */
const textOf = (from: ImageRow, ...names: string[]): string | undefined =>
  names.map((name) => from[name]).find((value): value is string => typeof value === "string" && value !== "");

const shown = (from: ImageRow) => ({
  id: textOf(from, "krn", "image_krn", "id", "_id") ?? "",
  name: textOf(from, "name", "image_name", "imageName"),
  status: textOf(from, "status", "state"),
  raw: Object.fromEntries(
    Object.entries(from).flatMap(([name, value]) =>
      value === null || value === undefined
        ? []
        : [[name, typeof value === "string" ? value : JSON.stringify(value)]],
    ),
  ),
});

/** Lists the images of a region, including public ones: the likely id, name and status, and every field as text. */
export async function listImages(api: Api, region: string) {
  const rows = await everyRow({
    route: imageList,
    what: "images",
    async ask(page) {
      const query = { region_id: region, page, limit: pageSize };
      const { images, ...more } = await api.send(imageList, { path: { region }, query });
      return { ...more, rows: images };
    },
    keyOf: (row: ImageRow) => row,
  });
  return (rows ?? []).map(shown);
}

/**
 * Lists the account's own images. Throws `CloudError` if a row has no id: the row could be any image, so the listing would
 * not prove that an image is deleted.
 */
export async function listOwnImages(api: Api, region: string) {
  const rows = await listImages(api, region);
  if (rows.some(({ id }) => id === ""))
    throw new CloudError({
      failure: "unreadable",
      route: `${imageList.method} ${imageList.path}`,
      reason: "the listing contains an image without an ID",
    });
  return rows.filter(({ id }) => !isPublic(id));
}

/** Returns true for a public image, whose KRN has no account (docs/contract.md#1.4). */
const isPublic = (id: string): boolean => id.split(":")[3] === "default";

/** Routes of an image. */
export const imageRoutes = {
  create: endpoint(
    "create",
    "POST /vm/v1/instance/createimage/{instance}",
    z.object({ image: maybeText, task_id: maybeText }),
    { body: json<{ name: string; instance_krn: string; description: string | undefined }>() },
  ),
  // Assumption: the task is readable as a task of the instance (docs/contract.md#5).
  task: endpoint("read", "GET /vm/v1/get_instance_task_status", taskWire),
  delete: endpoint("delete", "DELETE /vm/v1/image/{image}", undefined, { region: false }),
};
