import * as z from "zod";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, refuseDuplicateName } from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { text } from "../model/schema.ts";
import { requireReadyVpc } from "../network/vpc-model.ts";
import { startWork } from "../state/work.ts";
import { copyFields, copyOperations, insertCopy, requireReadyCopy, type VolumeCopy } from "./volume-copy.ts";
import {
  createdResponse,
  insertVolume,
  requireIdleVolume,
  startChange,
  tenant,
  type Volume,
  volumeModel,
  volumeState,
} from "./volume-model.ts";

const createBackup = operation({
  name: "create_backup",
  method: "POST",
  path: "/kbs/v1/backups",
  section: "8",
  source: "client",
  headers: tenant,
  body: z.strictObject({ ...copyFields, incremental: z.boolean().default(false) }),
  handle(cloud, { headers, body }) {
    return createdResponse(cloud, "backup", insertCopy(cloud, "backup", headers, body).krn);
  },
});

type TenantOnly = z.output<typeof tenant>;

function restoreOver(cloud: Cloud, headers: TenantOnly, backup: VolumeCopy, id: string): Volume {
  const volume = requireIdleVolume(cloud, id, headers);
  const state = volumeState(cloud, volume);
  if (state !== "available") throw new Refusal(409, `volume ${volume.name} is ${state}`);
  if (volume.size < backup.size)
    throw new Refusal(
      400,
      `volume_id: volume ${volume.name} is smaller than the ${backup.size} GB of the backup`,
    );
  startChange(cloud, volume, { action: "restore" });
  return volume;
}

function restoreNew(cloud: Cloud, headers: TenantOnly, backup: VolumeCopy, name: string): Volume {
  refuseByName(name);
  const vpc = requireReadyVpc(cloud, headers["k-tenant-id"], headers["x-region"]);
  refuseDuplicateName(cloud, volumeModel(cloud).all(), vpc.krn, "volume", name);
  return insertVolume(cloud, vpc, {
    name,
    size: backup.size,
    volumeType: backup.volumeType,
    availabilityZone: "nova",
    work: startWork(cloud.now, cloud.settings.taskMs, failureByName(name)),
  });
}

const restoreBackup = operation({
  name: "restore_backup",
  method: "POST",
  path: "/kbs/v1/backups/{backup}/restore",
  section: "8",
  source: "client",
  headers: tenant,
  body: z.strictObject({ name: text.optional(), volume_id: text.optional() }),
  // Restores into the given volume, else into a new one, which requires a name.
  handle(cloud, { headers, body, path: { backup: id } }) {
    const backup = requireReadyCopy(cloud, "backup", id, headers);
    if (body.volume_id === undefined && body.name === undefined) throw new Refusal(400, "name: required");
    const volume =
      body.volume_id === undefined
        ? restoreNew(cloud, headers, backup, body.name ?? "")
        : restoreOver(cloud, headers, backup, body.volume_id);
    return { status: 202, body: { message: "restore accepted", volume_id: volume.krn } };
  },
});

/** Backups of volumes. */
export const backupKind: ResourceKind = {
  name: "backup",
  operations: [createBackup, ...copyOperations("backup"), restoreBackup],
};
