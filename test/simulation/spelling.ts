import { engine as core } from "../../provider/engine/engine.ts";
import { resource } from "../support/cloud.ts";
import type { Draw } from "./draw.ts";
import type { Item } from "./item.ts";
import type { Written } from "./kind.ts";
import { resolved } from "./state.ts";

/** Unusual names and groups of a shared world, which the definitions accept. */

/** Forms of the names of a schedule: prefixes of each other, names with a comma, names in two Unicode forms. */
const forms: readonly ((nth: number) => string)[] = [
  (nth) => `ours-${"1".repeat(Math.min(nth, 40))}`,
  (nth) => `ours,${nth}`,
  (nth) => `ours-é${nth}`.normalize(nth % 2 === 0 ? "NFC" : "NFD"),
];

/** Returns true if the definition accepts the inputs, as far as they are known. */
const isAccepted = (name: string, inputs: Written): boolean =>
  core.check(
    resource(name),
    resolved(inputs, () => undefined),
  ).problems.length === 0;

/**
 * Returns the item of a step with a name of the form that the schedule uses, if any, and with groups in which nothing is
 * set.
 *
 * @param draw source of the schedule: the name of an item is the same in every step
 */
export function respell(draw: Draw, item: Item, step: number): Item {
  const names = draw.fork("names");
  const form = names.chance(0.3) ? names.pick(forms) : undefined;
  let { inputs } = item;
  const [, nth] = /^ours-(\d+)$/.exec(String(inputs.name)) ?? [];
  // The API accepts only plain names of buckets.
  if (form !== undefined && nth !== undefined && item.resource !== "bucket") {
    const renamed = { ...inputs, name: form(Number(nth)) };
    if (isAccepted(item.resource, renamed)) inputs = renamed;
  }
  const groups = draw.fork(`groups of ${item.address} in ${step}`);
  for (const name of groupsOf(item)) {
    if (inputs[name] !== undefined || !groups.chance(0.3)) continue;
    const grouped = { ...inputs, [name]: {} };
    if (isAccepted(item.resource, grouped)) inputs = grouped;
  }
  return inputs === item.inputs ? item : { ...item, inputs };
}

const groupsOf = (item: Item): string[] =>
  Object.entries(resource(item.resource).fields).flatMap(([name, { kind }]) =>
    kind === "group" ? [name] : [],
  );

/** Returns the stack with other spellings of unset groups: omitted ones are empty, and empty ones are omitted. */
export const withOtherGroups = (stack: readonly Item[]): readonly Item[] =>
  stack.map((item) => {
    const inputs: Record<string, Written[string]> = { ...item.inputs };
    for (const name of groupsOf(item)) {
      const group = inputs[name];
      if (group === undefined && isAccepted(item.resource, { ...inputs, [name]: {} })) inputs[name] = {};
      else if (typeof group === "object" && Object.keys(group).length === 0) delete inputs[name];
    }
    return { ...item, inputs };
  });
