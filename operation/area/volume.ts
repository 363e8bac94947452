import * as z from "zod/mini";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { field, group } from "../../provider/definition/field.ts";
import { maybe, maybeAmount, maybeText, text, wholeNumber } from "../../provider/definition/validator.ts";
import {
  fits,
  getVolume,
  limits,
  tenant,
  volumeExtend,
  volumeList,
  volumeRoutes,
  volumeTypeList,
} from "../../resources/wire/volume.ts";
import { attachment, attachmentRoutes } from "../../resources/wire/volume-attachment.ts";
import { operation } from "../operation.ts";
import {
  flagOf,
  idOf,
  messageFields,
  numberOf,
  optionalNumber,
  optionalText,
  requiredText,
} from "../parameter.ts";

const section = "8";

const vpcId = idOf("vpc", "ID of the VPC of the volume, which is sent as the tenant.");
const volumeId = idOf("volume", "ID of the volume.");
const instanceId = idOf("instance", "ID of the instance.");
const metadata = field(
  z.optional(z.record(z.string(), z.string()).check(z.refine(fits, { error: limits }))),
  "Labels of the volume, as keys and values.",
);

/** Returns path and header of a request to one volume. */
const one = (at: { readonly vpcId: string; readonly volumeId: string }) => ({
  path: { volume: at.volumeId },
  headers: tenant(at.vpcId),
});

/** Parameters and request of an operation on all objects of a VPC, and on one volume. */
const ofVpc = {
  parameters: { vpcId },
  request: (at: { readonly vpcId: string }) => ({ headers: tenant(at.vpcId) }),
};
const ofVolume = { parameters: { vpcId, volumeId }, request: one };

/** Field of a volume in a response: its attachments, which the endpoints of volumes leave out. */
const attachments = { attachments: maybe(z.array(attachment)) };

const copy = z.object({
  id: maybeText,
  krn: maybeText,
  name: maybeText,
  description: maybeText,
  volume_id: maybeText,
  size: maybeAmount,
  volume_type: maybeText,
  status: maybeText,
  created_at: maybeText,
  updated_at: maybeText,
});
const createdCopy = z.object({ id: maybeText });
const copyFields = {
  vpcId,
  volumeId,
  name: field(
    z.string().check(
      z.refine((name) => /^[a-z\d.-]{3,63}$/.test(name), {
        error: "must have 3 to 63 lower-case letters, digits, dots and hyphens",
      }),
    ),
    "Name of the copy.",
  ),
  description: optionalText("Free-text description of the copy."),
  force: flagOf("If true, an attached volume is copied too."),
};
type CopyBody = {
  name: string;
  description: string | undefined;
  volume_id: string;
  force: boolean;
};

const snapshotId = idOf("snapshot", "ID of the snapshot.");
const backupId = idOf("backup", "ID of the backup.");
const oneSnapshot = (at: { readonly vpcId: string; readonly snapshotId: string }) => ({
  path: { snapshot: at.snapshotId },
  headers: tenant(at.vpcId),
});
const oneBackup = (at: { readonly vpcId: string; readonly backupId: string }) => ({
  path: { backup: at.backupId },
  headers: tenant(at.vpcId),
});
const ofSnapshot = { parameters: { vpcId, snapshotId }, request: oneSnapshot };
const ofBackup = { parameters: { vpcId, backupId }, request: oneBackup };

const createSnapshot = endpoint(
  "create",
  "POST /kbs/v1/snapshots",
  z.object({ ...createdCopy.shape, snapshot: maybe(createdCopy) }),
  { body: json<CopyBody>() },
);
const createBackup = endpoint(
  "create",
  "POST /kbs/v1/backups",
  z.object({ ...createdCopy.shape, backup: maybe(createdCopy) }),
  { body: json<CopyBody & { incremental: boolean }>() },
);
const restore = endpoint(
  "create",
  "POST /kbs/v1/backups/{backup}/restore",
  z.object({ volume_id: maybeText, ...messageFields }),
  { body: json<{ name: string | undefined; volume_id: string | undefined }>() },
);
type PolicyBody = { name: string; cron: string };
const schedule = {
  name: requiredText("Name of the policy."),
  cron: requiredText("Schedule of the copies as a cron expression, such as `0 3 * * *`."),
};
const byPolicy = {
  snapshot: endpoint("create", "POST /kbs/v1/volumes/{volume}/snapshots/policy", undefined, {
    body: json<PolicyBody & { max_snapshots_allowed: number }>(),
  }),
  backup: endpoint("create", "POST /kbs/v1/volumes/{volume}/backups/policy", undefined, {
    body: json<PolicyBody & { max_backups_allowed: number }>(),
  }),
};

