import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { resource } from "./cloud.ts";
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
  const attach = (change: Values = {}) =>
    cloud.run(cloud.create("volume-attachment", { ...written, ...change }));
  const read = (state: ResourceState) => cloud.run(engine.read(cloud.session, attachment, state, cloud.call));
  const remove = (state: ResourceState, timeout?: number) =>
    cloud.run(engine.delete(cloud.session, attachment, state, { ...cloud.call, timeout }));
  const take = (id: string) => cloud.run(engine.import(cloud.reopen(), attachment, id, cloud.call));
  return {
    cloud,
    vpcId,
    volumeId,
    instanceId,
    written,
    volume,
    create,
    attach,
    read,
    remove,
    take,
    removeInstance,
  };
}
