import * as z from "zod";
import { type OperationResponse, Refusal } from "../http/wire.ts";
import { type Cloud, isReady, listingTime, lookUp, newResource } from "../model/cloud.ts";
import { region, text } from "../model/schema.ts";
import { requireVpc, type Vpc } from "../network/vpc-model.ts";
import { isoTime } from "../state/clock.ts";
import { ownerOf, uuidOf } from "../state/id.ts";
import { isDeleting, type Resource } from "../state/store.ts";
import { startWork, type Work, workState } from "../state/work.ts";
import { type AttachedVolume, attachedAt, renderAttachment } from "./volume-attachment-model.ts";

/** Path of one volume. */
export const volumePath = "/kbs/v1/volumes/{volume}";

/** Headers of volume operations: the tenant is the VPC's KRN (docs/contract.md#8); some clients omit x-region. */
export const tenant = z.object({ "k-tenant-id": text, "x-region": region.optional() });

export const metadata = z.record(z.string(), z.string());
export const volumeSize = z.int().min(1, "must be 1 or more (GB)");

/** Headers with an optional tenant. */
export type TenantHeaders = { "k-tenant-id"?: string | undefined; "x-region"?: string | undefined };

/** Action in progress; it takes effect when its work ends. */
export type Change = {
  readonly action: "extend" | "change_type" | "attach" | "detach" | "restore" | "delete";
  readonly work: Work;
  readonly size?: number;
  readonly volumeType?: string;
};

export type Volume = Resource & {
  description: string;
  size: number;
  volumeType: string;
  readonly availabilityZone: string;
  readonly multiattach: boolean;
  metadata: Record<string, string>;
  readonly qos: unknown;
  readonly source: { readonly id: string; readonly type: "image" | "volume" | "snapshot" } | null;
  /** Policies for copies, as received (docs/contract.md#8). */
  policies?: { readonly snapshot?: unknown; readonly backup?: unknown };
  change?: Change;
  lastAction: string;
};

export const volumeModel = (cloud: Cloud) => cloud.store.model<Volume>("volume");

/** Returns size and type of a volume at a time, with a finished action applied. */
export function afterChange(volume: Volume, time: number): { size: number; volumeType: string } {
  const { change } = volume;
  const done = change !== undefined && workState(change.work, time) === "success";
  return {
    size: (done ? change.size : undefined) ?? volume.size,
    volumeType: (done ? change.volumeType : undefined) ?? volume.volumeType,
  };
}

/** Stores the effect of a finished action, so that the next one can start. */
function applyFinishedChange(cloud: Cloud, volume: Volume): void {
  if (volume.change === undefined || cloud.now < volume.change.work.endsAt) return;
  Object.assign(volume, afterChange(volume, cloud.now));
  delete volume.change;
}

/** Returns the state of a volume (docs/contract.md#8); `attached` are its attachments at that time. */
export function volumeState(
  cloud: Cloud,
  volume: Volume,
  time = cloud.now,
  attached: readonly AttachedVolume[] = attachedAt(cloud, time, volume.krn),
): string {
  const { volumeFailedWord, attachedWord } = cloud.settings.assume;
  if (isDeleting(volume, time)) return "deleting";
  const { change } = volume;
  if (change?.action === "delete")
    return workState(change.work, time) === "failed" ? "error_deleting" : "deleting";
  const state = workState(volume.work, time);
  if (state === "failed") return volumeFailedWord;
  if (state !== "success") return "creating";
  return attached.length > 0 ? attachedWord : "available";
}

/** Builds the response of a create of a volume, snapshot or backup in the shape that the switch selects. */
export function createdResponse(cloud: Cloud, field: string, krn: string): OperationResponse {
  const answer = { id: krn, status: "creating" };
  const nested = cloud.settings.assume.volumeCreateShape === "nested";
  return { status: 202, body: nested ? { [field]: answer } : answer };
}

/** Inserts a volume: a separate one, or the boot volume of an instance. */
export function insertVolume(
  cloud: Cloud,
  vpc: Pick<Vpc, "krn" | "region">,
  data: Pick<Volume, "name" | "size" | "volumeType" | "availabilityZone" | "work"> & Partial<Volume>,
): Volume {
  return volumeModel(cloud).insert({
    description: "",
    multiattach: false,
    metadata: {},
    qos: null,
    source: null,
    lastAction: "create",
    ...newResource(cloud, "kbs", "volume", vpc.region),
    ...data,
    parents: [vpc.krn],
  });
}

