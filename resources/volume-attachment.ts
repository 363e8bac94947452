import * as z from "zod/mini";
import { CloudError, isAmbiguous, isConflict } from "../provider/core/error.ts";
import { matchesMasked, sameId } from "../provider/core/krn.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import { tenant } from "./wire/volume.ts";
import {
  attachedId,
  holdersOf,
  listAttachments,
  readAttachments,
  attachmentRoutes as routes,
} from "./wire/volume-attachment.ts";

export const volumeAttachment = defineResource({
  name: "volume-attachment",
  category: "block-storage",
  about:
    "An attachment of an additional volume to an instance. The boot volume belongs to the instance resource.",
  timeouts: { create: 600, read: 120, update: 120, delete: 600 },
  parents: ["vpcId", "volumeId"],
  visibility: { listedIn: ["vpcId"], readByListing: true },
  importedBy: ["instanceId"],
  // The volume shows the attachment, possibly some time after the attach (docs/contract.md#17.5).
  exclusive: true,
  distinct: { field: "mountPartition", within: "instanceId" },
  attachedTo: "instanceId",
  // The listing shows the attachment of a boot volume that is not marked as bootable.
  isPart({ volumeId, instanceId }, valuesOf) {
    const instance = valuesOf("instance", instanceId);
    return instance && sameId(String(instance.bootVolumeId ?? ""), volumeId ?? "");
  },
  replaceReason: "The volume is detached first: unmount it on the instance before the change.",
  fields: {
    vpcId: field(z.string(), "ID of the VPC that contains the volume and the instance.", {
      references: "vpc",
    }),
    volumeId: field(z.string(), "ID of the attached volume.", {
      references: "volume",
    }),
    instanceId: field(z.string(), "ID of the instance to which the volume is attached.", {
      references: "instance",
    }),
    mountPartition: field(z._default(text, "/dev/vdz"), "Requested device name, such as `/dev/vdb`.", {
      unreadable: true,
      importFallback: ({ device }) => device,
    }),
    device: computed(z.string(), "Device name on the instance, as reported by the API."),
    instanceName: computed(z.string(), "Name of the instance."),
    remoteAttachmentId: computed(z.string(), "ID of the attachment that the API uses to detach the volume."),
  },
})({
  list: listAttachments,
  whole: true,
  matches: (row, { volumeId, instanceId }) =>
    sameId(row.volumeId ?? "", volumeId) && matchesMasked(row.instanceId ?? "", instanceId),

  async create({ api, inputs: { vpcId, volumeId, instanceId, mountPartition } }) {
    const answer = await api.send(routes.attach, {
      path: { volume: volumeId },
      headers: tenant(vpcId),
      query: { op: "attach" },
      body: { input: { instanceId, mountPartition } },
    });
    const id = attachedId(answer, instanceId);
    // Without an id in the response, the engine polls the volume until it shows the attachment (docs/contract.md#17.5).
    return id === undefined ? { task: instanceId } : { id };
  },

  conflicts: ({ api, inputs: { vpcId, volumeId } }) => holdersOf(api, vpcId, volumeId),

  async task({ api, region, task, inputs }) {
    if (inputs === undefined) return undefined;
    const observed = await readAttachments({ api, region, vpcId: inputs.vpcId, volumeId: inputs.volumeId });
    const attachment = observed?.rows.find(
      ({ id, instanceId = "" }) => id !== "" && matchesMasked(instanceId, task),
    );
    if (attachment !== undefined) return { status: "done", id: attachment.id };
    return observed?.moving === true ? { status: "running", detail: "attaching" } : undefined;
  },

  async read({ id, ...place }) {
    const observed = await readAttachments(place);
    return observed?.rows.find((row) => sameId(row.id, id) || matchesMasked(row.instanceId ?? "", id));
  },

  evidence: { isInProgress: async (place) => (await readAttachments(place))?.isBusy === true },

  async delete({ id, prior: { instanceId }, ...place }) {
    const { api, vpcId, volumeId } = place;
    try {
      await api.send(routes.detach, {
        path: { volume: volumeId },
        headers: tenant(vpcId),
        query: { op: "detach" },
        body: { input: { instanceId, attachment_id: id } },
      });
    } catch (error) {
      const observed = isConflict(error) || isAmbiguous(error) ? await readAttachments(place) : undefined;
      // While an attach or detach is in progress, the attachments prove nothing: an attach could complete after an
      // ambiguous detach. A conflict makes the engine send the detach again.
      if (isAmbiguous(error) && observed?.moving) throw new CloudError({ ...error, failure: "conflict" });
      if (isAmbiguous(error)) throw error;
      // A volume that no longer shows the attachment is already detached.
      if (observed === undefined || observed.moving || observed.rows.some((row) => sameId(row.id, id)))
        throw error;
    }
  },
});
