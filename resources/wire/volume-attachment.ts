import * as z from "zod/mini";
import { matchesMasked, sameId } from "../../provider/core/krn.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybe, maybeFlag, maybeText } from "../../provider/definition/validator.ts";
import type { RelatedObject } from "../../provider/definition/verb.ts";
import { listInstances } from "./instance-list.ts";
import { tenant, volumeIdOf } from "./volume.ts";
import { insideMissing } from "./vpc.ts";

/** Attachments, which the API returns only with their volumes (docs/contract.md#8). */

/** Schema of an attachment of a volume. */
export const attachment = z.object({
  instance_id: maybeText,
  instance_name: maybeText,
  device: maybeText,
  remote_attachment_id: maybeText,
});
/** Schema of the response to an attach: the attachments, or only a message. */
export const attached = z.optional(z.object({ attachments: maybe(z.array(attachment)) }));

const volume = z.object({
  id: maybeText,
  krn: maybeText,
  status: maybeText,
  state: maybeText,
  last_action_status: maybeText,
  bootable: maybeFlag,
  attachments: maybe(z.array(attachment)),
});
type Volume = z.infer<typeof volume>;

const routes = {
  volumes: endpoint("read", "GET /kbs/v1/volumes", z.array(volume)),
  volume: endpoint("read", "GET /kbs/v1/volumes/{volume}", volume),
};

/** Location of a volume. */
interface VolumePlace {
  readonly api: Api;
  readonly region: string;
  readonly vpcId: string;
}

/** Lists the attachments in a VPC, except those of boot volumes, which are created and deleted with their instance. */
export async function listAttachments({ api, region, vpcId }: VolumePlace) {
  const rows = await api.find(routes.volumes, { headers: tenant(vpcId) });
  return attachmentsOf({ api, region, vpcId }, rows ?? (await insideMissing(api, region, vpcId)));
}

/**
 * Reads the attachments of one volume; returns undefined for a 404. `moving` is true while its status is that of a change,
 * `isBusy` also while its last action is in progress.
 */
export async function readAttachments({ volumeId, ...place }: VolumePlace & { readonly volumeId: string }) {
  const call = { path: { volume: volumeId }, headers: tenant(place.vpcId) };
  const row = await place.api.find(routes.volume, call);
  if (row === undefined) return undefined;
  const rows = await attachmentsOf(place, [row]);
  const moving = [row.state, row.status].some(isProgress);
  // During an attach the status of the volume may not change, but the status of its last action does.
  const isBusy = moving || isProgress(row.last_action_status);
  return { rows: rows.map((row) => ({ ...row, volumeId })), moving, isBusy };
}

const isProgress = (word: string | undefined): boolean => /ing$/i.test(word ?? "");

async function attachmentsOf({ api, region, vpcId }: VolumePlace, volumes: readonly Volume[]) {
  const mayBoot = volumes.some(
    ({ bootable, attachments = [] }) => bootable === true && attachments.length > 0,
  );
  const machines = mayBoot ? await listInstances(api, region, vpcId) : [];
  const boots = (instance = "", volumeId = "") =>
    machines.some(
      ({ id, bootVolumeId = "" }) => matchesMasked(instance, id) && sameId(bootVolumeId, volumeId),
    );
  return volumes.flatMap((row) => {
    const volumeId = volumeIdOf(row) || undefined;
    return (row.attachments ?? [])
      .map((attachment) => observed(attachment, vpcId, volumeId, region))
      .filter(({ instanceId }) => row.bootable !== true || !boots(instanceId, volumeId));
  });
}

const observed = (
  row: z.infer<typeof attachment>,
  vpcId: string,
  volumeId: string | undefined,
  region: string,
) => ({
  id: row.remote_attachment_id ?? "",
  vpcId,
  volumeId,
  instanceId: row.instance_id || undefined,
  instanceName: row.instance_name,
  device: row.device,
  remoteAttachmentId: row.remote_attachment_id,
  region,
});

/** Returns the id of the attachment to this instance from the response to an attach, if it has one. */
export function attachedId(answer: z.infer<typeof attached>, instanceId: string): string | undefined {
  const rows = answer?.attachments ?? [];
  const match = rows.find(
    ({ instance_id: holder }) => holder !== undefined && matchesMasked(holder, instanceId),
  );
  // The response may contain only the id (docs/contract.md#8).
  return (match ?? (rows.length === 1 && rows[0]?.instance_id === undefined ? rows[0] : undefined))
    ?.remote_attachment_id;
}

/** Lists the instances to which a volume is attached, including the one that boots from it. */
export async function holdersOf(api: Api, vpcId: string, volumeId: string): Promise<RelatedObject[]> {
  const row = await api.find(routes.volume, { path: { volume: volumeId }, headers: tenant(vpcId) });
  return (row?.attachments ?? []).map(({ instance_id: id = "", instance_name: name }) => ({
    kind: "instance",
    id,
    name,
  }));
}

/** Routes that attach a volume to an instance, and detach it. */
export const attachmentRoutes = {
  attach: endpoint("create", "POST /kbs/v1/volumes/{volume}/action", attached, {
    body: json<{ input: { instanceId: string; mountPartition: string } }>(),
  }),
  detach: endpoint("action", "POST /kbs/v1/volumes/{volume}/action", undefined, {
    body: json<{ input: { instanceId: string; attachment_id: string } }>(),
  }),
};
