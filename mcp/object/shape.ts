import { snakeCase } from "../../provider/core/name.ts";
import { isRecord, isSecret, type Value, type Values } from "../../provider/core/value.ts";
import type { Fields } from "../../provider/definition/field.ts";
import { memberOf, type Shape } from "../../provider/definition/shape.ts";
import type { Json, JsonObject } from "../text.ts";
import { sensitive } from "./data.ts";

/** Values of the engine with the names of Terraform, as on the pages, and without secrets. */

function written(shape: Shape, value: Value): Json {
  if (isSecret(value)) return sensitive;
  if (value === null || typeof value !== "object") return typeof value === "symbol" ? null : value;
  if (Array.isArray(value)) {
    const of = "of" in shape ? shape.of : shape;
    return value.map((item) => written(of, item));
  }
  if (shape.kind !== "object")
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const member = shape.fields[name];
      if (member?.secret && item !== null) return [snakeCase(name), sensitive];
      return [snakeCase(name), member === undefined ? plain(item) : written(member.shape, item)];
    }),
  );
}

const plain = (value: Value): Json => {
  if (isSecret(value)) return sensitive;
  if (Array.isArray(value)) return value.map(plain);
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
  return typeof value === "symbol" ? null : value;
};

/** Returns the values of an object or of the answer to a lookup. Leaves out those that are null. */
export function writtenValues(fields: Fields, values: Values): JsonObject {
  const shape: Shape = {
    kind: "object",
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, memberOf(field)])),
  };
  const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  return written(shape, set) as JsonObject;
}
