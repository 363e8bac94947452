import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { actions, ephemerals, lookups } from "../../functions/index.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Between, live, openCloud } from "./cloud.ts";

/** Returns the definition with this name. */
export const named = <T extends { readonly name: string }>(all: readonly T[], name: string): T => {
  const found = all.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};

/** Creates a bucket; returns the functions of object storage in it. */
export async function open(options: EmulatorOptions = {}, between: Between = {}) {
  const keys = { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" };
  const cloud = openCloud(options, { accountId: "000000000000", ...keys }, between);
  const bucketId = String((await cloud.run(cloud.create("bucket", { name: "data" }))).id);
  const { session, call } = cloud;
  return {
    cloud,
    bucketId,
    put: (key: string, content: string) => cloud.run(cloud.create("object", { bucketId, key, content })),
    ask: (name: string, written: Values) =>
      cloud.run(engine.lookup(session, named(lookups, name), written, call)),
    act: (name: string, written: Values) =>
      cloud.run(engine.invoke(session, named(actions, name), { bucketId, ...written }, call)),
    lease: (name: string, written: Values) =>
      cloud.run(engine.open(session, named(ephemerals, name), written, call)),
    keys: () => live(cloud, "object").map(({ name }) => name),
  };
}
