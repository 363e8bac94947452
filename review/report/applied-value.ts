import { createHash } from "node:crypto";
import { isRecord, isSecret, UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { type Field, isSetByApi } from "../../provider/definition/field.ts";
import { canonical } from "../model/canonical.ts";
import type { Change } from "../model/change.ts";
import { differencesOf } from "../model/difference.ts";
import { resourceOfPulumi } from "../model/kind.ts";
import type { ReportChange, ReportDifference } from "./report.ts";
import { visible } from "./value.ts";

/**
 * Compares the inputs that an update of Pulumi used with the planned ones, because `pulumi up` plans again. Terraform and OpenTofu apply
 * the values of the plan file, and fail if the provider returns others.
 */

export interface ComparedInputs {
  readonly compared: number;
  /** Number of planned values that are sensitive, unknown or redacted in the report, or no inputs. */
  readonly uncompared: number;
  /** Names of the attributes with other values than planned. */
  readonly different: string[];
}

/** @param changed names of the attributes that the update changed, if the log has them */
export function comparedInputs(
  change: ReportChange,
  inputs: Values,
  changed: readonly string[] | undefined,
): ComparedInputs {
  const { differences, action } = change;
  const different: string[] = [];
  let [compared, uncompared] = [0, 0];
  for (const difference of differences) {
    if (difference.isComputed) continue;
    const result = isNoInput(change, difference, inputs) ? undefined : compare(difference, inputs);
    if (result === undefined) uncompared += 1;
    else compared += 1;
    if (result === false) different.push(difference.name);
  }
  const planned = new Set(differences.map(({ path: [first] }) => String(first)));
  const names = action === "create" ? setNames(change, inputs) : action === "update" ? (changed ?? []) : [];
  const others = [...new Set(names)].map(visible).filter((name) => !planned.has(name));
  return { compared, uncompared, different: [...different, ...others] };
}

/** Returns the attributes that a report of a create with these inputs shows: it omits values that mean the same as none. */
function setNames({ plan, engine, address, type, action }: ReportChange, inputs: Values): string[] {
  const set: Change = {
    ...{ plan, engine, address, type, action, resource: resourceOfPulumi(type), after: inputs },
    ...{ name: undefined, id: undefined, before: undefined, forcedBy: [], dependsOn: [], parents: [] },
  };
  return differencesOf(set)
    .map(({ path: [first] }) => String(first))
    .filter((name) => !name.startsWith("__"));
}

/** Returns true for a planned value that is no input: an output that the preview took from the old object, or that the API sets. */
function isNoInput(
  { type }: ReportChange,
  { path: [first], after }: ReportDifference,
  inputs: Values,
): boolean {
  const name = String(first);
  if (after.kind !== "value" || Object.keys(inputs).some((one) => visible(one) === name)) return false;
  const field = resourceOfPulumi(type)?.fields[name];
  if (field?.kind === "group") {
    const members: readonly Field[] = Object.values(field.fields);
    return members.every((member) => member.kind !== "group" && isSetByApi(member));
  }
  return field === undefined || isSetByApi(field);
}

/** Returns true for equal values; undefined for values that cannot be compared. */
function compare({ path, after }: ReportDifference, inputs: Values): boolean | undefined {
  const value = valueAt(inputs, path);
  if (after.kind === "sensitive" || after.kind === "unknown" || isHidden(value)) return undefined;
  if (after.kind === "none") return value === null;
  const text = visible(canonical(value, () => "(sensitive)"));
  const isEqual =
    after.cut === undefined
      ? text === after.text
      : text.length === after.cut && createHash("sha256").update(text).digest("hex") === after.sha256;
  return !isEqual && hasHiddenPart(after.text) ? undefined : isEqual;
}

/** Returns true for the text of a value that has an unknown, sensitive or redacted part. Of a cut text, the beginning decides. */
const hasHiddenPart = (text: string): boolean =>
  text.includes(redacted) || /\?|\(sensitive\)/.test(text.replace(/"(?:[^"\\]|\\.)*(?:"|$)/g, ""));

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
