import type * as z from "zod/mini";
import { memoize } from "../core/memoize.ts";
import type { Plain } from "../core/value.ts";
import type { Text } from "../core/wording.ts";
import type { Field, Fields } from "./field.ts";

/** Type of a value, the same for all targets. Adapters translate shapes and never read a zod schema. */
export type Shape =
  | ScalarShape
  | { readonly kind: "list" | "set" | "map"; readonly of: Shape }
  | { readonly kind: "object"; readonly fields: { readonly [name: string]: Member } };

export type ObjectShape = Extract<Shape, { kind: "object" }>;

/** Shape of one value, with the limits of its schema, which appear in schemas and descriptions of targets. */
export interface ScalarShape {
  readonly kind: "string" | "number" | "boolean";
  /** Allowed values of a closed set. */
  readonly values?: readonly (string | number | boolean)[];
  readonly integer?: true;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Field in the form that all targets use. */
export interface Member {
  readonly shape: Shape;
  readonly about: Text;
  /** Field of the definition; undefined for members of listed objects and of adapters. */
  readonly field?: Field;
  /** Source of the value: the user, the API, or the API if the user gives none. */
  readonly setBy: "user" | "cloud" | "either";
  readonly required: boolean;
  readonly default?: Plain;
  readonly secret: boolean;
  readonly writeOnly: boolean;
}

type Def = { type: string } & Record<string, unknown>;
const defOf = (schema: unknown): Def => (schema as { _zod: { def: Def } })._zod.def;

const abouts = new WeakMap<object, Text>();

/** Returns a schema with a description, for a member of a listed object, which is not a field. */
export function described<S extends z.ZodMiniType>(schema: S, about: Text): S {
  const copy = schema.clone() as S;
  abouts.set(copy, about);
  return copy;
}

/** Functions that convert a schema, by kind of schema. Definitions may use only these kinds. */
const shapes: Record<string, (def: Def, unordered: boolean) => Shape> = {
  string: () => ({ kind: "string" }),
  number: (def) => ({ kind: "number", ...numberLimits(def) }),
  boolean: () => ({ kind: "boolean" }),
  enum: (def) => valuesShape(Object.values(def.entries as Record<string, unknown>)),
  literal: (def) => valuesShape(def.values as unknown[]),
  array: (def, unordered) => ({ kind: unordered ? "set" : "list", of: schemaShape(def.element) }),
  record: (def) => ({ kind: "map", of: schemaShape(def.valueType) }),
  object: (def) => ({
    kind: "object",
    fields: Object.fromEntries(
      Object.entries(def.shape as Record<string, unknown>).map(([name, schema]) => [
        name,
        plainMember(schema),
      ]),
    ),
  }),
};

/** Returns the common shape of all values of a choice. Throws `TypeError` if their types differ. */
function valuesShape(values: readonly unknown[]): Shape {
  const [kind, ...more] = new Set(values.map((value) => typeof value));
  if (more.length === 0 && (kind === "string" || kind === "number" || kind === "boolean")) {
    const isInteger = values.every((value) => Number.isInteger(value));
    return { kind, values: values as string[], ...(isInteger ? { integer: true } : {}) };
  }
  throw new TypeError("a choice among values of several kinds has no shape that every engine can hold");
}

/** Returns the limits from the checks of a number's schema; an integer schema is itself a check. */
function numberLimits(def: Def): Omit<ScalarShape, "kind"> {
  const checks = [def, ...((def.checks as unknown[] | undefined) ?? []).map(defOf)];
  const limits = checks.map(({ check, format, value }) => {
    if (check === "number_format" && format === "safeint") return { integer: true };
    if (check === "greater_than") return { minimum: value };
    return check === "less_than" ? { maximum: value } : {};
  });
  return Object.assign({}, ...limits);
}

function plainMember(schema: unknown): Member {
  const { inner, optional } = unwrap(schema);
  const shape = schemaShape(inner);
  const about = abouts.get(schema as object) ?? "";
  return { shape, about, setBy: "user", required: !optional, secret: false, writeOnly: false };
}

/**
 * Removes the wrappers of a schema. Returns the schema of the value, a flag for optional values, and the default.
 */
function unwrap(schema: unknown): { inner: unknown; optional: boolean; default?: Plain } {
  const def = defOf(schema);
  if (def.type === "optional" || def.type === "nullable") return { ...unwrap(def.innerType), optional: true };
  if (def.type === "default")
    return { ...unwrap(def.innerType), optional: true, default: def.defaultValue as Plain };
  return { inner: schema, optional: false };
}

/** Returns the shape of a zod schema. Throws `TypeError` for a kind that some target cannot represent. */
export function schemaShape(schema: unknown, unordered = false): Shape {
  const def = defOf(schema);
  const make = shapes[def.type];
  if (make === undefined) throw new TypeError(`a ${def.type} has no shape that every engine can hold`);
  return make(def, unordered);
}

/** Returns a field in the form that all targets use; computed once. Throws `TypeError` as `schemaShape` does. */
export const memberOf = memoize((field: Field): Member => {
  const { about } = field;
  if (field.kind === "group")
    return {
      shape: { kind: "object", fields: membersOf(field.fields) },
      about,
      field,
      setBy: "user",
      required: field.options.optional !== true,
      secret: false,
      writeOnly: false,
    };
  const { inner, optional, default: standard } = unwrap(field.schema);
  const secret = field.options.secret === true;
  if (field.kind === "computed")
    return {
      shape: schemaShape(inner),
      about,
      field,
      setBy: "cloud",
      required: false,
      secret,
      writeOnly: false,
    };
  return {
    shape: schemaShape(inner, field.options.unordered === true),
    about,
    field,
    setBy: field.options.computed ? "either" : "user",
    required: !optional && !field.options.computed,
    ...(standard === undefined ? {} : { default: standard }),
    secret,
    writeOnly: false,
  };
});

/** Returns the members of a set of fields; computed once. */
export const membersOf = memoize((fields: Fields): { readonly [name: string]: Member } =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, memberOf(field)])),
);

/** Returns the schema of a given value, without the wrappers for optional values and defaults. */
export const valueSchema = (field: Exclude<Field, { kind: "group" }>): z.ZodMiniType =>
  unwrap(field.schema).inner as z.ZodMiniType;
