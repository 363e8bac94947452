import { isoTime } from "./clock.ts";
import { type Cloud, listedAt, lookUp } from "./cloud.ts";
import { account, customer, uuidOf } from "./id.ts";
import { attachedTo, attachmentsAt, type Instance } from "./instance-table.ts";
import { isDeleting, type Row } from "./store.ts";
import { type Work, workState } from "./task.ts";
import { requireVpc, type Vpc } from "./vpc-table.ts";
import { Refusal } from "./wire.ts";

/** An action under way: its effect shows when its time is over. */
export type Change = {
  readonly action: "extend" | "change_type";
  readonly work: Work;
  readonly size?: number;
  readonly volumeType?: string;
};

export type Volume = Row & {
  description: string;
  size: number;
  volumeType: string;
  readonly availabilityZone: string;
  readonly multiattach: boolean;
  metadata: Record<string, string>;
  readonly qos: unknown;
  readonly source: { readonly id: string; readonly type: "image" | "volume" | "snapshot" } | null;
  change?: Change;
  lastAction: string;
};

export const volumeTable = (cloud: Cloud) => cloud.store.table<Volume>("volume");

/** The volume as it is at that time: an action whose time is over has taken effect. */
function settled(volume: Volume, at: number): { size: number; volumeType: string } {
  const { change } = volume;
  const done = change !== undefined && workState(change.work, at) === "success";
  return {
    size: (done ? change.size : undefined) ?? volume.size,
    volumeType: (done ? change.volumeType : undefined) ?? volume.volumeType,
  };
}

/** Writes a finished action into the row, so that the next one can begin. */
export function settle(cloud: Cloud, volume: Volume): void {
  if (volume.change === undefined || workState(volume.change.work, cloud.now) !== "success") return;
  Object.assign(volume, settled(volume, cloud.now));
  delete volume.change;
}

/** The volume's state in the words of contract 8. `holder` is the machine it is attached to at that time. */
export function volumeState(cloud: Cloud, volume: Volume, at: number, holder: Instance | undefined): string {
  if (isDeleting(volume, at)) return "deleting";
  const state = workState(volume.work, at);
  if (state === "failed") return "error";
  if (state !== "success") return "creating";
  return holder ? cloud.settings.assume.attachedWord : "available";
}

/** Puts a volume into the tables: one of its own, or the boot volume of a machine. */
export function insertVolume(
  cloud: Cloud,
  vpc: Pick<Vpc, "krn" | "region">,
  data: Pick<Volume, "name" | "size" | "volumeType" | "availabilityZone" | "work"> & Partial<Volume>,
): Volume {
  return volumeTable(cloud).insert({
    description: "",
    multiattach: false,
    metadata: {},
    qos: null,
    source: null,
    lastAction: "create",
    ...data,
    krn: cloud.store.newKrn("kbs", vpc.region, "volume"),
    region: vpc.region,
    parents: [vpc.krn],
    createdAt: cloud.now,
    updatedAt: cloud.now,
  });
}

/** The volume of an id. Tenant and region are optional, but must be the volume's own (contract 16.1). */
export function requireVolume(
  cloud: Cloud,
  krn: string,
  headers: { "k-tenant-id"?: string | undefined; "x-region"?: string | undefined },
): Volume {
  // Contract 1.6: a missing volume is answered by this text.
  const missing = "Unable to fetch volume";
  const volume = lookUp(cloud, volumeTable(cloud), krn, missing, headers["x-region"]);
  const tenant = headers["k-tenant-id"];
  if (tenant !== undefined && !volume.parents.includes(tenant)) throw new Refusal(404, missing);
  return volume;
}

/** The same, fit for an action: 409 while something else happens to it. */
export function requireIdleVolume(
  cloud: Cloud,
  krn: string,
  headers: { "k-tenant-id": string; "x-region"?: string | undefined },
): Volume {
  requireVpc(cloud, headers["k-tenant-id"]);
  const volume = requireVolume(cloud, krn, headers);
  settle(cloud, volume);
  const made = workState(volume.work, cloud.now) === "success" && !isDeleting(volume, cloud.now);
  if (!made) {
    const state = volumeState(cloud, volume, cloud.now, undefined);
    throw new Refusal(409, `volume ${volume.name} is ${state}`);
  }
  if (volume.change) throw new Refusal(409, `volume ${volume.name} is busy: ${volume.change.action}`);
  return volume;
}

function lastActionStatus(volume: Volume, at: number): WorkWord {
  if (isDeleting(volume, at)) return "processing";
  const state = workState(volume.change?.work ?? volume.work, at);
  return state === "pending" ? "processing" : state;
}
type WorkWord = "processing" | "success" | "failed";

function renderAttachments(volume: Volume, holder: Instance | undefined): unknown[] {
  if (!holder) return [];
  return [
    {
      device: "/dev/vda",
      instance_id: holder.krn,
      instance_name: holder.name,
      volume_id: volume.krn,
      remote_attachment_id: holder.volume.attachmentId,
    },
  ];
}

/** The volume as the service shows it (contract 8), in the spelling that the switches ask for. */
export function renderVolume(
  cloud: Cloud,
  volume: Volume,
  at = cloud.now,
  holder = attachedTo(cloud, volume.krn, at),
): Record<string, unknown> {
  const { volumeSpelling, volumeStatus } = cloud.settings.assume;
  const { size, volumeType } = settled(volume, at);
  const state = volumeState(cloud, volume, at, holder);
  const actionStatus = lastActionStatus(volume, at);
  const alias = volumeSpelling === "alias";
  return {
    id: alias ? uuidOf(volume.krn) : volume.krn,
    krn: volume.krn,
    [alias ? "Name" : "name"]: volume.name,
    description: volume.description,
    size,
    status: volumeStatus === "state" ? state : actionStatus,
    state,
    [alias ? "volumetype" : "volume_type"]: volumeType,
    availability_zone: volume.availabilityZone,
    [alias ? "multi_attached_enabled" : "multiattach"]: volume.multiattach,
    bootable: volume.source?.type === "image",
    encrypted: volumeType.endsWith("_Encrypted"),
    attachments: renderAttachments(volume, holder),
    metadata: volume.metadata,
    qos: volume.qos,
    source: volume.source,
    source_type: volume.source?.type ?? null,
    source_id: volume.source?.id ?? null,
    created_at: isoTime(volume.createdAt),
    updated_at: isoTime(volume.updatedAt),
    deleted_at: null,
    account_id: account,
    k_customer_id: customer,
    tenant_id: volume.parents[0],
    last_action: isDeleting(volume, at) ? "delete" : volume.lastAction,
    last_action_status: actionStatus,
    last_action_log: workState(volume.work, at) === "failed" ? volume.work.failure : "",
  };
}

/** Volumes as a listing shows them. */
export function renderListed(cloud: Cloud, volumes: readonly Volume[]): Record<string, unknown>[] {
  const at = listedAt(cloud);
  const attached = attachmentsAt(cloud, at);
  return volumes.map((volume) => renderVolume(cloud, volume, at, attached.get(volume.krn)));
}
