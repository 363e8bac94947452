import * as z from "zod/mini";
import { assignment, wording } from "../../provider/core/wording.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import type { ChangeEffect } from "../../provider/definition/field.ts";
import {
  maybe,
  maybeAmount,
  maybeFlag,
  maybeNumber,
  maybeText,
  maybeUnset,
} from "../../provider/definition/validator.ts";
import { insideMissing } from "./vpc.ts";

/**
 * Volumes in responses of the API (docs/contract.md#8): most values have two field names, and either may be missing.
 */

const sourceKind = z.enum(["image", "volume", "snapshot"]);
const wire = z.object({
  id: maybeText,
  krn: maybeText,
  name: maybeText,
  Name: maybeText,
  description: maybeUnset(z.string()),
  size: maybeAmount,
  Size: maybeAmount,
  status: maybeText,
  state: maybeText,
  last_action_status: maybeText,
  last_action_log: maybeText,
  volumetype: maybeText,
  volume_type: maybeText,
  availability_zone: maybeText,
  multiattach: maybeFlag,
  multi_attached_enabled: maybeFlag,
  metadata: maybeUnset(z.record(z.string(), z.string())),
  qos: maybe(
    z.object({
      bandwidth: maybe(z.object({ read_bytes_sec: maybeNumber, write_bytes_sec: maybeNumber })),
      iops: maybe(z.object({ read_iops_sec: maybeNumber, write_iops_sec: maybeNumber })),
    }),
  ),
  source: maybe(z.object({ id: z.string(), type: sourceKind })),
  source_id: maybeText,
  created_at: maybeText,
  source_type: maybe(z.union([sourceKind, z.literal("")])),
});

/** Returns the tenant header of every volume request: the VPC (docs/contract.md#8). */
export const tenant = (vpcId: string) => ({ "K-Tenant-ID": vpcId });

/**
 * Returns the id of a volume: the KRN if it has one, since actions require it; never the name (docs/contract.md#17.5).
 */
export const volumeIdOf = ({ id, krn }: { id?: string | undefined; krn?: string | undefined }): string =>
  [krn, id].find((each) => each?.startsWith("krn:")) ?? id ?? "";

/** Converts a volume of a response. */
export function observed(row: z.infer<typeof wire>, vpcId: string, region: string) {
  const { qos } = row;
  const sourceId = row.source?.id ?? row.source_id;
  const sourceType = row.source?.type ?? row.source_type;
  return {
    id: volumeIdOf(row),
    vpcId,
    name: row.name ?? row.Name,
    description: row.description,
    sizeGb: sizeOf(row),
    volumeType: row.volumetype ?? row.volume_type,
    availabilityZone: row.availability_zone,
    multiattach: row.multiattach ?? row.multi_attached_enabled,
    metadata: row.metadata,
    qos: qos && {
      bandwidth: qos.bandwidth && {
        readBytesSec: qos.bandwidth.read_bytes_sec,
        writeBytesSec: qos.bandwidth.write_bytes_sec,
      },
      iops: qos.iops && { readIopsSec: qos.iops.read_iops_sec, writeIopsSec: qos.iops.write_iops_sec },
    },
    source: sourceId && sourceType ? { id: sourceId, type: sourceType } : undefined,
    status: statusOf(row),
    reason: row.last_action_log,
    createdAt: row.created_at,
    region,
  };
}

/** Route that reads one volume. */
export const getVolume = endpoint("read", "GET /kbs/v1/volumes/{volume}", wire);
/** Route that extends a volume. */
export const volumeExtend = endpoint("update", "POST /kbs/v1/volumes/{volume}/action", undefined, {
  body: json<{ input: { newSize: number } }>(),
});

/** Returns the size of a volume in GB. */
export const sizeOf = ({ size, Size }: z.infer<typeof wire>): number | undefined => size ?? Size;

/** Extends a volume; a size below the present one is rejected (docs/contract.md#8). */
export const extendVolume = (
  api: Api,
  { vpcId, volume, newSize }: { readonly vpcId: string; readonly volume: string; readonly newSize: number },
) =>
  api.send(volumeExtend, {
    path: { volume },
    headers: tenant(vpcId),
    query: { op: "extend" },
    body: { input: { newSize } },
  });

