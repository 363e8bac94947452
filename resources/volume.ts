import * as z from "zod/mini";
import { isConflict } from "../provider/core/error.ts";
import { assignment } from "../provider/core/wording.ts";
import { endpoint } from "../provider/definition/endpoint.ts";
import { computed, field, group } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { maybe, maybeText, text, wholeNumber } from "../provider/definition/validator.ts";
import { noPrototypeLabel } from "./fields/label.ts";
import { fits, hasFailed, isFailure, limits, listVolumes, observed, tenant, wire } from "./wire/volume.ts";
import { holdersOf } from "./wire/volume-attachment.ts";

export const volume = defineResource({
  name: "volume",
  about: "A block-storage volume of a VPC. It holds data and can be attached to an instance.",
  holdsData: "Its data is lost unless a snapshot or copy is taken first.",
  timeouts: { create: 600, read: 120, update: 600, delete: 600 },
  parents: ["vpcId"],
  fields: {
    vpcId: field(z.string(), "VPC it belongs to.", {
      references: "vpc",
      replaceReason:
        "A volume cannot move to another VPC; its data is lost unless a snapshot or copy is taken first.",
    }),
    name: field(text, "Name of the volume.", { change: "update" }),
    description: field(z.optional(z.string()), "What it is for.", { change: "update" }),
    sizeGb: field(wholeNumber(1), "Size in GB. It grows in place and never shrinks.", {
      change: (before, after) =>
        after > before
          ? "update"
          : {
              refuse: `cannot shrink from ${before} to ${after} GB: the volume is ${before} GB now; set ${assignment("sizeGb", before)}, or make a smaller volume and copy the data`,
            },
    }),
    volumeType: field(text, "Kind of storage, as the account offers it.", {
      change: "update",
      known: ["standard", "ssd", "HNSS", "HNSS_Encrypted"],
    }),
    availabilityZone: field(z._default(text, "nova"), "Zone it is kept in.", {
      replaceReason:
        "A volume cannot move between zones; its data is lost unless a snapshot or copy is taken first.",
    }),
    multiattach: field(z._default(z.boolean(), false), "Whether several instances may attach it at once.", {
      meaning: "is shared",
      replaceReason:
        "This is settled when a volume is made; its data is lost unless a snapshot or copy is taken first.",
    }),
    metadata: field(
      z.optional(z.record(z.string(), z.string()).check(z.refine(fits, { error: limits }))),
      "Labels.",
      {
        change: "update",
      },
    ),
    qos: group(
      {
        bandwidth: group(
          {
            readBytesSec: field(z.optional(wholeNumber(0)), "Bytes read a second, at most.", { unset: 0 }),
            writeBytesSec: field(z.optional(wholeNumber(0)), "Bytes written a second, at most.", {
              unset: 0,
            }),
          },
          "Limits of throughput.",
          { optional: true },
        ),
        iops: group(
          {
            readIopsSec: field(z.optional(wholeNumber(0)), "Reads a second, at most.", { unset: 0 }),
            writeIopsSec: field(z.optional(wholeNumber(0)), "Writes a second, at most.", { unset: 0 }),
          },
          "Limits of operations.",
          { optional: true },
        ),
      },
      "Limits of its performance.",
      { optional: true },
    ),
    source: group(
      {
        id: field(text, "Identifier of the image, volume or snapshot."),
        type: field(z.enum(["image", "volume", "snapshot"]), "What it is copied from."),
      },
      "What its first content is copied from.",
      {
        optional: true,
        replaceReason: "Content is copied once, when a volume is made; what was written since is lost.",
      },
    ),
    status: computed(z.string(), "Where it stands, in the cloud's word."),
  },
  rules: [noPrototypeLabel("metadata")],
  lifecycle: {
    field: "status",
    ready: ["available", "success", "attached", "in-use", "in_use"],
    pending: ["creating", "extending", "retyping", "updating", "attaching", "detaching", "deleting"],
    failed: ["error", "failed", "failure"],
    gone: ["deleted"],
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
    const row = await api.find(routes.read, { path: { volume: id }, headers: tenant(vpcId) });
    return row && observed(row, vpcId, region);
  },

  async update({ api, id, vpcId, inputs, changed }) {
    const call = { path: { volume: id }, headers: tenant(vpcId) };
    if (changed.has("name") || changed.has("description") || changed.has("metadata")) {
      const { name, description = "", metadata = {} } = inputs;
      await api.send(routes.update, { ...call, body: { volume: { name, description, metadata } } });
    }
    if (changed.has("volumeType"))
      await api.send(routes.retype, { ...call, body: { volume_type: inputs.volumeType } });
    if (changed.has("sizeGb"))
      await api.send(routes.extend, {
        ...call,
        query: { op: "extend" },
        body: { input: { newSize: inputs.sizeGb } },
      });
  },

  dependents: ({ api, id, vpcId }) => holdersOf(api, vpcId, id),

  // Only a failed volume may be deleted by force (docs/contract.md#8). The recorded status may be old, or that of the
  // last action.
  async delete({ api, id, vpcId, prior }) {
    const call = { path: { volume: id }, headers: tenant(vpcId) };
    const needsForce = async () => hasFailed(await api.find(routes.read, call));
    if (isFailure(prior.status) && (await needsForce()))
      await api.send(routes.delete, { ...call, query: { force: true } });
    else
      await api.send(routes.delete, call).catch(async (error) => {
        if (!isConflict(error) || !(await needsForce())) throw error;
        await api.send(routes.delete, { ...call, query: { force: true } });
      });
  },
});

const made = z.object({
  id: maybeText,
  volume: maybe(z.object({ id: maybeText })),
});

const routes = {
  create: endpoint("create", "POST /kbs/v1/volumes", made),
  read: endpoint("read", "GET /kbs/v1/volumes/{volume}", wire),
  update: endpoint("update", "PUT /kbs/v1/volumes/{volume}"),
  retype: endpoint("update", "PUT /kbs/v1/volumes/{volume}/change_type"),
  extend: endpoint("update", "POST /kbs/v1/volumes/{volume}/action"),
  delete: endpoint("delete", "DELETE /kbs/v1/volumes/{volume}"),
};
