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
 * Compares the values of an object after an apply with the planned ones. `pulumi up` plans again, so that its inputs can be others.
 * Terraform and OpenTofu apply the values of the plan file, so that others are those of another plan, log or state.
 */

/** Values of an object after an apply. */
export interface AppliedValues {
  /** Inputs of an object of Pulumi, all values of one of Terraform. */
  readonly inputs: Values;
  /** Inputs before the apply, if the log has them. */
  readonly before?: Values | undefined;
  /** Outputs, if the log has them. */
  readonly outputs?: Values | undefined;
  /** Names of the attributes that the update changed, if the log has them. */
  readonly changed?: readonly string[] | undefined;
}

export interface ComparedInputs {
  readonly compared: number;
  /** Number of planned values that are sensitive, unknown or redacted in the report, or no inputs. */
  readonly uncompared: number;
  /** Names of the attributes with other values than planned. */
  readonly different: string[];
}

export function comparedInputs(change: ReportChange, applied: AppliedValues): ComparedInputs {
  const { differences, engine } = change;
  const different: string[] = [];
  let [compared, uncompared] = [0, 0];
  for (const difference of differences) {
    if (difference.isComputed) continue;
    const result =
      engine === "pulumi" && isNoInput(change, difference, applied)
        ? undefined
        : compare(difference, applied.inputs);
    if (result === undefined) uncompared += 1;
    else compared += 1;
    if (result === false) different.push(difference.name);
  }
  // Terraform has no inputs apart from the values of the object, which the plan contains.
  const others = engine === "pulumi" ? unplanned(change, applied) : [];
  return { compared, uncompared, different: [...new Set([...different, ...others])] };
}

/** Returns the names of the values that the apply set or changed, and the report does not. */
function unplanned(change: ReportChange, { inputs, before, changed = [] }: AppliedValues): string[] {
  const { action, differences } = change;
  const planned = differences.map(({ path }) => path.map(String));
  const isPlanned = (path: readonly string[]): boolean =>
    planned.some((one) => one.every((step, index) => step === path[index]));
  const isKnown = action === "create" || before !== undefined;
  const set = isKnown ? setPaths(change, before, inputs) : [];
  // Without the inputs before a replacement, its report does not show which values it keeps.
  const named = action === "update" ? changed.map((name) => [visible(name)]) : [];
  const names = named.filter(([name]) => !planned.some(([first]) => first === name));
  return [...set.filter((path) => !isPlanned(path)), ...names].map((path) => path.join("."));
}

/** Returns the paths of the values that a report of this change shows: it omits values that mean the same as none. */
function setPaths(
  { plan, engine, address, type, action }: ReportChange,
  before: Values | undefined,
  after: Values,
): string[][] {
  const set: Change = {
    ...{ plan, engine, address, type, action, resource: resourceOfPulumi(type), before, after },
    ...{ name: undefined, id: undefined, forcedBy: [], dependsOn: [], parents: [] },
  };
  return differencesOf(set)
    .map(({ path }) => path.map((step) => visible(String(step))))
    .filter(([name = ""]) => !name.startsWith("__"));
}

/** Returns true for a planned value that is no input: an output that the preview took from the old object, or that the API sets. */
function isNoInput(
  { type }: ReportChange,
  { path: [first], after }: ReportDifference,
  { inputs, outputs }: AppliedValues,
): boolean {
  const name = String(first);
  const isIn = (values: Values) => Object.keys(values).some((one) => visible(one) === name);
  if (after.kind !== "value" || isIn(inputs)) return false;
  const field = resourceOfPulumi(type)?.fields[name];
  if (field?.kind === "group") {
    const members: readonly Field[] = Object.values(field.fields);
    return members.every((member) => member.kind !== "group" && isSetByApi(member));
  }
  // Of another provider, the outputs show it; a value that is in neither of them was not set.
  return field === undefined ? outputs === undefined || isIn(outputs) : isSetByApi(field);
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
  if (isEqual) return true;
  if (hasHiddenPart(after.text)) return undefined;
  if (text.includes(elided)) return after.cut === undefined ? sameAssets(after.text, text) : undefined;
  return false;
}

/** Content of an asset in the log of Pulumi. The asset also has its hash. */
const elided = "<contents elided>";

/** Compares values as JSON by the hashes of their assets, without the contents; undefined for a text that is no JSON. */
function sameAssets(planned: string, applied: string): boolean | undefined {
  const withoutContent = (_: string, value: unknown): unknown =>
    typeof value === "object" && value !== null && "hash" in value && "text" in value
      ? { ...value, text: elided }
      : value;
  try {
    const [one, other] = [planned, applied].map((text) => JSON.stringify(JSON.parse(text, withoutContent)));
    return one === other;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
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
