import * as z from "zod/mini";

/**
 * Schemas of responses in the names of the API, made from those of the endpoints: what a newer API adds is accepted and kept, and what the
 * provider converts for its definitions stays as it is.
 */

type Def = { readonly type: string } & Readonly<Record<string, unknown>>;
const defOf = (schema: unknown): Def => (schema as { _zod: { def: Def } })._zod.def;

/** Functions that make the schema of a response from that of an endpoint, by kind of schema. */
const loosened: { readonly [kind: string]: (def: Def) => z.ZodMiniType } = {
  string: () => z.string(),
  number: () => z.number(),
  boolean: () => z.boolean(),
  unknown: () => z.unknown(),
  // Another value may be a new one.
  enum: ({ entries }) => anyOf(Object.values(entries as Record<string, unknown>)),
  literal: ({ values }) => anyOf(values as unknown[]),
  array: ({ element }) => z.array(loose(element)),
  record: ({ valueType }) => z.record(z.string(), loose(valueType)),
  object: ({ shape }) => z.looseObject(looseShape(shape as Record<string, unknown>)),
  union: ({ options }) => z.union((options as unknown[]).map(loose)),
  optional: ({ innerType }) => z.optional(loose(innerType)),
  nullable: ({ innerType }) => z.nullable(loose(innerType)),
  default: ({ innerType }) => z.optional(loose(innerType)),
  // The API sends what goes into a conversion.
  pipe: (def) => loose(def.in),
};

/** Returns a schema for all values of the types of these values. */
function anyOf(values: readonly unknown[]): z.ZodMiniType {
  const kinds = [...new Set(values.map((value) => typeof value))];
  return z.union(kinds.map((kind) => loosened[kind]?.({ type: kind }) ?? z.unknown()));
}

const looseShape = (shape: Readonly<Record<string, unknown>>): Record<string, z.ZodMiniType> =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, loose(schema)]));

/** Returns the schema of the response for a schema of an endpoint. Throws `TypeError` for a kind that no endpoint has. */
function loose(schema: unknown): z.ZodMiniType {
  const def = defOf(schema);
  const make = loosened[def.type];
  if (make === undefined) throw new TypeError(`a ${def.type} in the schema of a response`);
  return make(def);
}

/** Returns the schema of an object, or of a list of objects, with further fields. Throws `TypeError` for any other schema. */
function extended(schema: z.ZodMiniType, more: Readonly<Record<string, z.ZodMiniType>>): z.ZodMiniType {
  const def = defOf(schema);
  if (def.type === "optional") return z.optional(extended(def.innerType as z.ZodMiniType, more));
  if (def.type === "array") return z.array(extended(def.element as z.ZodMiniType, more));
  if (def.type !== "object") throw new TypeError(`a ${def.type} has no further fields`);
  return z.looseObject({ ...(def.shape as Record<string, z.ZodMiniType>), ...looseShape(more) });
}

/**
 * Returns the schema of the response to an operation; undefined for one without a body. `more` are fields that the schema of the endpoint lacks,
 * with which a body is optional if the endpoint has no schema.
 */
export function answerOf(
  schema: z.ZodMiniType | undefined,
  more?: Readonly<Record<string, z.ZodMiniType>>,
): z.ZodMiniType | undefined {
  if (schema === undefined) return more && z.optional(z.looseObject(looseShape(more)));
  return more === undefined ? loose(schema) : extended(loose(schema), more);
}
