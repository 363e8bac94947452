import * as z from "zod";
import { refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { existing } from "../model/cloud.ts";
import { instanceModel } from "../model/instance.ts";
import { type Operation, operation } from "../model/operation.ts";
import { text } from "../model/schema.ts";
import {
  metadata,
  renderVolume,
  requireIdleVolume,
  startChange,
  tenant,
  volumePath,
  volumeSize,
} from "./volume-model.ts";

const extendVolume = operation({
  name: "extend_volume",
  method: "POST",
  path: `${volumePath}/action`,
  select: { op: "extend" },
  section: "8",
  source: "client",
  headers: tenant,
  body: z.strictObject({ input: z.strictObject({ newSize: volumeSize }) }),
  handle(cloud, { headers, body, path: { volume: krn } }) {
    const volume = requireIdleVolume(cloud, krn, headers);
    const { newSize } = body.input;
    const instance = existing(cloud, instanceModel(cloud).all()).find((one) => one.volume.krn === krn);
    const outcome = instance ? cloud.decide("bootVolumeExtend") : "extends";
    if (instance && outcome !== "extends")
      throw new Refusal(outcome, `volume ${volume.name} is the boot volume of ${instance.name}`);
    if (newSize <= volume.size)
      throw new Refusal(400, `input.newSize: must be above the present ${volume.size} GB`);
    startChange(cloud, volume, { action: "extend", size: newSize });
    const status = cloud.settings.assume.volumeExtendStatus;
    return status === 204 ? { status } : { status, body: { message: "extend accepted" } };
  },
});

const updateVolume = operation({
  name: "update_volume",
  method: "PUT",
  path: volumePath,
  section: "8",
  source: "client",
  headers: tenant,
  body: z.strictObject({
    volume: z.strictObject({
      name: text.optional(),
      description: z.string().optional(),
      metadata: metadata.optional(),
    }),
  }),
  handle(cloud, { headers, body, path: { volume: krn } }) {
    const volume = requireIdleVolume(cloud, krn, headers);
    const { name, description, metadata: entries } = body.volume;
    if (name !== undefined) {
      refuseByName(name);
      volume.name = name;
    }
    if (description !== undefined) volume.description = description;
    if (entries !== undefined) volume.metadata = entries;
    volume.lastAction = "update";
    volume.updatedAt = cloud.now;
    const status = cloud.settings.assume.volumeUpdateStatus;
    return { status, body: renderVolume(cloud, volume) };
  },
});

const changeVolumeType = operation({
  name: "change_volume_type",
  method: "PUT",
  path: `${volumePath}/change_type`,
  section: "8",
  source: "client",
  headers: tenant,
  body: z.strictObject({ volume_type: text }),
  handle(cloud, { headers, body, path: { volume: krn } }) {
    const volume = requireIdleVolume(cloud, krn, headers);
    startChange(cloud, volume, { action: "change_type", volumeType: body.volume_type });
    return { status: 202, body: { message: "type change accepted" } };
  },
});

/** Operations that change a volume in place. */
export const volumeChanges: readonly Operation[] = [extendVolume, updateVolume, changeVolumeType];
