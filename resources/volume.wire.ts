import * as z from "zod/mini";

/** A volume as the cloud writes it (contract section 8): most facts under two names, of which either may come. */

const amount = z.optional(z.nullable(z.number()));
export const wire = z.object({
  id: z.optional(z.string()),
  krn: z.optional(z.string()),
  name: z.optional(z.string()),
  Name: z.optional(z.string()),
  description: z.nullish(z.string()),
  size: z.union([z.number(), z.string()]),
  status: z.nullish(z.string()),
  state: z.nullish(z.string()),
  last_action_status: z.nullish(z.string()),
  volumetype: z.nullish(z.string()),
  volume_type: z.nullish(z.string()),
  availability_zone: z.nullish(z.string()),
  multiattach: z.nullish(z.boolean()),
  multi_attached_enabled: z.nullish(z.boolean()),
  metadata: z.nullish(z.record(z.string(), z.string())),
  qos: z.nullish(
    z.object({
      bandwidth: z.nullish(z.object({ read_bytes_sec: amount, write_bytes_sec: amount })),
      iops: z.nullish(z.object({ read_iops_sec: amount, write_iops_sec: amount })),
    }),
  ),
  source: z.nullish(z.object({ id: z.string(), type: z.string() })),
  source_id: z.nullish(z.string()),
  source_type: z.nullish(z.string()),
});

/** What a row shows of a volume of this VPC. */
export function observed(row: z.infer<typeof wire>, vpcId: string, region: string) {
  const { qos } = row;
  const sourceId = row.source?.id ?? (row.source_id || undefined);
  const sourceType = row.source?.type ?? (row.source_type || undefined);
  return {
    // Actions want the KRN; a name is never an id (contract 17.5).
    id: [row.krn, row.id].find((id) => id?.startsWith("krn:")) ?? row.id ?? "",
    vpcId,
    name: row.name ?? row.Name,
    description: row.description ?? undefined,
    sizeGb: Number(row.size),
    volumeType: row.volumetype ?? row.volume_type ?? undefined,
    availabilityZone: row.availability_zone ?? undefined,
    multiattach: row.multiattach ?? row.multi_attached_enabled ?? undefined,
    metadata: row.metadata ?? undefined,
    qos: qos
      ? {
          bandwidth: qos.bandwidth
            ? {
                readBytesSec: qos.bandwidth.read_bytes_sec ?? undefined,
                writeBytesSec: qos.bandwidth.write_bytes_sec ?? undefined,
              }
            : undefined,
          iops: qos.iops
            ? {
                readIopsSec: qos.iops.read_iops_sec ?? undefined,
                writeIopsSec: qos.iops.write_iops_sec ?? undefined,
              }
            : undefined,
        }
      : undefined,
    source:
      sourceId && sourceType
        ? { id: sourceId, type: sourceType as "image" | "volume" | "snapshot" }
        : undefined,
    status: standing(row),
    region,
  };
}

/** `status` may tell of the last action while `state` tells of the volume: both are read (contract 8, 17.5). */
function standing({ status, state, last_action_status: action }: z.infer<typeof wire>): string {
  const words = [state, status].filter((word): word is string => typeof word === "string" && word !== "");
  const failed = [...words, action ?? ""].find((word) => /^(error|fail)/i.test(word));
  const moving = words.find((word) => /ing$/i.test(word));
  return failed ?? moving ?? words[0] ?? "";
}

export const limits = "must hold at most 128 labels, with names up to 255 and values up to 4096 characters";

/** Contract section 8. */
export function fits(metadata: Record<string, string>): boolean {
  const labels = Object.entries(metadata);
  return labels.length <= 128 && labels.every(([name, value]) => name.length <= 255 && value.length <= 4096);
}
