import { InputError, type Problem } from "../core/error.ts";
import { memoize } from "../core/memoize.ts";
import { equal, hasUnknown, reveal, UNKNOWN, type Value, type Values } from "../core/value.ts";
import { isMissing } from "./content.ts";
import type { Calculation, Fields } from "./field.ts";
import { verbInputs } from "./verb-inputs.ts";

/**
 * Calculated fields, such as a checksum. The same apply may write the file of a field with `file`: what follows from it is
 * compared in plans, unknown while it is to be sent, and calculated again before the request.
 */

/** Value of a calculated field that follows from a file. */
export interface FileValue {
  /** Name of the calculated field. */
  readonly name: string;
  /** Name of the field with the path. */
  readonly source: string;
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly value: Value | undefined;
}

/** Returns the calculations of the calculated fields, by name. */
export const calculations = memoize(
  (fields: Fields): readonly (readonly [name: string, Calculation<Value>])[] =>
    Object.entries(fields).flatMap(([name, field]) => {
      const calculation = field.kind === "field" ? field.options.calculated : undefined;
      return calculation === undefined ? [] : [[name, calculation]];
    }),
);

/** Returns the values that follow from files. Throws `InputError` for a file that exists and cannot be read. */
export function fileValues(fields: Fields, inputs: Values): FileValue[] {
  return calculations(fields).flatMap(([name, calculation]) => {
    const source = fileOf(fields, calculation, inputs);
    if (source === undefined) return [];
    const path = String(reveal(inputs[source] ?? null));
    return [
      { name, source, path, value: isMissing(path) ? undefined : calculation.from(verbInputs(inputs)) },
    ];
  });
}

/** Returns the name of the field whose file the calculation reads; undefined if it reads none. */
function fileOf(fields: Fields, { needs }: Calculation<Value>, inputs: Values): string | undefined {
  if (needs.some((need) => hasUnknown(inputs[need]))) return undefined;
  return needs.find((need) => {
    const field = fields[need];
    const isFile = field?.kind === "field" && field.options.file === true;
    return isFile && typeof reveal(inputs[need] ?? null) === "string";
  });
}

/** Returns the inputs with the values that follow from files and are not configured. Throws `InputError` for a missing file. */
export function withFileValues(fields: Fields, inputs: Values): Values {
  const complete = { ...inputs };
  for (const { name, source, path, value } of fileValues(fields, inputs)) {
    if (value === undefined) throw new InputError([{ path: [source], problem: `${path} does not exist` }]);
    complete[name] ??= value;
  }
  return complete;
}

/**
 * Sets a calculated field, or compares the given value with the calculated one. Sets nothing that follows from a file, and
 * only reports a file that exists and cannot be read.
 */
export function calculate(
  fields: Fields,
  [name, calculation]: readonly [name: string, calculation: Calculation<Value>],
  inputs: Values,
  problems: Problem[],
): void {
  const { needs, from } = calculation;
  const configured = inputs[name];
  if (problems.some(({ path: [first] }) => first === name || needs.includes(String(first)))) return;
  if (needs.some((need) => hasUnknown(inputs[need]))) {
    inputs[name] = configured ?? UNKNOWN;
    return;
  }
  try {
    const source = fileOf(fields, calculation, inputs);
    if (source !== undefined && isMissing(String(reveal(inputs[source] ?? null)))) return;
    const value: Value | undefined = from(verbInputs(inputs));
    if (source !== undefined || value === undefined || configured === UNKNOWN) return;
    if (configured === undefined) inputs[name] = value;
    else if (!equal(reveal(configured), value))
      problems.push({ path: [name], problem: `does not match the content, whose value is ${String(value)}` });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems.push(...error.problems);
  }
}
