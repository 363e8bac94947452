import { InputError } from "../../core/error.ts";
import { snakeCase } from "../../core/name.ts";
import { exactNumber } from "../../core/number.ts";
import {
  emptyRecord,
  isRecord,
  type Path,
  reveal,
  UNKNOWN,
  type Value,
  type Values,
} from "../../core/value.ts";
import type { Member, Shape } from "../../definition/shape.ts";
import type { DynamicValue } from "../tfplugin6/tfplugin6.ts";
import { decodeMsgpack, encodeMsgpack, entries, isUnknownData, unknownData } from "./msgpack.ts";

/**
 * Codec between values of the engine's type system and values of the core, by shape. On the wire an object has every
 * attribute of its type, null included; in the core, absent, empty and null are all null, and names are camel case.
 *
 * Numbers are encoded as decimal text, as they are in a stored state: engines parse text with 512 bits of precision, but
 * give an integer or a double of MessagePack the precision of its form. Terraform 1.11 compares the precision too, and
 * reports a refresh that changed nothing as a change.
 */

type ObjectShape = Extract<Shape, { kind: "object" }>;
type Attribute = { readonly name: string; readonly wire: string; readonly shape: Shape };

const attributes = new WeakMap<object, readonly Attribute[]>();

/** Attributes of an object with both names, cached per definition. */
function attributesOf(fields: { readonly [name: string]: Member }): readonly Attribute[] {
  const known = attributes.get(fields);
  if (known !== undefined) return known;
  const made = Object.entries(fields).map(([name, { shape }]) => ({ name, wire: snakeCase(name), shape }));
  attributes.set(fields, made);
  return made;
}

const refuse = (path: Path, problem: string): never => {
  throw new InputError([{ path, problem }]);
};

/** Decodes a value; null when the message is absent or empty. Throws `InputError` for a value of another shape. */
export function decode(wire: DynamicValue | undefined, shape: Shape): Value {
  if (wire?.msgpack !== undefined && wire.msgpack.length > 0)
    return fromWire(decodeMsgpack(wire.msgpack), shape, []);
  if (wire?.json !== undefined && wire.json.length > 0) return decodeJson(wire.json, shape);
  return null;
}

/** Decodes an object; undefined for null. */
export function decodeRecord(wire: DynamicValue | undefined, shape: ObjectShape): Values | undefined {
  const value = decode(wire, shape);
  return isRecord(value) ? value : undefined;
}

/** JSON number that no double represents exactly. */
class Inexact {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const longNumber = /\d[\d.]{15}|[eE][+-]?\d{3}/;

/** Decodes stored JSON. Missing attributes are null, unknown attributes are dropped. */
export function decodeJson(json: Uint8Array, shape: Shape): Value {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString("utf8");
  const keep = (_: string, value: unknown, context: { source?: string }) =>
    typeof value === "number" && exactNumber(context.source ?? "") === undefined
      ? new Inexact(context.source ?? "")
      : value;
  return fromWire(JSON.parse(text, longNumber.test(text) ? (keep as never) : undefined), shape, []);
}

function fromWire(wire: unknown, shape: Shape, path: Path): Value {
  if (wire === null || wire === undefined) return null;
  if (isUnknownData(wire)) return UNKNOWN;
  switch (shape.kind) {
    case "string":
      return typeof wire === "string" ? wire : refuse(path, "must be a string");
    case "boolean":
      return typeof wire === "boolean" ? wire : refuse(path, "must be true or false");
    case "number":
      return numberFromWire(wire, path);
    case "list":
    case "set":
      if (!Array.isArray(wire)) return refuse(path, "must be a list");
      return wire.map((item, at) => fromWire(item, shape.of, [...path, at]));
    case "map":
      return mapFromWire(wire, shape.of, path);
    case "object":
      return objectFromWire(wire, shape, path);
  }
}

function numberFromWire(wire: unknown, path: Path): number {
  if (typeof wire === "number") return wire;
  const text = wire instanceof Inexact ? wire.text : String(wire);
  return exactNumber(text) ?? refuse(path, `${text} is a number that cannot be represented exactly`);
}

function mapFromWire(wire: unknown, of: Shape, path: Path): Values {
  if (typeof wire !== "object" || wire === null) return refuse(path, "must be a map");
  const map = emptyRecord();
  for (const [key, item] of entries(wire)) map[key] = fromWire(item, of, [...path, key]);
  return map;
}

function objectFromWire(wire: unknown, shape: ObjectShape, path: Path): Values {
  if (typeof wire !== "object" || wire === null || Array.isArray(wire))
    return refuse(path, "must be an object");
  const given = wire as { readonly [name: string]: unknown };
  const values = emptyRecord();
  for (const { name, wire: key, shape: inner } of attributesOf(shape.fields))
    values[name] = Object.hasOwn(given, key) ? fromWire(given[key], inner, [...path, name]) : null;
  return values;
}

/** Encodes a value. Throws `InputError` for a value of another shape. */
export const encode = (value: Value, shape: Shape): DynamicValue => ({
  msgpack: encodeMsgpack(toWire(reveal(value), shape, [])),
});

function toWire(value: Value, shape: Shape, path: Path): unknown {
  if (value === null || value === undefined) return null;
  if (value === UNKNOWN) return unknownData;
  switch (shape.kind) {
    case "string":
      return typeof value === "string" ? textToWire(value, path) : refuse(path, "must be a string");
    case "boolean":
      return typeof value === "boolean" ? value : refuse(path, "must be true or false");
    case "number":
      return Number.isFinite(value) ? String(value) : refuse(path, "must be a number");
    case "list":
    case "set":
      if (!Array.isArray(value)) return refuse(path, "must be a list");
      return value.map((item, at) => toWire(item, shape.of, [...path, at]));
    case "map":
      return isRecord(value) ? mapToWire(value, shape.of, path) : refuse(path, "must be a map");
    case "object":
      return isRecord(value) ? objectToWire(value, shape, path) : refuse(path, "must be an object");
  }
}

/** Normalizes text to NFC, the form that engines compare; rejects lone surrogates, which UTF-8 cannot encode. */
const textToWire = (text: string, path: Path): string =>
  text.isWellFormed() ? text.normalize("NFC") : refuse(path, "is not valid Unicode text");

function mapToWire(map: Values, of: Shape, path: Path): object {
  const wire: { [key: string]: unknown } = emptyRecord();
  for (const [key, item] of Object.entries(map))
    wire[textToWire(key, path)] = toWire(item, of, [...path, key]);
  return wire;
}

function objectToWire(values: Values, shape: ObjectShape, path: Path): object {
  const wire: { [name: string]: unknown } = {};
  for (const { name, wire: key, shape: inner } of attributesOf(shape.fields))
    wire[key] = toWire(values[name] ?? null, inner, [...path, name]);
  return wire;
}
