import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../../provider/core/state.ts";
import { equal, type Value, type Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { openCloud, resource } from "../../support/cloud.ts";
import { isRef, type Written, type WrittenValue } from "../adapter.ts";
import { changedThroughOthers, lifecycleCases, stackAt } from "./lifecycle.ts";

/** The in-place change of every lifecycle case, without an engine: the next refresh shows no difference. */

const storage = { user: "ana", accessKey: "emulator-access-key", secretKey: "emulator-secret-key" };

test("after an in-place change of each resource, a refresh shows the returned values, except those that change through another object", async () => {
  const cloud = openCloud({ taskMs: 200, assume: { podRead: "pod", cancelledTaskShown: false } }, storage);
  const states: Record<string, ResourceState> = {};
  const resolved = (value: WrittenValue): Value => {
    if (isRef(value)) {
      const { id = null, values } = states[value.ref] ?? { values: {} as Values };
      return value.property === "id" ? id : (values[value.property] ?? null);
    }
    if (Array.isArray(value)) return value.map(resolved);
    return typeof value === "object" && value !== null ? inputsOf(value as Written) : (value as Value);
  };
  const inputsOf = (written: Written): Values =>
    Object.fromEntries(Object.entries(written).map(([name, value]) => [name, resolved(value)]));
  for (const { name, resource: kind, inputs } of stackAt("inputs"))
    states[name] = await cloud.run(cloud.create(kind, inputsOf(inputs)));
  const read = (state: ResourceState, kind: string) =>
    cloud.run(engine.read(cloud.reopen(), resource(kind), state, cloud.call));
  for (const { name, resource: kind } of stackAt("inputs"))
    states[name] = (await read(states[name] as ResourceState, kind)) as ResourceState;
  const changing = new Set(
    lifecycleCases.flatMap(({ resource, update }) => (update === null ? [] : [resource])),
  );
  for (const { name, resource: kind, inputs } of stackAt("update")) {
    if (!changing.has(name)) continue;
    const checked = engine.check(resource(kind), inputsOf(inputs)).inputs;
    states[name] = await cloud.run(
      engine.update(cloud.session, resource(kind), states[name] as ResourceState, checked, cloud.call),
    );
  }
  const other: string[] = [];
  for (const { name, resource: kind } of stackAt("update")) {
    const { values } = states[name] as ResourceState;
    const seen = (await read(states[name] as ResourceState, kind))?.values ?? {};
    for (const field of Object.keys({ ...values, ...seen }))
      if (!equal(values[field] ?? null, seen[field] ?? null)) other.push(`${name}.${field}`);
  }
  const expected = Object.entries(changedThroughOthers).filter(([name]) => Object.hasOwn(states, name));
  expect(other).toEqual(expected.map(([name, field]) => `${name}.${field}`));
});
