import * as z from "zod";
import { milliseconds } from "../amount.ts";

/**
 * Open questions of the contract about images (docs/contract.md#5) and volumes (docs/contract.md#8): part of the
 * switches in `assumption.ts`.
 */
export const storageAssumptions = {
  imageCreateAnswer: z
    .enum(["image", "task"])
    .default("image")
    .describe("5: the create of an image returns `image`, its KRN, or 202 with the `task_id` of the create"),
  attachedWord: z
    .enum(["in-use", "in_use", "attached"])
    .default("in-use")
    .describe("8: the state of an attached volume"),
  volumeFailedWord: z
    .enum(["error", "failed", "failure", "error_creating", "failed-creating"])
    .default("error")
    .describe("17.5: the state of a volume whose create failed"),
  volumeCreateShape: z
    .enum(["nested", "flat"])
    .default("nested")
    .describe("8: the create of a volume, snapshot or backup returns `volume.id`, or `id` at the top"),
  volumeDeleteStatus: z
    .union([z.literal(202), z.literal(204)])
    .default(202)
    .describe("8: the HTTP status of an accepted volume delete"),
  volumeExtendStatus: z
    .union([z.literal(201), z.literal(202), z.literal(204)])
    .default(202)
    .describe("8: the HTTP status of an accepted volume extension; 204 has no body"),
  bootVolumeExtend: z
    .union([z.literal("extends"), z.literal(400), z.literal(409)])
    .default("extends")
    .describe(
      "unknown: the extension of the boot volume of an instance extends it, or gets this HTTP status",
    ),
  instanceVolumeSize: z
    .enum(["current", "created", "none"])
    .default("current")
    .describe(
      "6: `vm_volume_disk_size` of an instance is the size of its boot volume, the size at its create, or not shown",
    ),
  volumeUpdateStatus: z
    .union([z.literal(200), z.literal(202)])
    .default(200)
    .describe("8: the HTTP status of a volume update"),
  volumeDeleteWithSnapshots: z
    .enum(["refuse", "keeps"])
    .default("refuse")
    .describe("unknown: the delete of a volume with snapshots gets 409, or keeps the snapshots"),
  volumeSpelling: z
    .enum(["current", "alias"])
    .default("current")
    .describe(
      "8: current field names, or the others (Name, volumetype, multi_attached_enabled, Size as text, id = UUID)",
    ),
  volumeStatus: z
    .enum(["state", "last-action"])
    .default("state")
    .describe("8: `status` equals `state`, or is the result of the last action"),
  usedDevice: z
    .enum(["assigns", "refuse"])
    .default("assigns")
    .describe("unknown: an attach with the device name of another volume gets the next free one, or 409"),
  attachAnswer: z
    .enum(["attachments", "message"])
    .default("attachments")
    .describe("16: an attach returns `attachments[].remote_attachment_id`, or only a message"),
  attachmentsAfterMs: milliseconds
    .default(0)
    .describe("17.5: time in ms from the end of an attach until a volume's `attachments` are filled"),
  attachmentInstance: z
    .enum(["krn", "uuid"])
    .default("krn")
    .describe("17.5: `instance_id` of an attachment is the instance's KRN, or its bare UUID"),
};
