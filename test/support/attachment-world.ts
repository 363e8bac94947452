import type { Values } from "../../provider/core/value.ts";
import { operationsOn, resource } from "./cloud.ts";
import { openNetwork } from "./instance-world.ts";

export const attachment = resource("volume-attachment");

/** Creates an instance and a volume; returns the operations on an attachment of both. */
export async function openDisk(...args: Parameters<typeof openNetwork>) {
  const { cloud, vpcId, create, remove: removeInstance } = await openNetwork(...args);
  const volume = async (name: string, more: Values = {}) =>
    String(
      (await cloud.run(cloud.create("volume", { vpcId, name, sizeGb: 10, volumeType: "ssd", ...more }))).id,
    );
  const instanceId = String((await cloud.run(create())).id);
  const volumeId = await volume("data");
  const written = { vpcId, volumeId, instanceId };
  const { run } = operationsOn(cloud, "volume-attachment", written);
  return {
    cloud,
    vpcId,
    volumeId,
    instanceId,
    written,
    volume,
    ...run,
    create,
    attach: run.create,
    removeInstance,
  };
}