/** Returns the volume of a KRN. Tenant and region are optional but must match (docs/contract.md#16.1). */
export function requireVolume(cloud: Cloud, krn: string, headers: TenantHeaders): Volume {
  // docs/contract.md#1.6: the message for a missing volume.
  const missing = "Unable to fetch volume";
  const volume = lookUp(cloud, volumeModel(cloud), krn, missing, headers["x-region"]);
  const tenant = headers["k-tenant-id"];
  if (tenant !== undefined && !volume.parents.includes(tenant)) throw new Refusal(404, missing);
  return volume;
}

/** Returns a volume without an action in progress; else 409. */
export function requireIdleVolume(
  cloud: Cloud,
  krn: string,
  headers: { "k-tenant-id": string; "x-region"?: string | undefined },
): Volume {
  requireVpc(cloud, headers["k-tenant-id"]);
  const volume = requireVolume(cloud, krn, headers);
  applyFinishedChange(cloud, volume);
  if (!isReady(cloud, volume))
    throw new Refusal(409, `volume ${volume.name} is ${volumeState(cloud, volume)}`);
  if (volume.change) throw new Refusal(409, `volume ${volume.name} is busy: ${volume.change.action}`);
  return volume;
}

/** Starts an action on an idle volume and returns its work, which fails at its end with `failure`. */
export function startChange(
  cloud: Cloud,
  volume: Volume,
  change: Omit<Change, "work">,
  failure?: string,
): Work {
  const work = startWork(cloud.now, cloud.settings.taskMs, failure);
  volume.change = { ...change, work };
  volume.lastAction = change.action;
  volume.updatedAt = cloud.now;
  return work;
}

const lastWork = ({ change, work }: Volume): Work => change?.work ?? work;

function lastActionStatus(volume: Volume, time: number): LastActionStatus {
  if (isDeleting(volume, time)) return "processing";
  const state = workState(lastWork(volume), time);
  return state === "pending" ? "processing" : state;
}
type LastActionStatus = "processing" | "success" | "failed";

/** Renders a volume (docs/contract.md#8) in the spelling that the switches select. */
export function renderVolume(
  cloud: Cloud,
  volume: Volume,
  time = cloud.now,
  attached: readonly AttachedVolume[] = attachedAt(cloud, time, volume.krn),
): Record<string, unknown> {
  const { volumeSpelling, volumeStatus } = cloud.settings.assume;
  const { size, volumeType } = afterChange(volume, time);
  const state = volumeState(cloud, volume, time, attached);
  const actionStatus = lastActionStatus(volume, time);
  const alias = volumeSpelling === "alias";
  return {
    id: alias ? uuidOf(volume.krn) : volume.krn,
    krn: volume.krn,
    [alias ? "Name" : "name"]: volume.name,
    description: volume.description,
    ...(alias ? { Size: String(size) } : { size }),
    status: volumeStatus === "state" ? state : actionStatus,
    state,
    [alias ? "volumetype" : "volume_type"]: volumeType,
    availability_zone: volume.availabilityZone,
    [alias ? "multi_attached_enabled" : "multiattach"]: volume.multiattach,
    bootable: volume.source?.type === "image",
    encrypted: volumeType.endsWith("_Encrypted"),
    attachments: attached.filter(({ shownAt }) => shownAt <= time).map((one) => renderAttachment(cloud, one)),
    metadata: volume.metadata,
    qos: volume.qos,
    source: volume.source,
    source_type: volume.source?.type ?? null,
    source_id: volume.source?.id ?? null,
    created_at: isoTime(volume.createdAt),
    updated_at: isoTime(volume.updatedAt),
    deleted_at: null,
    remote_volume_id: uuidOf(volume.krn),
    account_id: ownerOf(volume.krn).account,
    project_id: volume.parents[0],
    k_customer_id: ownerOf(volume.krn).customer,
    tenant_id: volume.parents[0],
    last_action: isDeleting(volume, time) ? "delete" : volume.lastAction,
    last_action_status: actionStatus,
    last_action_log: actionStatus === "failed" ? lastWork(volume).failure : "",
    tags: [],
    snapshot_policy: volume.policies?.snapshot ?? null,
    backup_policy: volume.policies?.backup ?? null,
    kms_key_id: null,
  };
}

/** Renders volumes for a listing. */
export function renderListedVolumes(cloud: Cloud, volumes: readonly Volume[]): Record<string, unknown>[] {
  const time = listingTime(cloud);
  const attached = Map.groupBy(attachedAt(cloud, time), ({ volumeKrn }) => volumeKrn);
  return volumes.map((volume) => renderVolume(cloud, volume, time, attached.get(volume.krn) ?? []));
}