/** Returns the change of the size of a volume, which can only grow. */
export const growOnly = (before: number, after: number): ChangeEffect =>
  after > before
    ? "update"
    : {
        refuse: wording`cannot shrink from ${before} to ${after} GB: the volume is ${before} GB now; set ${assignment("sizeGb", before)}, or create a smaller volume and copy the data`,
      };

/** Route that lists the volumes of a VPC. */
export const volumeList = endpoint("read", "GET /kbs/v1/volumes", z.array(wire));

/** Lists every volume of a VPC. */
export async function listVolumes(api: Api, region: string, vpcId: string) {
  const rows = await api.find(volumeList, { headers: tenant(vpcId) });
  return (rows ?? (await insideMissing(api, region, vpcId))).map((row) => observed(row, vpcId, region));
}

/**
 * Returns the status of a volume from several fields: `status` may be that of the last action, while `state` is that of the
 * volume (docs/contract.md#8, docs/contract.md#17.5). A failure has priority, then an operation in progress.
 */
function statusOf({ status, state, last_action_status: action }: z.infer<typeof wire>): string {
  const words = [state, status].filter((word): word is string => typeof word === "string" && word !== "");
  const failed = [...words, action].find(isFailure);
  const moving = words.find((word) => /ing$/i.test(word));
  return failed ?? moving ?? words[0] ?? "";
}

/** Statuses of a volume. */
export const volumeStatuses = {
  ready: ["available", "success", "attached", "in-use", "in_use"],
  pending: ["creating", "extending", "retyping", "updating", "attaching", "detaching", "deleting"],
  failed: ["error", "failed", "failure"],
  gone: ["deleted"],
} as const;

/** Returns true for the status of a failure, of the volume or of its last action. */
export const isFailure = (word: string | undefined): boolean => /^(error|fail)/i.test(word ?? "");

/** Returns true if the volume itself has failed, not only its last action. */
export const hasFailed = (row: z.infer<typeof wire> | undefined): boolean =>
  isFailure(row?.state || row?.status);

export const limits = "must have at most 128 labels, with names up to 255 and values up to 4096 characters";

/** Returns true if the labels of a volume are within the limits (docs/contract.md#8). */
export function fits(metadata: Record<string, string>): boolean {
  const labels = Object.entries(metadata);
  return labels.length <= 128 && labels.every(([name, value]) => name.length <= 255 && value.length <= 4096);
}

const createdVolume = z.object({
  id: maybeText,
  volume: maybe(z.object({ id: maybeText })),
});

/** Routes of a volume. */
export const volumeRoutes = {
  create: endpoint("create", "POST /kbs/v1/volumes", createdVolume, {
    body: json<{
      name: string;
      description: string | undefined;
      size: number;
      volumetype: string;
      availability_zone: string | undefined;
      multiattach: boolean;
      metadata: Record<string, string> | undefined;
      qos:
        | {
            bandwidth:
              | { read_bytes_sec: number | undefined; write_bytes_sec: number | undefined }
              | undefined;
            iops: { read_iops_sec: number | undefined; write_iops_sec: number | undefined } | undefined;
          }
        | undefined;
      source: { id: string; type: string } | undefined;
    }>(),
  }),
  update: endpoint("update", "PUT /kbs/v1/volumes/{volume}", undefined, {
    body: json<{ volume: { name: string; description: string; metadata: Record<string, string> } }>(),
    writes: ["name", "description", "metadata"],
  }),
  retype: endpoint("update", "PUT /kbs/v1/volumes/{volume}/change_type", undefined, {
    body: json<{ volume_type: string }>(),
  }),
  delete: endpoint("delete", "DELETE /kbs/v1/volumes/{volume}"),
};

/**
 * Volume types in the response: a list, or an object by name. It is not documented whether the entries are names or
 * objects (docs/contract.md#8).
 */
const volumeTypes = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]);

/** Route that lists the volume types of a VPC. */
export const volumeTypeList = endpoint("read", "GET /kbs/v1/volumes/types", volumeTypes);
