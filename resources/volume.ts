import * as z from "zod/mini";
import { isConflict } from "../provider/core/error.ts";
import { lookupCode, wording } from "../provider/core/wording.ts";
import { computed, field, group } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text, wholeNumber } from "../provider/definition/validator.ts";
import { noPrototypeLabel } from "./fields/label.ts";
import {
  extendVolume,
  fits,
  getVolume,
  growOnly,
  hasFailed,
  isFailure,
  limits,
  listVolumes,
  observed,
  volumeRoutes as routes,
  tenant,
  volumeStatuses,
} from "./wire/volume.ts";
import { holdersOf } from "./wire/volume-attachment.ts";

const limit = (about: string) =>
  field(z.optional(wholeNumber(0)), about, { unset: 0, usage: "Default: `0`, no limit." });

export const volume = defineResource({
  name: "volume",
  category: "block-storage",
  about: "A block storage volume of a VPC. It stores data and can be attached to instances.",
  holdsData: "The data on the volume is destroyed; take a backup or a copy first.",
  timeouts: { create: 600, read: 120, update: 600, delete: 600 },
  parents: ["vpcId"],
  fields: {
    vpcId: field(z.string(), "ID of the VPC that contains the volume.", { references: "vpc" }),
    name: field(text, "Name of the volume.", { change: "update" }),
    description: field(z.optional(z.string()), "Free-text description of the volume.", { change: "update" }),
    sizeGb: field(wholeNumber(1), "Size of the volume in GB.", {
      change: growOnly,
      usage: "Can be increased in place, but not decreased.",
    }),
    volumeType: field(text, "Storage type of the volume.", {
      change: "update",
      known: ["standard", "ssd", "HNSS", "HNSS_Encrypted"],
      usage: wording`${lookupCode("volume-types")} lists the types of a VPC.`,
    }),
    availabilityZone: field(z._default(text, "nova"), "Availability zone of the volume."),
    multiattach: field(
      z._default(z.boolean(), false),
      "If true, several instances can attach the volume at the same time.",
      { meaning: "is shared" },
    ),
    metadata: field(
      z.optional(z.record(z.string(), z.string()).check(z.refine(fits, { error: limits }))),
      "Labels of the volume, as keys and values.",
      {
        change: "update",
        usage: "At most 128 labels, with keys up to 255 and values up to 4096 characters.",
      },
    ),
    qos: group(
      {
        bandwidth: group(
          {
            readBytesSec: limit("Maximum read throughput in bytes per second."),
            writeBytesSec: limit("Maximum write throughput in bytes per second."),
          },
          "Limits of the throughput.",
          { optional: true },
        ),
        iops: group(
          {
            readIopsSec: limit("Maximum number of read operations per second."),
            writeIopsSec: limit("Maximum number of write operations per second."),
          },
          "Limits of the I/O operations.",
          { optional: true },
        ),
      },
      "Performance limits of the volume.",
      { optional: true },
    ),
    source: group(
      {
        id: field(text, "ID of the image, volume or snapshot to copy."),
        type: field(z.enum(["image", "volume", "snapshot"]), "Kind of the source."),
      },
      "Source of the initial content.",
      { optional: true, usage: "Default: the volume is created empty." },
    ),
    status: computed(z.string(), "Status reported by the API, such as `available`."),
  },
  rules: [noPrototypeLabel("metadata")],
  lifecycle: {
    field: "status",
    ...volumeStatuses,
    reason: "reason",
  },
})({
  whole: true,
  list: ({ api, region, vpcId }) => listVolumes(api, region, vpcId),

  async create({ api, inputs }) {
    const { qos, source } = inputs;
    const answer = await api.send(routes.create, {
      headers: tenant(inputs.vpcId),
      body: {
        name: inputs.name,
        description: inputs.description,
        size: inputs.sizeGb,
        volumetype: inputs.volumeType,
        availability_zone: inputs.availabilityZone,
        multiattach: inputs.multiattach,
        metadata: inputs.metadata,
        qos: qos && {
          bandwidth: qos.bandwidth && {
            read_bytes_sec: qos.bandwidth.readBytesSec,
            write_bytes_sec: qos.bandwidth.writeBytesSec,
          },
          iops: qos.iops && { read_iops_sec: qos.iops.readIopsSec, write_iops_sec: qos.iops.writeIopsSec },
        },
        source,
      },
    });
    return { id: answer.volume?.id ?? answer.id };
  },

  async read({ api, id, vpcId, region }) {
    const row = await api.find(getVolume, { path: { volume: id }, headers: tenant(vpcId) });
    return row && observed(row, vpcId, region);
  },

  async update({ api, id, vpcId, inputs, changed, current }) {
    const call = { path: { volume: id }, headers: tenant(vpcId) };
    if (changed.has("name") || changed.has("description") || changed.has("metadata")) {
      const { name, description = "", metadata = {} } = await current(routes.update);
      await api.send(routes.update, { ...call, body: { volume: { name, description, metadata } } });
    }
    if (changed.has("volumeType"))
      await api.send(routes.retype, { ...call, body: { volume_type: inputs.volumeType } });
    if (changed.has("sizeGb")) await extendVolume(api, { vpcId, volume: id, newSize: inputs.sizeGb });
  },

  dependents: ({ api, id, vpcId }) => holdersOf(api, vpcId, id),

  // Only a failed volume may be deleted with force (docs/contract.md#8). The recorded status may be outdated, or that of
  // the last action.
  async delete({ api, id, vpcId, prior }) {
    const call = { path: { volume: id }, headers: tenant(vpcId) };
    const needsForce = async () => hasFailed(await api.find(getVolume, call));
    if (isFailure(prior.status) && (await needsForce()))
      await api.send(routes.delete, { ...call, query: { force: true } });
    else
      await api.send(routes.delete, call).catch(async (error) => {
        if (!isConflict(error) || !(await needsForce())) throw error;
        await api.send(routes.delete, { ...call, query: { force: true } });
      });
  },
});
