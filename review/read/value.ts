import { snakeCase } from "../../provider/core/name.ts";
import {
  emptyRecord,
  isSecret,
  mapValues,
  secret,
  UNKNOWN,
  type Value,
  type Values,
} from "../../provider/core/value.ts";
import type { Fields } from "../../provider/definition/field.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { membersOf, type Shape } from "../../provider/definition/shape.ts";
import { isObject, type Json } from "./json.ts";

/** Converts values of plans to values of the core: names as in the definition, unknown and sensitive parts marked. */

/** Parts of a JSON value that are unknown or sensitive: `true` for a whole value, else a tree of the same shape. */
export interface Masks {
  readonly unknown?: unknown;
  readonly sensitive?: unknown;
}

/** Replaces texts of `to` by the equal texts of `from`, so that each is in memory once. */
export function shareTexts(from: unknown, to: unknown): void {
  if (!isObject(from) || !isObject(to)) return;
  const target: { [name: string]: unknown } = to;
  for (const name in to)
    if (typeof to[name] === "string" && to[name] === from[name]) target[name] = from[name];
}

/** Converts a Terraform value. `shape` gives the names of the definition; without one, names stay as they are. */
export function fromTerraform(json: unknown, { unknown, sensitive }: Masks, shape?: Shape): Value {
  if (unknown === true) return sensitive === true ? secret(UNKNOWN) : UNKNOWN;
  if (sensitive === true)
    return json === null || json === undefined ? null : secret(fromTerraform(json, { unknown }, shape));
  if (Array.isArray(json)) return listFromTerraform(json, { unknown, sensitive }, shape);
  if (isObject(json) || isObject(unknown)) {
    const members = isObject(json) ? json : {};
    return recordFromTerraform(members, { unknown, sensitive }, shape);
  }
  return (json ?? null) as Value;
}

function listFromTerraform(json: readonly unknown[], { unknown, sensitive }: Masks, shape?: Shape): Value[] {
  const of = shape !== undefined && "of" in shape ? shape.of : undefined;
  return json.map((item, index) =>
    fromTerraform(item, { unknown: part(unknown, index), sensitive: part(sensitive, index) }, of),
  );
}

const part = (mask: unknown, key: number | string): unknown =>
  typeof mask === "object" && mask !== null ? (mask as { readonly [key: string]: unknown })[key] : undefined;

function recordFromTerraform(json: Json, masks: Masks, shape?: Shape): Values {
  const values = emptyRecord();
  const isEntry = shape === undefined || shape.kind === "map";
  const names = isEntry ? undefined : namesOf(shape);
  const add = (key: string) => {
    const member = names?.get(key);
    const of = isEntry ? (shape as { of?: Shape } | undefined)?.of : member?.shape;
    const unknown = part(masks.unknown, key);
    const sensitive = part(masks.sensitive, key);
    const value = json[key] ?? null;
    // Most values are neither lists nor objects, and have no mark.
    const isPlain =
      (value === null || typeof value !== "object") && unknown === undefined && sensitive === undefined;
    values[member?.name ?? key] = isPlain
      ? (value as Value)
      : fromTerraform(value, { unknown, sensitive }, of);
  };
  for (const key in json) add(key);
  if (isObject(masks.unknown))
    for (const key of Object.keys(masks.unknown)) if (!Object.hasOwn(json, key)) add(key);
  return values;
}

interface Named {
  readonly name: string;
  readonly shape: Shape;
}

const named = new WeakMap<Shape, ReadonlyMap<string, Named>>();

/** Returns the members of an object by their Terraform names; computed once. */
function namesOf(shape: Shape): ReadonlyMap<string, Named> {
  const found = named.get(shape);
  if (found !== undefined) return found;
  const members = shape.kind === "object" ? Object.entries(shape.fields) : [];
  const byName = new Map(
    members.map(([name, { shape: inner }]) => [snakeCase(name), { name, shape: inner }]),
  );
  named.set(shape, byName);
  return byName;
}

const shapes = new WeakMap<Resource, Shape>();

/** Returns the shape of the values of a resource; computed once. */
export function shapeOf(resource: Resource): Shape {
  const found = shapes.get(resource);
  if (found !== undefined) return found;
  const shape: Shape = { kind: "object", fields: membersOf(resource.fields) };
  shapes.set(resource, shape);
  return shape;
}

/** Marks the fields that the definition declares secret, because an engine may have lost the mark. */
export function withDeclaredSecrets(fields: Fields, values: Values): Values {
  if (!declaresSecret(fields)) return values;
  let marked: Values | undefined;
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name] ?? null;
    if (value === null || isSecret(value)) continue;
    if (field.kind === "group") {
      if (isRecordOf(value)) {
        const inner = withDeclaredSecrets(field.fields, value);
        if (inner !== value) {
          marked ??= copyOf(values);
          marked[name] = inner;
        }
      }
    } else if (field.options.secret === true) {
      marked ??= copyOf(values);
      marked[name] = secret(value);
    }
  }
  return marked ?? values;
}

const declaring = new WeakMap<Fields, boolean>();

/** Returns true if a field is declared secret, at any depth; computed once. */
function declaresSecret(fields: Fields): boolean {
  const found =
    declaring.get(fields) ??
    Object.values(fields).some((field) =>
      field.kind === "group" ? declaresSecret(field.fields) : field.options.secret === true,
    );
  declaring.set(fields, found);
  return found;
}

const isRecordOf = (value: Value): value is Values => isObject(value) && !isSecret(value);

const copyOf = (values: Values): Values => mapValues(values, (value) => value);

/** Returns a value that is a text and not empty; undefined for any other value, and for a sensitive one. */
export function textIn(values: Values | undefined, name: string): string | undefined {
  const value = values?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the name of an object, or what identifies it for a user: the key of an object in a bucket. */
export const nameOf = (values: Values | undefined): string | undefined =>
  textIn(values, "name") ?? textIn(values, "key");
