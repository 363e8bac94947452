import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { Given } from "../../provider/config/setting.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Value, Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { isRef, type Written } from "../adapter/adapter.ts";
import { lifecycleCases } from "../adapter/lifecycle/lifecycle.ts";
import { type Between, type Cloud, openCloud, resource } from "./cloud.ts";

/** Object of a lifecycle case in a separate emulator, without an engine. */
export interface LifecycleWorld {
  readonly cloud: Cloud;
  readonly state: ResourceState;
  /** Checked inputs that change the object in place; undefined if the API has no route for that. */
  readonly updated: Values | undefined;
  update(call?: object): Promise<ResourceState>;
  remove(call?: object): Promise<undefined>;
}

const settings: Given = {
  user: "ana",
  accountId: "000000000000",
  accessKey: "emulator-access-key",
  secretKey: "emulator-secret-key",
};

/** Creates the VPC, the dependencies and the object of the lifecycle case of a kind. */
export async function openLifecycle(
  kind: string,
  options: EmulatorOptions = {},
  given: Given = {},
  between: Between = {},
): Promise<LifecycleWorld> {
  const found = lifecycleCases.find(({ resource }) => resource === kind);
  if (found === undefined) throw new Error(`no lifecycle of ${kind}`);
  const cloud = openCloud(options, { ...settings, ...given }, between);
  const ids: Record<string, string> = {};
  const resolved = (value: unknown): Value => {
    if (Array.isArray(value)) return value.map(resolved);
    return isRef(value) ? (ids[value.ref] ?? "") : (value as Value);
  };
  const inputsOf = (written: Written): Values =>
    Object.fromEntries(Object.entries(written).map(([name, value]) => [name, resolved(value)]));
  const make = async (name: string, kind: string, written: Written) => {
    const state = await cloud.run(cloud.create(kind, inputsOf(written)));
    ids[name] = String(state.id);
    return state;
  };
  await make("network", "vpc", { name: "around" });
  for (const { name, resource, inputs } of found.dependencies ?? []) await make(name, resource, inputs);
  const state = await make(kind, kind, found.inputs);
  const definition = resource(kind);
  const updated = found.update === null ? undefined : engine.check(definition, inputsOf(found.update)).inputs;
  return {
    cloud,
    state,
    updated,
    update: (call = {}) =>
      engine.update(cloud.session, definition, state, updated ?? {}, { ...cloud.call, ...call }),
    async remove(call = {}) {
      await engine.delete(cloud.session, definition, state, { ...cloud.call, ...call });
      return undefined;
    },
  };
}
