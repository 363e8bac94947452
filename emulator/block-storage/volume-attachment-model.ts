import { type Instance, instanceTable } from "../compute/instance-model.ts";
import { type Cloud, live } from "../model/cloud.ts";
import { uuidOf } from "../state/id.ts";
import { isLive, type Row } from "../state/store.ts";
import { workState } from "../state/work.ts";

/**
 * A further volume on a machine. Its parents are machine and volume: it goes with either, and the volume cannot be
 * deleted while it lives. Its UUID is the `remote_attachment_id` (contract 8).
 */
export type Attachment = Row & { readonly device: string };

export const attachmentTable = (cloud: Cloud) => cloud.store.table<Attachment>("volume_attachment");

/** A volume on a machine: a further one, or the boot volume, which has no row of its own. */
export type Attached = {
  readonly volumeKrn: string;
  readonly instance: Instance;
  readonly id: string;
  readonly device: string;
  readonly boot: boolean;
  /** When the volume's `attachments` begin to show it. */
  readonly shownAt: number;
};

function bootAttachment(instance: Instance): Attached {
  const { krn: volumeKrn, attachmentId: id } = instance.volume;
  return { volumeKrn, instance, id, device: "/dev/vda", boot: true, shownAt: instance.createdAt };
}

function furtherAttachment(cloud: Cloud, row: Attachment): Attached[] {
  const [instanceKrn = "", volumeKrn = ""] = row.parents;
  const instance = instanceTable(cloud).get(instanceKrn);
  if (!instance) return [];
  const shownAt = row.work.endsAt + cloud.settings.assume.attachmentsAfterMs;
  return [{ volumeKrn, instance, id: uuidOf(row.krn), device: row.device, boot: false, shownAt }];
}

function furtherAt(cloud: Cloud, at: number, isMeant: (row: Attachment) => boolean): Attachment[] {
  return attachmentTable(cloud)
    .all()
    .filter((row) => isMeant(row) && isLive(row, at) && workState(row.work, at) === "success");
}

/** What is attached at that time, all of it or that of one volume; an attach under way does not count yet. */
export function attachedAt(cloud: Cloud, at: number, volumeKrn?: string): Attached[] {
  const isMeant = (krn: string | undefined) => volumeKrn === undefined || krn === volumeKrn;
  const boots = instanceTable(cloud)
    .all()
    .filter((row) => isMeant(row.volume.krn) && isLive(row, at))
    .map(bootAttachment);
  const further = furtherAt(cloud, at, (row) => isMeant(row.parents[1]));
  return [...boots, ...further.flatMap((row) => furtherAttachment(cloud, row))];
}

/** The attachments of further volumes to a machine, or of a volume, that exist, under way or not; oldest first. */
export function attachmentsWith(cloud: Cloud, krn: string): Attachment[] {
  return live(cloud, attachmentTable(cloud).all()).filter((row) => row.parents.includes(krn));
}

/** The KRNs of a machine's volumes at that time: the boot volume comes first. */
export function volumesAt(cloud: Cloud, instance: Instance, at: number): string[] {
  const further = furtherAt(cloud, at, (row) => row.parents[0] === instance.krn);
  return [instance.volume.krn, ...further.map(({ parents: [, volumeKrn = ""] }) => volumeKrn)];
}

/** A volume's attachments as an attach answers them, with the one that it has just begun. */
export function describeAttachments(cloud: Cloud, volumeKrn: string): unknown[] {
  const boots = attachedAt(cloud, cloud.now, volumeKrn).filter(({ boot }) => boot);
  const further = attachmentsWith(cloud, volumeKrn).flatMap((row) => furtherAttachment(cloud, row));
  return [...boots, ...further].map((one) => renderAttachment(cloud, one));
}

/** An element of `attachments[]` (contract 8). */
export function renderAttachment(cloud: Cloud, attached: Attached): Record<string, unknown> {
  const { instance, volumeKrn, device, id } = attached;
  const whole = cloud.settings.assume.attachmentInstance === "krn";
  return {
    device,
    instance_id: whole ? instance.krn : uuidOf(instance.krn),
    instance_name: instance.name,
    volume_id: volumeKrn,
    remote_attachment_id: id,
  };
}
