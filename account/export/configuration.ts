import { isOtherRegion } from "../../provider/core/krn.ts";
import { entriesOf } from "../../provider/core/memoize.ts";
import { emptyRecord, isRecord, type Value, type Values } from "../../provider/core/value.ts";
import { configurable } from "../../provider/definition/configurable.ts";
import { sameValue } from "../../provider/definition/equality.ts";
import { type Field, type Fields, isLocal } from "../../provider/definition/field.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { memberOf } from "../../provider/definition/shape.ts";
import { deletedParts } from "../../provider/engine/engine.ts";
import type { AccountObject } from "../object.ts";

/** Configuration of an existing object, whose plan after the import changes nothing. */
export interface Configuration {
  /** Values by field. Only values that the API shows and that are no default; no secrets. */
  readonly values: Values;
  /**
   * Fields that the engine has to ignore: the API does not show their values, or they are secret, and a change of one would
   * replace the object. A required one has another value in its place.
   */
  readonly ignored: readonly string[];
}

/** Properties of the export that decide about values. */
export interface Surroundings {
  /** Region of the provider. */
  readonly region: string | undefined;
  /** Returns true for the id of an object that the export contains. */
  readonly isExported: (id: string) => boolean;
}

/** Returns the configuration of an object. */
export function configurationOf(
  { resource, region, state }: AccountObject,
  surroundings: Surroundings,
): Configuration {
  const shown = { ...state.values, ...selectedGroups({ resource, state }) };
  const values: Values = {
    ...writtenValues(resource.fields, configurable(resource.fields, shown), surroundings),
    ...withoutParts(resource, state.values, surroundings),
    ...(region && isOtherRegion(region, surroundings.region ?? "") && { region }),
  };
  const ignored = entriesOf(resource.fields).flatMap(({ name, value: field }) => {
    const isUnknown =
      values[name] === undefined
        ? isIgnored(field, state.values[name] ?? null)
        : isSubstitute(resource, field, state.values);
    return isUnknown ? [name] : [];
  });
  return { values, ignored };
}

/**
 * Returns the defaults of fields whose recorded value, which an import assumed, would make an exported object a part of this one, such
 * as the floating IP of an instance: that object has a block of its own.
 */
function withoutParts(resource: Resource, values: Values, { isExported }: Surroundings): Values {
  const partsOf = (values: Values) => deletedParts(resource, values).map(({ id }) => id);
  return Object.fromEntries(
    Object.entries(resource.fields).flatMap(([name, field]) => {
      const standard = memberOf(field).default as Value | undefined;
      if (field.kind !== "field" || field.options.importFallback === undefined || standard === undefined)
        return [];
      const kept = partsOf({ ...values, [name]: standard });
      return partsOf(values).some((id) => !kept.includes(id) && isExported(id)) ? [[name, standard]] : [];
    }),
  );
}

/**
 * Returns the groups of which a read shows only candidates: the recorded one, or else the first candidate. No response tells which
 * subnet of a VPC is the primary one: the first one counts.
 */
export const selectedGroups = ({ resource, state }: Pick<AccountObject, "resource" | "state">): Values =>
  Object.fromEntries(
    Object.entries(resource.fields).flatMap(([name, field]) => {
      if (field.kind !== "group" || field.options.candidates === undefined) return [];
      const candidates = state.candidates?.[name];
      const selected = state.values[name] ?? (Array.isArray(candidates) ? candidates[0] : undefined);
      return selected === undefined ? [] : [[name, selected]];
    }),
  );

function writtenValues(fields: Fields, shown: Values, surroundings: Surroundings): Values {
  const written = emptyRecord();
  for (const { name, value: field } of entriesOf(fields)) {
    const value = writtenValue(field, shown[name] ?? null, surroundings);
    if (value !== undefined) written[name] = value;
  }
  return written;
}

/** Returns the value to write; undefined for a value that is left out. */
function writtenValue(field: Field, value: Value, surroundings: Surroundings): Value | undefined {
  if (value === null || field.kind === "computed" || isSecretOrLocal(field)) return undefined;
  if (field.kind === "group")
    return isRecord(value) ? writtenValues(field.fields, value, surroundings) : undefined;
  const { unreadable, importFallback, computed } = field.options;
  if (unreadable && importFallback === undefined) return undefined;
  // Later plans keep a value that the API chose.
  if (computed && !refersToExported(field, value, surroundings)) return undefined;
  const { default: standard } = memberOf(field);
  return standard !== undefined && sameValue(field, standard as Value, value) ? undefined : value;
}

const isSecretOrLocal = (field: Field): boolean =>
  isLocal(field) || (field.kind === "field" && field.options.secret === true);

function refersToExported(field: Field, value: Value, { isExported }: Surroundings): boolean {
  if (field.kind !== "field" || field.options.references === undefined) return false;
  const ids = Array.isArray(value) ? value : [value];
  return ids.length > 0 && ids.every((id) => typeof id === "string" && isExported(id));
}

/**
 * Returns true for a required field of an attached object whose value no response shows: a floating IP on another port has its address as
 * name, and the subnet of that port.
 */
const isSubstitute = ({ attachedTo }: Resource, field: Field, values: Values): boolean =>
  attachedTo !== undefined &&
  (values[attachedTo] ?? null) !== null &&
  field.kind === "field" &&
  field.options.unreadable === true &&
  memberOf(field).required;

/** Returns true if a plan without the field would replace the object, or if a later value of the field would. */
function isIgnored(field: Field, value: Value): boolean {
  if (field.kind === "computed" || isLocal(field)) return false;
  // Without candidates, the object has no such group.
  if (field.kind === "group" && field.options.candidates !== undefined) return false;
  if (field.kind === "field" && field.options.secret) return !(field.options.computed && value === null);
  return field.options.unreadable === true && (field.options.change ?? "replace") !== "update";
}
