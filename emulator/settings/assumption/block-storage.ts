import * as z from "zod";

const milliseconds = z.int().min(0);

/**
 * Open questions of the contract about images (docs/contract.md#5) and volumes (docs/contract.md#8): part of the
 * switches in `assumption.ts`.
 */
export const storageAssumptions = {
  imageCreateAnswer: z
    .enum(["image", "task"])
    .default("image")
    .describe("5: an image of a machine answers `image`, its KRN, or 202 with the `task_id` of its making"),
  attachedWord: z
    .enum(["in-use", "in_use", "attached"])
    .default("in-use")
    .describe("8: the state of an attached volume"),
  volumeFailedWord: z
    .enum(["error", "failed", "failure", "error_creating", "failed-creating"])
    .default("error")
    .describe("17.5: the state of a volume whose making failed"),
  volumeCreateShape: z
    .enum(["nested", "flat"])
    .default("nested")
    .describe("8: the create of a volume, snapshot or backup answers `volume.id`, or `id` at the top"),
  volumeDeleteStatus: z
    .union([z.literal(202), z.literal(204)])
    .default(202)
    .describe("8: the status of an accepted volume delete"),
  volumeExtendStatus: z
    .union([z.literal(201), z.literal(202), z.literal(204)])
    .default(202)
    .describe("8: the status of an accepted volume extension; 204 has no body"),
  volumeUpdateStatus: z
    .union([z.literal(200), z.literal(202)])
    .default(200)
    .describe("8: the status of a volume update"),
  volumeDeleteWithSnapshots: z
    .enum(["refuse", "keeps"])
    .default("refuse")
    .describe("unknown: deleting a volume that has snapshots is a 409, or leaves them behind"),
  volumeSpelling: z
    .enum(["current", "alias"])
    .default("current")
    .describe(
      "8: the volume's fields, or their other spellings (Name, volumetype, multi_attached_enabled, Size as text, id = uuid)",
    ),
  volumeStatus: z
    .enum(["state", "last-action"])
    .default("state")
    .describe(
      "8: `status` repeats the state, or holds the last action's result while `state` holds the state",
    ),
  attachAnswer: z
    .enum(["attachments", "message"])
    .default("attachments")
    .describe("16: an attach answers `attachments[].remote_attachment_id`, or only a message"),
  attachmentsAfterMs: milliseconds
    .default(0)
    .describe("17.5: how long after it is attached a volume's `attachments` are filled"),
  attachmentInstance: z
    .enum(["krn", "uuid"])
    .default("krn")
    .describe("17.5: `instance_id` of an attachment is the machine's KRN, or its bare UUID"),
};
