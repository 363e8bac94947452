import { snakeCase } from "../../provider/core/name.ts";
import type { Path } from "../../provider/core/value.ts";
import { canonical } from "../model/canonical.ts";
import { type Change, kindOfChange } from "../model/change.ts";
import { type Difference, differencesOf } from "../model/difference.ts";
import { shownSides } from "./inner.ts";
import type { ReportDifference } from "./report.ts";
import { markOf, type ValueOptions, visible } from "./value.ts";

/**
 * Returns a function that converts the differences of a change for the report. Changes with equal differences, such as those of
 * a resource with many instances, share one list, which outputs write once.
 */
export function reportDifferences(values: ValueOptions): (change: Change) => ReportDifference[] {
  const byList = new Map<readonly Difference[], ReportDifference[]>();
  const byKey = new Map<string, ReportDifference[]>();
  return (change) => {
    const differences = differencesOf(change);
    const shared = byList.get(differences);
    if (shared !== undefined) return shared;
    const key = differenceKey(change, differences, values);
    const found = byKey.get(key) ?? differences.map((difference) => differenceOf(change, difference, values));
    byList.set(differences, found);
    byKey.set(key, found);
    return found;
  };
}

/** Returns a key that is equal only for changes whose differences look the same in a report. */
function differenceKey(change: Change, differences: readonly Difference[], { key }: ValueOptions): string {
  const { engine, before } = change;
  const text = (value: Difference["before"]) =>
    canonical(value, (plain) => `(${markOf(plain, key).mark ?? ""})`);
  return differences.reduce(
    (all, { path, before, after, forcesReplacement, isUncompared }) =>
      `${all}\n${forcesReplacement}${isUncompared}${JSON.stringify(path)}${text(before)}>${text(after)}`,
    JSON.stringify([kindOfChange(change), engine, before === undefined]),
  );
}

function differenceOf(change: Change, difference: Difference, values: ValueOptions): ReportDifference {
  const { path, before, after, forcesReplacement, isUncompared, field } = difference;
  const isUnordered = field?.kind === "field" && field.options.unordered === true;
  const { inner, ...sides } = shownSides(before, after, {
    isNew: change.before === undefined,
    isUnordered,
    ...values,
  });
  return {
    path: path.map((step) => (typeof step === "string" ? visible(step) : step)),
    name: visible(attributeName(change, path)),
    ...sides,
    forcesReplacement,
    ...(isUncompared ? { isUncompared } : {}),
    ...(field?.kind === "computed" ? { isComputed: true as const } : {}),
    ...(inner === undefined ? {} : { inner }),
  };
}

/** Returns the name of an attribute as the engine writes it: `size_gb`, `boot_volume.size_gb`, `sizeGb`. */
export function attributeName({ engine, resource }: Change, path: Path): string {
  const isTerraform = engine !== "pulumi" && resource !== undefined;
  const names = isTerraform ? (resource.fields[String(path[0])]?.kind === "group" ? 2 : 1) : 0;
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      const name = index < names ? snakeCase(step) : step;
      return /^\w+$/.test(name) ? `${index === 0 ? "" : "."}${name}` : `[${JSON.stringify(name)}]`;
    })
    .join("");
}
