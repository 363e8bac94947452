import { snakeCase } from "../../provider/core/name.ts";
import { isRecord, type Path, type Value } from "../../provider/core/value.ts";
import { canonical } from "../model/canonical.ts";
import { type Change, kindOfChange } from "../model/change.ts";
import { type Difference, differencesOf } from "../model/difference.ts";
import { innerDifference } from "../model/inner-difference.ts";
import { distinctValues, reportInner } from "./inner.ts";
import type { ReportDifference, Shown } from "./report.ts";
import { markOf, show, type ValueOptions, visible } from "./value.ts";

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
    const key = keyOf(change, differences, values);
    const found = byKey.get(key) ?? differences.map((difference) => differenceOf(change, difference, values));
    byList.set(differences, found);
    byKey.set(key, found);
    return found;
  };
}

/** Returns a key that is equal only for changes whose differences look the same in a report. */
function keyOf(change: Change, differences: readonly Difference[], { key }: ValueOptions): string {
  const { engine, before } = change;
  const text = (value: Difference["before"]) =>
    canonical(value, (plain) => `(${markOf(plain, key).mark ?? ""})`);
  return differences.reduce(
    (all, { path, before, after, forcesReplacement }) =>
      `${all}\n${forcesReplacement}${JSON.stringify(path)}${text(before)}>${text(after)}`,
    JSON.stringify([kindOfChange(change), engine, before === undefined]),
  );
}

function differenceOf(change: Change, difference: Difference, values: ValueOptions): ReportDifference {
  const { path, before, after, forcesReplacement, field } = difference;
  const isUnordered = field?.kind === "field" && field.options.unordered === true;
  const inner =
    change.before === undefined
      ? undefined
      : innerDifference(before, after, { isUnordered, redact: values.redact });
  const [one, other] = inner?.isSecret
    ? [hidden, hidden]
    : distinctValues(show(before, values), show(after, values));
  const isTold = inner === undefined || (!isUnordered && areShort(before, after, [one, other]));
  return {
    path: path.map((step) => (typeof step === "string" ? visible(step) : step)),
    name: visible(attributeName(change, path)),
    before: one,
    after: other,
    forcesReplacement,
    ...(field?.kind === "computed" ? { isComputed: true as const } : {}),
    ...(isTold ? {} : { inner: reportInner(inner, values) }),
  };
}

const hidden: Shown = { kind: "sensitive" };

/** Maximum length of two lists of one item each that are shown as they are. */
const shortest = 80;

/** Returns true for two ordered lists of at most one item that fit one line and hold no objects. */
const areShort = (before: Value, after: Value, texts: readonly Shown[]): boolean =>
  [before ?? [], after ?? []].every(
    (value) => Array.isArray(value) && value.length < 2 && !value.some(isRecord),
  ) && texts.every((shown) => shown.kind !== "value" || shown.text.length <= shortest);

/** Returns the name of an attribute as the engine writes it: `size_gb`, `boot_volume.size_gb`, `sizeGb`. */
export function attributeName({ engine, resource }: Change, path: Path): string {
  const isTerraform = engine !== "pulumi" && resource !== undefined;
  const names = isTerraform ? (resource.fields[String(path[0])]?.kind === "group" ? 2 : 1) : 0;
  return path
    .map((step, at) => {
      if (typeof step === "number") return `[${step}]`;
      const name = at < names ? snakeCase(step) : step;
      return /^\w+$/.test(name) ? `${at === 0 ? "" : "."}${name}` : `[${JSON.stringify(name)}]`;
    })
    .join("");
}
