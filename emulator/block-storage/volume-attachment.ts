import * as z from "zod";
import { failureByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, fullKrn, isReady, newResource } from "../model/cloud.ts";
import { type Instance, instanceStatus, requireInstance } from "../model/instance.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { text } from "../model/schema.ts";
import { uuidOf } from "../state/id.ts";
import {
  attachedAt,
  attachmentModel,
  attachmentsWith,
  describeAttachments,
} from "./volume-attachment-model.ts";
import { requireIdleVolume, startChange, tenant, type Volume, volumePath } from "./volume-model.ts";

const actionPath = `${volumePath}/action` as const;

/** Returns the instance of an action by KRN or bare UUID; it must be in the volume's VPC. */
function namedInstance(cloud: Cloud, id: string, volume: Volume): Instance {
  const instance = requireInstance(cloud, fullKrn(cloud, id));
  if (instance.parents[0] !== volume.parents[0])
    throw new Refusal(400, `input.instanceId: instance ${instance.name} is not of the volume's VPC`);
  return instance;
}

/** Rejects an attach that the state of volume and instance does not allow. */
function checkAttach(cloud: Cloud, volume: Volume, instance: Instance): void {
  if (!isReady(cloud, instance)) {
    const state = instanceStatus(cloud, instance, cloud.now);
    throw new Refusal(409, `instance ${instance.name} is ${state}`);
  }
  const attached = attachedAt(cloud, cloud.now, volume.krn);
  const attachment = attached.find((one) => one.instance.krn === instance.krn);
  const holder = attachment ?? (volume.multiattach ? undefined : attached[0]);
  if (holder) throw new Refusal(409, `volume ${volume.name} is already attached to ${holder.instance.name}`);
}

/** Returns the requested device name or, if another volume of the instance has it, the next free one. */
function freeDevice(cloud: Cloud, { krn, name }: Instance, requested: string): string {
  const devices = new Set(["/dev/vda", ...attachmentsWith(cloud, krn).map(({ device }) => device)]);
  if (!devices.has(requested)) return requested;
  if (cloud.decide("usedDevice") === "refuse")
    throw new Refusal(409, `device ${requested} of instance ${name} is in use`);
  const letters = [..."bcdefghijklmnopqrstuvwxyz"].map((letter) => `/dev/vd${letter}`);
  const free = letters.find((device) => !devices.has(device));
  if (free === undefined) throw new Refusal(409, `instance ${name} has no free device`);
  return free;
}

const attachVolume = operation({
  name: "attach_volume",
  method: "POST",
  path: actionPath,
  select: { op: "attach" },
  section: "8",
  source: "seed",
  headers: tenant,
  body: z.strictObject({
    input: z.strictObject({ instanceId: text, mountPartition: text.default("/dev/vdz") }),
  }),
  handle(cloud, { headers, body: { input }, path: { volume: krn } }) {
    const volume = requireIdleVolume(cloud, krn, headers);
    const instance = namedInstance(cloud, input.instanceId, volume);
    checkAttach(cloud, volume, instance);
    const device = freeDevice(cloud, instance, input.mountPartition);
    const failure = failureByName(input.mountPartition);
    const work = startChange(cloud, volume, { action: "attach" }, failure);
    attachmentModel(cloud).insert({
      ...newResource(cloud, "kbs", "attachment", volume.region),
      name: volume.name,
      parents: [instance.krn, volume.krn],
      work,
      ...(failure !== undefined && { goneAt: work.endsAt }),
      device,
    });
    const message = "attach accepted";
    if (cloud.settings.assume.attachAnswer === "message") return { status: 202, body: { message } };
    return { status: 202, body: { message, attachments: describeAttachments(cloud, volume.krn) } };
  },
});

const detachVolume = operation({
  name: "detach_volume",
  method: "POST",
  path: actionPath,
  select: { op: "detach" },
  section: "8",
  source: "seed",
  headers: tenant,
  body: z.strictObject({ input: z.strictObject({ instanceId: text, attachment_id: text }) }),
  handle(cloud, { headers, body: { input }, path: { volume: krn } }) {
    const volume = requireIdleVolume(cloud, krn, headers);
    const instance = namedInstance(cloud, input.instanceId, volume);
    if (instance.volume.krn === volume.krn)
      throw new Refusal(409, `volume ${volume.name} is the boot volume of ${instance.name}`);
    const attachment = attachmentsWith(cloud, volume.krn).find(
      (resource) => uuidOf(resource.krn) === input.attachment_id && resource.parents[0] === instance.krn,
    );
    if (!attachment) throw new Refusal(404, `attachment ${input.attachment_id} not found`);
    startChange(cloud, volume, { action: "detach" });
    deleteResource(cloud, attachment, cloud.settings.taskMs);
    return { status: 202, body: { message: "detach accepted" } };
  },
});

/** Attachments of additional volumes to instances. */
export const volumeAttachmentKind: ResourceKind = {
  name: "volume_attachment",
  operations: [attachVolume, detachVolume],
};
