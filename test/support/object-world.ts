import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { Given } from "../../provider/config/setting.ts";
import { InputError } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Between, live, openCloud, operationsOn, resource } from "./cloud.ts";

/** Bucket with the operations on objects in it, and a folder for their files. */

export const object = resource("object");
/** Folder of the files. Suites that use it remove it. */
export const folder = mkdtempSync(join(tmpdir(), "kcloud-object-"));

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
export const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** Provider settings for operations on objects. */
const keys: Given = {
  accountId: "000000000000",
  accessKey: "emulator-access-key",
  secretKey: "emulator-secret-key",
};

/** Opens a cloud with one bucket; returns the operations on objects in it. */
export async function openBucket(options: EmulatorOptions = {}, given: Given = {}, between: Between = {}) {
  const cloud = openCloud(options, { ...keys, ...given }, between);
  const bucketId = String((await cloud.run(cloud.create("bucket", { name: "data" }))).id);
  const written = (values: Values): Values => ({ bucketId, key: "notes/a.txt", ...values });
  const inputs = (values: Values) => {
    const { inputs, problems } = engine.check(object, written(values));
    if (problems.length > 0) throw new InputError(problems);
    return inputs;
  };
  return {
    cloud,
    bucketId,
    inputs,
    ...operationsOn(cloud, "object", written({})).run,
    plan: (state: ResourceState, values: Values) => engine.plan(object, state, inputs(values), cloud.session),
    update: (state: ResourceState, values: Values) =>
      cloud.run(engine.update(cloud.session, object, state, inputs(values), cloud.call)),
  };
}

/** Returns key and ETag of the objects in the cloud. */
export const stored = (cloud: Parameters<typeof live>[0]) =>
  live(cloud, "object").map((row) => [row.name, (row as { etag?: string }).etag]);
