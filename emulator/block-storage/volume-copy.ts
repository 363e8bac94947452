import * as z from "zod";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import {
  type Cloud,
  deleteResource,
  fullKrn,
  isReady,
  isRepeatedDelete,
  listed,
  listingTime,
  lookUp,
  newResource,
  refuseDuplicateName,
} from "../model/cloud.ts";
import { type Operation, operation } from "../model/operation.ts";
import { text } from "../model/schema.ts";
import { requireVpc } from "../network/vpc-model.ts";
import { isoTime } from "../state/clock.ts";
import { isDeleting, type Resource } from "../state/store.ts";
import { startWork, workState } from "../state/work.ts";
import { attachedAt } from "./volume-attachment-model.ts";
import { requireIdleVolume, type TenantHeaders, tenant, volumeState } from "./volume-model.ts";

/** Copy of a volume: a snapshot, which blocks the deletion of the volume, or a backup, which is independent of the volume. */
export type VolumeCopy = Resource & {
  description: string;
  readonly volumeKrn: string;
  readonly size: number;
  readonly volumeType: string;
  /** Backups only: true if it contains only the changes since the previous backup. */
  readonly incremental?: boolean;
};

export type CopyKind = "snapshot" | "backup";

export const copyModel = (cloud: Cloud, kind: CopyKind) => cloud.store.model<VolumeCopy>(kind);

/** Names that the service accepts (docs/contract.md#8). */
export const copyName = text.regex(
  /^[a-z0-9.-]{3,63}$/,
  "must be 3 to 63 lower-case letters, digits, dots and hyphens",
);

/** Fields that both creates share. */
export const copyFields = {
  name: copyName,
  description: z.string().default(""),
  volume_id: text,
  force: z.boolean().default(false),
};
type CopyBody = z.output<z.ZodObject<typeof copyFields>> & { readonly incremental?: boolean };

/** Starts a copy of the volume in the body. */
export function insertCopy(
  cloud: Cloud,
  kind: CopyKind,
  headers: TenantHeaders & { "k-tenant-id": string },
  body: CopyBody,
): VolumeCopy {
  refuseByName(body.name);
  const volume = requireIdleVolume(cloud, body.volume_id, headers);
  if (!body.force && attachedAt(cloud, cloud.now, volume.krn).length > 0)
    throw new Refusal(
      409,
      `volume ${volume.name} is ${volumeState(cloud, volume)}; set force to copy it in this state`,
    );
  const [vpcKrn = ""] = volume.parents;
  refuseDuplicateName(cloud, copyModel(cloud, kind).all(), vpcKrn, kind, body.name);
  return copyModel(cloud, kind).insert({
    ...newResource(cloud, "kbs", kind, volume.region),
    name: body.name,
    parents: [vpcKrn],
    ...(kind === "snapshot" && { uses: [volume.krn] }),
    work: startWork(cloud.now, cloud.settings.taskMs, failureByName(body.name)),
    description: body.description,
    volumeKrn: volume.krn,
    size: volume.size,
    volumeType: volume.volumeType,
    ...(body.incremental !== undefined && { incremental: body.incremental }),
  });
}

/** Returns the copy of a KRN or bare UUID. Tenant and region are optional but must match. */
export function requireCopy(cloud: Cloud, kind: CopyKind, id: string, headers: TenantHeaders): VolumeCopy {
  const missing = `${kind} ${id} not found`;
  const copy = lookUp(cloud, copyModel(cloud, kind), fullKrn(cloud, id), missing, headers["x-region"]);
  const tenant = headers["k-tenant-id"];
  if (tenant !== undefined && !copy.parents.includes(tenant)) throw new Refusal(404, missing);
  return copy;
}

/** Returns a copy to create from: 409 while it is being created or deleted. */
export function requireReadyCopy(
  cloud: Cloud,
  kind: CopyKind,
  id: string,
  headers: TenantHeaders,
): VolumeCopy {
  const copy = requireCopy(cloud, kind, id, headers);
  if (isReady(cloud, copy)) return copy;
  throw new Refusal(409, `${kind} ${copy.name} is ${copyStatus(copy, cloud.now)}`);
}

function copyStatus(copy: VolumeCopy, time: number): string {
  if (isDeleting(copy, time)) return "deleting";
  const state = workState(copy.work, time);
  if (state === "failed") return "error";
  return state === "success" ? "available" : "creating";
}

/** Returns the copies in a tenant's VPC at the listing time. */
function listCopies(
  cloud: Cloud,
  kind: CopyKind,
  headers: { "k-tenant-id": string; "x-region"?: string | undefined },
): Record<string, unknown>[] {
  const vpc = requireVpc(cloud, headers["k-tenant-id"], headers["x-region"]);
  return listed(cloud, copyModel(cloud, kind).all())
    .filter((resource) => resource.parents[0] === vpc.krn)
    .map((resource) => renderCopy(resource, listingTime(cloud)));
}

/** Starts the deletion of a copy. */
export function deleteCopy(cloud: Cloud, kind: CopyKind, copy: VolumeCopy): void {
  if (isRepeatedDelete(cloud, copy, `${kind} ${copy.krn} not found`)) return;
  if (cloud.now < copy.work.endsAt) throw new Refusal(409, `${kind} ${copy.name} is creating`);
  deleteResource(cloud, copy, cloud.settings.taskMs);
}

/** Renders a copy with the fields of a volume; the real fields are unknown (docs/contract.md#8). */
export function renderCopy(copy: VolumeCopy, time: number): Record<string, unknown> {
  return {
    id: copy.krn,
    krn: copy.krn,
    name: copy.name,
    description: copy.description,
    volume_id: copy.volumeKrn,
    size: copy.size,
    volume_type: copy.volumeType,
    status: copyStatus(copy, time),
    ...(copy.incremental !== undefined && { incremental: copy.incremental }),
    tenant_id: copy.parents[0],
    created_at: isoTime(copy.createdAt),
    updated_at: isoTime(copy.updatedAt),
  };
}

/** List, get and delete operations of a kind of copy. */
export function copyOperations(kind: CopyKind): readonly Operation[] {
  const all = `/kbs/v1/${kind}s` as const;
  const one = `${all}/{${kind}}` as const;
  const stated = { section: "8", source: "client", headers: tenant } as const;
  return [
    operation({
      name: `list_${kind}s`,
      method: "GET",
      path: all,
      ...stated,
      handle: (cloud, { headers }) => ({ status: 200, body: listCopies(cloud, kind, headers) }),
    }),
    operation({
      name: `get_${kind}`,
      method: "GET",
      path: one,
      ...stated,
      handle: (cloud, { headers, path }) => ({
        status: 200,
        body: renderCopy(requireCopy(cloud, kind, path[kind], headers), cloud.now),
      }),
    }),
    operation({
      name: `delete_${kind}`,
      method: "DELETE",
      path: one,
      ...stated,
      handle(cloud, { headers, path }) {
        deleteCopy(cloud, kind, requireCopy(cloud, kind, path[kind], headers));
        return { status: 202 };
      },
    }),
  ];
}
