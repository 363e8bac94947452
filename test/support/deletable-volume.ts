import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openCloud, operationsOn, requests, resource } from "./cloud.ts";

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

/** Creates a volume in a VPC; returns its state and a function that updates it. */
export async function withVolume(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const written = {
    vpcId: String(vpc.id),
    name: "data",
    sizeGb: 20,
    volumeType: "HNSS",
    description: "mine",
  };
  const state = await cloud.run(cloud.create("volume", written));
  const operations = operationsOn(cloud, "volume", written);
  const { inputs } = operations;
  const update = (
    change: Values,
    from: ResourceState = state,
    call: Parameters<typeof operations.update>[2] = {},
  ) => operations.update(from, change, call);
  const before = cloud.emulator.log.entries().length;
  /** Returns the requests except GET since the volume was created. */
  const sent = () =>
    cloud.emulator.log
      .entries()
      .slice(before)
      .filter(({ method }) => method !== "GET");
  return { cloud, state, inputs, update, sent };
}