/** Operations of block volumes, their attachments, snapshots and backups. */
export const volume = {
  createVolume: operation(volumeRoutes.create, {
    section,
    about: "Starts the creation of a volume of a VPC.",
    parameters: {
      vpcId,
      name: requiredText("Name of the volume."),
      description: optionalText("Free-text description of the volume."),
      size: field(wholeNumber(1), "Size of the volume in GB."),
      volumeType: requiredText("Storage type of the volume, which `listVolumeTypes` lists.", {
        known: ["standard", "ssd", "HNSS", "HNSS_Encrypted"],
      }),
      availabilityZone: field(z._default(text, "nova"), "Availability zone of the volume."),
      multiattach: flagOf("If true, several instances can attach the volume at the same time."),
      metadata,
      qos: group(
        {
          bandwidth: group(
            {
              readBytesSec: optionalNumber("Maximum read throughput in bytes per second."),
              writeBytesSec: optionalNumber("Maximum write throughput in bytes per second."),
            },
            "Limits of the throughput.",
            { optional: true },
          ),
          iops: group(
            {
              readIopsSec: optionalNumber("Maximum number of read operations per second."),
              writeIopsSec: optionalNumber("Maximum number of write operations per second."),
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
          id: requiredText("ID of the image, volume or snapshot to copy."),
          type: field(z.enum(["image", "volume", "snapshot"]), "Kind of the source."),
        },
        "Source of the initial content. Default: the volume is created empty.",
        { optional: true },
      ),
    },
    request: ({ vpcId, volumeType, availabilityZone, qos, ...volume }) => ({
      headers: tenant(vpcId),
      body: {
        name: volume.name,
        description: volume.description,
        size: volume.size,
        volumetype: volumeType,
        availability_zone: availabilityZone,
        multiattach: volume.multiattach,
        metadata: volume.metadata,
        qos: qos && {
          bandwidth: qos.bandwidth && {
            read_bytes_sec: qos.bandwidth.readBytesSec,
            write_bytes_sec: qos.bandwidth.writeBytesSec,
          },
          iops: qos.iops && { read_iops_sec: qos.iops.readIopsSec, write_iops_sec: qos.iops.writeIopsSec },
        },
        source: volume.source,
      },
    }),
  }),
  getVolume: operation(getVolume, {
    section,
    about: "Returns a volume.",
    ...ofVolume,
    also: attachments,
  }),
  listVolumes: operation(volumeList, {
    section,
    about: "Lists all volumes of a VPC.",
    ...ofVpc,
    also: attachments,
    listing: { rows: [] },
  }),
  deleteVolume: operation(volumeRoutes.delete, {
    section,
    about: "Starts the deletion of a volume, which ends when the volume is no longer found.",
    parameters: {
      vpcId,
      volumeId,
      force: flagOf("If true, a volume whose creation failed is deleted too."),
    },
    request: ({ force, ...at }) => ({ ...one(at), query: { force: force || undefined } }),
  }),
  attachVolume: operation(attachmentRoutes.attach, {
    section,
    about: "Attaches a volume to an instance.",
    parameters: {
      vpcId,
      volumeId,
      instanceId,
      mountPartition: field(z._default(text, "/dev/vdz"), "Device name of the volume in the instance."),
    },
    request: ({ instanceId, mountPartition, ...at }) => ({
      ...one(at),
      query: { op: "attach" },
      body: { input: { instanceId, mountPartition } },
    }),
  }),
  detachVolume: operation(attachmentRoutes.detach, {
    section,
    about: "Detaches a volume from an instance.",
    parameters: {
      vpcId,
      volumeId,
      instanceId,
      attachmentId: requiredText("ID of the attachment: `remote_attachment_id` of the volume."),
    },
    request: ({ instanceId, attachmentId, ...at }) => ({
      ...one(at),
      query: { op: "detach" },
      body: { input: { instanceId, attachment_id: attachmentId } },
    }),
    also: messageFields,
  }),
  extendVolume: operation(volumeExtend, {
    section,
    about: "Starts the extension of a volume, which cannot be made smaller.",
    parameters: { vpcId, volumeId, newSize: numberOf("New size of the volume in GB.", 1) },
    request: ({ newSize, ...at }) => ({
      ...one(at),
      query: { op: "extend" },
      body: { input: { newSize } },
    }),
    also: messageFields,
  }),
  updateVolume: operation(volumeRoutes.update, {
    section,
    about: "Replaces name, description and all labels of a volume.",
    parameters: {
      vpcId,
      volumeId,
      name: requiredText("Name of the volume."),
      description: field(z.string(), "Free-text description of the volume; empty for none."),
      metadata: field(
        z.record(z.string(), z.string()).check(z.refine(fits, { error: limits })),
        "All labels of the volume, as keys and values.",
      ),
    },
    request: ({ name, description, metadata, ...at }) => ({
      ...one(at),
      body: { volume: { name, description, metadata } },
    }),
    also: messageFields,
  }),
  changeVolumeType: operation(volumeRoutes.retype, {
    section,
    about: "Starts the change of the storage type of a volume.",
    parameters: { vpcId, volumeId, volumeType: requiredText("New storage type of the volume.") },
    request: ({ volumeType, ...at }) => ({ ...one(at), body: { volume_type: volumeType } }),
    also: messageFields,
  }),
  listVolumeTypes: operation(volumeTypeList, {
    section,
    about: "Lists the storage types of a VPC, as names or as objects.",
    ...ofVpc,
  }),
  createSnapshot: operation(createSnapshot, {
    section,
    about: "Starts the creation of a snapshot of a volume, which cannot be deleted before its snapshots.",
    parameters: copyFields,
    request: ({ vpcId, volumeId, name, description, force }) => ({
      headers: tenant(vpcId),
      body: { name, description, volume_id: volumeId, force },
    }),
  }),
  listSnapshots: operation(endpoint("read", "GET /kbs/v1/snapshots", z.array(copy)), {
    section,
    about: "Lists the snapshots of the volumes of a VPC.",
    ...ofVpc,
    listing: { rows: [] },
  }),
  getSnapshot: operation(endpoint("read", "GET /kbs/v1/snapshots/{snapshot}", copy), {
    section,
    about: "Returns a snapshot.",
    ...ofSnapshot,
  }),
  deleteSnapshot: operation(endpoint("delete", "DELETE /kbs/v1/snapshots/{snapshot}"), {
    section,
    about: "Starts the deletion of a snapshot.",
    ...ofSnapshot,
  }),
  updateSnapshot: operation(
    endpoint("update", "PUT /kbs/v1/snapshots/{snapshot}", undefined, {
      body: json<{ name: string | undefined; description: string | undefined }>(),
    }),
    {
      section,
      about: "Changes name and description of a snapshot.",
      parameters: {
        vpcId,
        snapshotId,
        name: optionalText("New name of the snapshot."),
        description: optionalText("New description of the snapshot."),
      },
      request: ({ name, description, ...at }) => ({ ...oneSnapshot(at), body: { name, description } }),
      answer: z.optional(copy),
    },
  ),
  createBackup: operation(createBackup, {
    section,
    about: "Starts the creation of a backup of a volume, which stays when the volume is deleted.",
    parameters: {
      ...copyFields,
      incremental: flagOf("If true, the backup contains only the changes since the previous one."),
    },
    request: ({ vpcId, volumeId, name, description, force, incremental }) => ({
      headers: tenant(vpcId),
      body: { name, description, volume_id: volumeId, force, incremental },
    }),
  }),
  listBackups: operation(endpoint("read", "GET /kbs/v1/backups", z.array(copy)), {
    section,
    about: "Lists the backups of the volumes of a VPC.",
    ...ofVpc,
    listing: { rows: [] },
  }),
  getBackup: operation(endpoint("read", "GET /kbs/v1/backups/{backup}", copy), {
    section,
    about: "Returns a backup.",
    ...ofBackup,
  }),
  deleteBackup: operation(endpoint("delete", "DELETE /kbs/v1/backups/{backup}"), {
    section,
    about: "Starts the deletion of a backup.",
    ...ofBackup,
  }),
  restoreBackup: operation(restore, {
    section,
    about:
      "Starts a restore of a backup to a new volume or, with `volumeId`, over the content of an existing one.",
    parameters: {
      vpcId,
      backupId,
      name: optionalText("Name of the new volume."),
      volumeId: field(z.optional(text), "ID of the volume whose content is replaced.", {
        references: "volume",
      }),
    },
    alternatives: [["name"], ["volumeId"]],
    request: ({ name, volumeId, ...at }) => ({ ...oneBackup(at), body: { name, volume_id: volumeId } }),
  }),
  createSnapshotPolicy: operation(byPolicy.snapshot, {
    section,
    about: "Sets the schedule of the snapshots of a volume.",
    parameters: {
      vpcId,
      volumeId,
      ...schedule,
      maxSnapshotsAllowed: numberOf("Maximum number of snapshots.", 1),
    },
    request: ({ name, cron, maxSnapshotsAllowed, ...at }) => ({
      ...one(at),
      body: { name, cron, max_snapshots_allowed: maxSnapshotsAllowed },
    }),
    also: messageFields,
  }),
  deleteSnapshotPolicy: operation(endpoint("delete", "DELETE /kbs/v1/volumes/{volume}/snapshots/policy"), {
    section,
    about: "Removes the schedule of the snapshots of a volume.",
    ...ofVolume,
  }),
  createBackupPolicy: operation(byPolicy.backup, {
    section,
    about: "Sets the schedule of the backups of a volume.",
    parameters: {
      vpcId,
      volumeId,
      ...schedule,
      maxBackupsAllowed: numberOf("Maximum number of backups.", 1),
    },
    request: ({ name, cron, maxBackupsAllowed, ...at }) => ({
      ...one(at),
      body: { name, cron, max_backups_allowed: maxBackupsAllowed },
    }),
    also: messageFields,
  }),
  deleteBackupPolicy: operation(endpoint("delete", "DELETE /kbs/v1/volumes/{volume}/backups/policy"), {
    section,
    about: "Removes the schedule of the backups of a volume.",
    ...ofVolume,
  }),
};
