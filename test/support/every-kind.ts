import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { Given } from "../../provider/config/setting.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Value, Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Item, isRef, type Written, type WrittenValue } from "../adapter/adapter.ts";
import { stackAt } from "../adapter/lifecycle/lifecycle.ts";
import { type Between, type Cloud, openCloud, resource } from "./cloud.ts";

/** Creates one object of every kind in one cloud, from the inputs of the lifecycle cases. */

export interface Made {
  readonly kind: string;
  readonly inputs: Values;
  readonly state: ResourceState;
}

const settings: Given = {
  user: "ana",
  accessKey: "emulator-access-key",
  secretKey: "emulator-secret-key",
  otpCommand: "print one",
};

/** Opens a cloud in which every kind can be created and read. */
export function openEveryKind(
  options: EmulatorOptions = {},
  given: Given = {},
  between: Between = {},
): Cloud {
  const cloud: Cloud = openCloud(
    { taskMs: 0, assume: { podRead: "pod", sessionAttempts: 10_000 }, ...options },
    { ...settings, ...given },
    { ...between, command: async () => ({ status: 0, output: cloud.emulator.password() }) },
  );
  return cloud;
}

/** Creates one object of every kind, and their dependencies. Returns all objects in the order of their creation. */
export async function createEveryKind(cloud: Cloud): Promise<readonly Made[]> {
  const made = new Map<string, Made>();
  let left: readonly Item[] = stackAt("inputs");
  while (left.length > 0) {
    const ready = left.filter(({ inputs }) => refsIn(Object.values(inputs)).every((name) => made.has(name)));
    if (ready.length === 0) throw new Error(`${left.map(({ name }) => name).join(", ")} refer to nothing`);
    for (const { name, resource: kind, inputs: written } of ready) {
      const { inputs } = engine.check(resource(kind), resolved(written, made));
      const state = await cloud.run(engine.create(cloud.session, resource(kind), inputs, cloud.call));
      made.set(name, { kind, inputs, state });
    }
    left = left.filter((item) => !ready.includes(item));
  }
  return [...made.values()];
}

/** Returns the first object of each kind. */
export const oneOfEach = (made: readonly Made[]): readonly Made[] => [
  ...new Map(made.toReversed().map((one) => [one.kind, one])).values(),
];

const refsIn = (values: readonly WrittenValue[]): string[] =>
  values.flatMap((value) => {
    if (isRef(value)) return [value.ref];
    return typeof value === "object" && value !== null ? refsIn(Object.values(value)) : [];
  });

/** Returns the inputs with each reference replaced by its value. */
function resolved(written: Written, made: ReadonlyMap<string, Made>): Values {
  const plain = (value: WrittenValue): Value => {
    if (isRef(value)) {
      const state = made.get(value.ref)?.state;
      return (value.property === "id" ? state?.id : state?.values[value.property]) ?? null;
    }
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value as Value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, plain(each as WrittenValue)]),
    );
  };
  return plain(written as WrittenValue) as Values;
}
