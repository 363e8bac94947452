import * as z from "zod/mini";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import { unreadable } from "./fields/option.ts";
import { listOwnImages, imageRoutes as routes } from "./wire/image.ts";
import { taskState } from "./wire/instance.ts";

/** Status for an image whose row has none (docs/contract.md#5). */
const defaultStatus = "listed";

export const image = defineResource({
  name: "image",
  category: "compute",
  about: "An image of the boot volume of an instance, from which other instances can be created.",
  holdsData: "The existing image is destroyed; instances created from it are not affected.",
  template: true,
  timeouts: { create: 1_800, read: 120, update: 120, delete: 600 },
  fields: {
    name: field(text, "Name of the image."),
    instanceId: field(z.string(), "ID of the instance whose boot volume the image is created from.", {
      references: "instance",
      ...unreadable,
    }),
    description: field(z.optional(z.string()), "Free-text description of the image.", unreadable),
    status: computed(z.string(), "Status reported by the API, such as `ACTIVE`."),
  },
  lifecycle: {
    field: "status",
    ready: ["ACTIVE", "available", "success", defaultStatus],
    pending: ["BUILD", "creating", "pending", "processing", "queued", "saving", "uploading", "deleting"],
    failed: ["ERROR", "failed", "failure", "killed"],
    gone: ["deleted"],
  },
})({
  async list({ api, region }) {
    const rows = await listOwnImages(api, region);
    return rows.map(({ id, name, status = defaultStatus }) => ({ id, name, status, region }));
  },
  whole: true,

  async create({ api, inputs: { instanceId, name, description } }) {
    const { image, task_id: task } = await api.send(routes.create, {
      path: { instance: instanceId },
      body: { name, instance_krn: instanceId, description },
    });
    // The content of `image` is not documented: a KRN is the id; otherwise the listing shows the id
    // (docs/contract.md#5).
    return { id: image?.startsWith("krn:") ? image : undefined, task };
  },

  async task({ api, task }) {
    return taskState(await api.send(routes.task, { query: { task_id: task } }));
  },

  async delete({ api, id }) {
    await api.send(routes.delete, { path: { image: id }, headers: { accept: "*/*" } });
  },
});
