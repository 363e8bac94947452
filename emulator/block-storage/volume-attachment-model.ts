import { type Cloud, existing } from "../model/cloud.ts";
import { type Instance, instanceModel } from "../model/instance.ts";
import { uuidOf } from "../state/id.ts";
import { existsAt, type Resource } from "../state/store.ts";
import { workState } from "../state/work.ts";

/**
 * Attachment of an additional volume to an instance. Its parents are instance and volume: it is deleted with either,
 * and the volume cannot be deleted while it exists. Its UUID is the `remote_attachment_id` (docs/contract.md#8).
 */
export type Attachment = Resource & { readonly device: string };

export const attachmentModel = (cloud: Cloud) => cloud.store.model<Attachment>("volume_attachment");

/** Attachment in responses: of an additional volume, or of the boot volume, which has no stored attachment. */
export type AttachedVolume = {
  readonly volumeKrn: string;
  readonly instance: Instance;
  readonly id: string;
  readonly device: string;
  readonly boot: boolean;
  /** Time from which the volume's `attachments` contain the attachment. */
  readonly shownAt: number;
};

function bootAttachment(instance: Instance): AttachedVolume {
  const { krn: volumeKrn, attachmentId: id } = instance.volume;
  return { volumeKrn, instance, id, device: "/dev/vda", boot: true, shownAt: instance.createdAt };
}

function furtherAttachment(cloud: Cloud, resource: Attachment): AttachedVolume[] {
  const [instanceKrn = "", volumeKrn = ""] = resource.parents;
  const instance = instanceModel(cloud).get(instanceKrn);
  if (!instance) return [];
  const shownAt = resource.work.endsAt + cloud.settings.assume.attachmentsAfterMs;
  return [{ volumeKrn, instance, id: uuidOf(resource.krn), device: resource.device, boot: false, shownAt }];
}

function furtherAt(cloud: Cloud, time: number, isSelected: (resource: Attachment) => boolean): Attachment[] {
  return attachmentModel(cloud)
    .all()
    .filter(
      (resource) =>
        isSelected(resource) && existsAt(resource, time) && workState(resource.work, time) === "success",
    );
}

/** Returns the attached volumes at a time, all or those of one volume; attaches in progress are excluded. */
export function attachedAt(cloud: Cloud, time: number, volumeKrn?: string): AttachedVolume[] {
  const isSelected = (krn: string | undefined) => volumeKrn === undefined || krn === volumeKrn;
  const boots = instanceModel(cloud)
    .all()
    .filter((resource) => isSelected(resource.volume.krn) && existsAt(resource, time))
    .map(bootAttachment);
  const further = furtherAt(cloud, time, (resource) => isSelected(resource.parents[1]));
  return [...boots, ...further.flatMap((resource) => furtherAttachment(cloud, resource))];
}

/** Returns the existing additional attachments of an instance or a volume, also those in progress; oldest first. */
export function attachmentsWith(cloud: Cloud, krn: string): Attachment[] {
  return existing(cloud, attachmentModel(cloud).all()).filter((resource) => resource.parents.includes(krn));
}

/** Returns the KRNs of an instance's volumes at a time; the boot volume is first. */
export function volumesAt(cloud: Cloud, instance: Instance, time: number): string[] {
  const further = furtherAt(cloud, time, (resource) => resource.parents[0] === instance.krn);
  return [instance.volume.krn, ...further.map(({ parents: [, volumeKrn = ""] }) => volumeKrn)];
}

/** Renders a volume's attachments for the response of an attach, including the one in progress. */
export function describeAttachments(cloud: Cloud, volumeKrn: string): unknown[] {
  const boots = attachedAt(cloud, cloud.now, volumeKrn).filter(({ boot }) => boot);
  const further = attachmentsWith(cloud, volumeKrn).flatMap((resource) => furtherAttachment(cloud, resource));
  return [...boots, ...further].map((one) => renderAttachment(cloud, one));
}

/** Renders an element of `attachments[]` (docs/contract.md#8). */
export function renderAttachment(cloud: Cloud, attached: AttachedVolume): Record<string, unknown> {
  const { instance, volumeKrn, device, id } = attached;
  const isKrn = cloud.settings.assume.attachmentInstance === "krn";
  return {
    device,
    instance_id: isKrn ? instance.krn : uuidOf(instance.krn),
    instance_name: instance.name,
    volume_id: volumeKrn,
    remote_attachment_id: id,
  };
}
