import type { ResourceState } from "../../provider/core/state.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openCloud, requests, resource } from "./cloud.ts";

export const volume = resource("volume");

/** Creates a volume whose name decides whether its create or its delete fails; returns the operations on it. */
export async function withDeletableVolume(name: string, ...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const written = { vpcId, name, sizeGb: 20, volumeType: "HNSS" };
  const made = cloud.run(cloud.create("volume", written));
  const state = await made.catch((error) => error.state as ResourceState);
  const remove = (from = state) => cloud.run(engine.delete(cloud.reopen(), volume, from, cloud.call));
  const read = () => cloud.run(engine.read(cloud.reopen(), volume, state, cloud.call));
  const sent = () => requests(cloud, "delete_volume").map(({ query }) => query);
  return { cloud, state, remove, read, sent };
}
