import { createHash } from "node:crypto";
import { isRecord, isSecret, UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { canonical } from "../model/canonical.ts";
import type { ReportChange, ReportDifference } from "./report.ts";
import { visible } from "./value.ts";

/**
 * Compares the inputs that an update of Pulumi used with the planned ones, because `pulumi up` plans again. Terraform and OpenTofu apply
 * the values of the plan file, and fail if the provider returns others.
 */

export interface ComparedInputs {
  readonly compared: number;
  /** Number of planned values that are sensitive, unknown, or redacted in the report. */
  readonly uncompared: number;
  /** Names of the attributes with other values than planned. */
  readonly different: string[];
}

/** @param changed names of the attributes that the update changed, if the log has them */
export function comparedInputs(
  { differences, action }: ReportChange,
  inputs: Values,
  changed: readonly string[] | undefined,
): ComparedInputs {
  const different: string[] = [];
  let [compared, uncompared] = [0, 0];
  for (const difference of differences) {
    if (difference.isComputed) continue;
    const result = compare(difference, inputs);
    if (result === undefined) uncompared += 1;
    else compared += 1;
    if (result === false) different.push(difference.name);
  }
  const planned = new Set(differences.map(({ path: [first] }) => String(first)));
  const names =
    action === "create"
      ? Object.keys(inputs).filter((name) => !name.startsWith("__") && inputs[name] !== null)
      : action === "update"
        ? (changed ?? [])
        : [];
  return {
    compared,
    uncompared,
    different: [...different, ...names.map(visible).filter((name) => !planned.has(name))],
  };
}

/** Returns true for equal values; undefined for values that cannot be compared. */
function compare({ path, after }: ReportDifference, inputs: Values): boolean | undefined {
  const value = valueAt(inputs, path);
  if (after.kind === "sensitive" || after.kind === "unknown" || isHidden(value)) return undefined;
  if (after.kind === "none") return value === null;
  const text = visible(canonical(value, () => "(sensitive)"));
  if (after.cut === undefined) return after.text.includes(redacted) ? undefined : text === after.text;
  if (after.text.includes(redacted)) return undefined;
  return text.length === after.cut && createHash("sha256").update(text).digest("hex") === after.sha256;
}

/** Text in place of copies of sensitive values, which a report has in values that are not sensitive. */
const redacted = "***";

/** Returns true for a value that is sensitive or unknown, or has such a part. */
const isHidden = (value: Value): boolean =>
  value === UNKNOWN ||
  isSecret(value) ||
  (Array.isArray(value) ? value.some(isHidden) : isRecord(value) && Object.values(value).some(isHidden));

function valueAt(inputs: Values, path: ReportDifference["path"]): Value {
  let value: Value = inputs;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)] ?? null;
    else if (isRecord(value) && !isSecret(value))
      value = Object.entries(value).find(([name]) => visible(name) === String(step))?.[1] ?? null;
    else return isSecret(value) ? value : null;
  }
  return value;
}
