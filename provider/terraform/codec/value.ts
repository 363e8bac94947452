import { InputError } from "../../core/error.ts";
import { memoize } from "../../core/memoize.ts";
import { snakeCase } from "../../core/name.ts";
import { exactNumber } from "../../core/number.ts";
import {
  emptyRecord,
  isRecord,
  isSecret,
  reveal,
  UNKNOWN,
  type Value,
  type Values,
} from "../../core/value.ts";
import type { Member, ObjectShape, Shape } from "../../definition/shape.ts";
import type { DynamicValue } from "../tfplugin6/tfplugin6.ts";
import {
  decodeMsgpack,
  encodeMsgpack,
  tryAscii,
  writeArrayStart,
  writeBoolean,
  writeEncoded,
  writeMapStart,
  writeNull,
  writeText,
  writeUnknown,
} from "./msgpack.ts";

/**
 * Codec between values of the engine's type system and values of the core, by shape. In the protocol an object has every
 * attribute of its type, including null ones; in the core, absent, empty and null are all null, and names are camel case.
 *
 * Numbers are encoded as decimal text, as in a stored state: engines parse text with 512 bits of precision, but an integer
 * or a double of MessagePack with less. Terraform 1.11 also compares the precision: a difference would appear as a change
 * in a refresh.
 */

/** Attribute of an object, by its name in the core. */
interface Attribute {
  readonly name: string;
  readonly wire: string;
  /** The name on the wire, encoded. */
  readonly key: Uint8Array;
  readonly shape: Shape;
}

/** Returns the attributes of an object with both names, cached per definition. */
const attributesOf = memoize((fields: { readonly [name: string]: Member }): readonly Attribute[] =>
  Object.entries(fields).map(([name, { shape }]) => {
    const wire = snakeCase(name);
    return { name, wire, key: encodeMsgpack(() => writeText(wire)), shape };
  }),
);

/** Path of the value that is converted. One list serves a whole value: each step is added before and removed after it. */
type Trail = (string | number)[];

function refuse(trail: Trail, problem: string): never {
  throw new InputError([{ path: [...trail], problem }]);
}

/** Decodes a value; null if the message is absent or empty. Throws `InputError` for a value of another shape. */
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

/** Decodes stored JSON that is parsed already, and whose numbers are as exact as the parser left them. */
export const decodeParsed = (json: unknown, shape: Shape): Value => fromWire(json, shape, []);

function fromWire(wire: unknown, shape: Shape, trail: Trail): Value {
  if (wire === null || wire === undefined) return null;
  if (wire === UNKNOWN) return UNKNOWN;
  switch (shape.kind) {
    case "string":
      return typeof wire === "string" ? wire : refuse(trail, "must be a string");
    case "boolean":
      return typeof wire === "boolean" ? wire : refuse(trail, "must be true or false");
    case "number":
      return numberFromWire(wire, trail);
    case "list":
    case "set":
      return listFromWire(wire, shape.of, trail);
    case "map":
      return mapFromWire(wire, shape.of, trail);
    case "object":
      return objectFromWire(wire, shape, trail);
  }
}

function numberFromWire(wire: unknown, trail: Trail): number {
  if (typeof wire === "number") return wire;
  const text = wire instanceof Inexact ? wire.text : String(wire);
  return exactNumber(text) ?? refuse(trail, `${text} is a number that cannot be represented exactly`);
}

function listFromWire(wire: unknown, of: Shape, trail: Trail): Value[] {
  if (!Array.isArray(wire)) return refuse(trail, "must be a list");
  return wire.map((item, index) => {
    trail.push(index);
    const value = fromWire(item, of, trail);
    trail.pop();
    return value;
  });
}

function mapFromWire(wire: unknown, of: Shape, trail: Trail): Values {
  if (typeof wire !== "object" || wire === null) return refuse(trail, "must be a map");
  const map = emptyRecord();
  for (const [key, item] of Object.entries(wire)) {
    trail.push(key);
    map[key] = fromWire(item, of, trail);
    trail.pop();
  }
  return map;
}

function objectFromWire(wire: unknown, shape: ObjectShape, trail: Trail): Values {
  if (typeof wire !== "object" || wire === null || Array.isArray(wire))
    return refuse(trail, "must be an object");
  const attributes = wire as { readonly [name: string]: unknown };
  const values = emptyRecord();
  for (const { name, wire: key, shape: inner } of attributesOf(shape.fields)) {
    trail.push(name);
    values[name] = Object.hasOwn(attributes, key) ? fromWire(attributes[key], inner, trail) : null;
    trail.pop();
  }
  return values;
}

/** Encodes a value. Throws `InputError` for a value of another shape. */
export const encode = (value: Value, shape: Shape): DynamicValue => ({
  msgpack: encodeMsgpack(() => write(value, shape, [])),
});

function write(value: Value | undefined, shape: Shape, trail: Trail): void {
  if (value === null || value === undefined) writeNull();
  else if (value === UNKNOWN) writeUnknown();
  else if (isSecret(value)) write(reveal(value), shape, trail);
  else writeKnown(value, shape, trail);
}

function writeKnown(value: NonNullable<Value>, shape: Shape, trail: Trail): void {
  switch (shape.kind) {
    case "string":
      if (typeof value !== "string") refuse(trail, "must be a string");
      writeNormal(value, trail);
      break;
    case "boolean":
      if (typeof value !== "boolean") refuse(trail, "must be true or false");
      writeBoolean(value);
      break;
    case "number":
      if (!Number.isFinite(value)) refuse(trail, "must be a number");
      writeText(String(value));
      break;
    case "list":
    case "set":
      if (!Array.isArray(value)) refuse(trail, "must be a list");
      writeList(value, shape.of, trail);
      break;
    case "map":
      if (!isRecord(value)) refuse(trail, "must be a map");
      writeMap(value, shape.of, trail);
      break;
    case "object":
      if (!isRecord(value)) refuse(trail, "must be an object");
      writeObject(value, shape, trail);
  }
}

/** Writes text in NFC, the form that engines compare. Throws `InputError` for lone surrogates: UTF-8 has none. */
function writeNormal(text: string, trail: Trail): void {
  if (tryAscii(text)) return;
  if (!text.isWellFormed()) refuse(trail, "is not valid Unicode text");
  writeText(text.normalize("NFC"));
}

function writeList(items: readonly Value[], of: Shape, trail: Trail): void {
  writeArrayStart(items.length);
  for (const [index, item] of items.entries()) {
    trail.push(index);
    write(item, of, trail);
    trail.pop();
  }
}

function writeMap(map: Values, of: Shape, trail: Trail): void {
  const items = Object.entries(map);
  writeMapStart(items.length);
  for (const [key, item] of items) {
    writeNormal(key, trail);
    trail.push(key);
    write(item, of, trail);
    trail.pop();
  }
}

function writeObject(values: Values, shape: ObjectShape, trail: Trail): void {
  const attributes = attributesOf(shape.fields);
  writeMapStart(attributes.length);
  for (const { name, key, shape: inner } of attributes) {
    writeEncoded(key);
    trail.push(name);
    write(values[name], inner, trail);
    trail.pop();
  }
}
