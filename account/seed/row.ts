import { hash } from "node:crypto";
import { plainId } from "../../provider/core/krn.ts";
import { parseIsoTime } from "../../provider/core/time.ts";
import type { Values } from "../../provider/core/value.ts";

/**
 * Rows of an inventory for the emulator (docs/emulator.md#inventories). The emulator has the schema; this folder is written from
 * its description.
 */

export interface Row {
  readonly kind: string;
  readonly krn: string;
  readonly name: string;
  readonly createdAt?: string;
  readonly failure?: string;
  readonly [field: string]: unknown;
}

/** Object of a state or of an account. */
export interface Entry {
  /** Kind of the definition, such as `security-group-rule`. */
  readonly kind: string;
  readonly id: string;
  /** Region; empty for an object of the whole account. */
  readonly region: string;
  /** Values without marks of secrets. */
  readonly values: Values;
  /** Time of the create in ms since 1970; undefined if it is not known. */
  readonly createdAt?: number | undefined;
  /** Set for an object of the listings of an account, which show its parts as objects of their own. */
  readonly isListed?: true;
}

/** Owner of the KRNs that an entry lacks. */
export interface Owner {
  readonly account: string;
  readonly customer: string;
}

/** Returns the UUID that belongs to a text: the same one in every seed. */
export function derivedUuid(text: string): string {
  const hex = hash("sha256", text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the KRN of an object whose id is none, or which is not in any state; `type` has its service, as in `kbs:volume`. */
export function krnOf({ account, customer }: Owner, type: string, region: string, uuid: string): string {
  const [service = "", kind = ""] = type.split(":");
  return ["krn", service, region || "global", account, customer, kind, uuid].join(":");
}

/** Readers of the values of an entry: undefined for a value that is absent, not known or of another type. */
export const textIn = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};
export const numberIn = (values: Values, name: string): number | undefined => {
  const value = values[name];
  return typeof value === "number" ? value : undefined;
};
export const textsIn = (values: Values, name: string): string[] => {
  const value = values[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
};
export const recordsIn = (values: Values, name: string): Values[] => {
  const value = values[name];
  return Array.isArray(value) ? value.filter(isValues) : [];
};
export const recordIn = (values: Values, name: string): Values | undefined => {
  const value = values[name];
  return isValues(value) ? value : undefined;
};
const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the fields that have a value. */
export const given = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** Change of the row of another entry. */
export interface RowChange {
  readonly krn: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Returns true for a row that is changed. Default: always. */
  readonly when?: (row: Row) => boolean;
}

/** Rows that follow from an entry. */
export interface Converted {
  /** The object of the entry. */
  readonly rows?: readonly Row[];
  /** Parts of it, such as the port of an instance, of which other entries know more. */
  readonly parts?: readonly Row[];
  /** Fields of rows of other entries, by KRN: the entry knows them better, since it is the one that sets them. */
  readonly changes?: readonly RowChange[];
  /** Facts that the entry lacks and that were invented, each as a clause. */
  readonly assumed?: readonly string[];
  /** Objects of which the entry shows little: they count only if no other entry and no inventory has them. */
  readonly members?: readonly Converted[];
}

/** Converts an entry; `owner` is that of KRNs that it lacks. */
export type Convert = (entry: Entry, owner: Owner) => Converted;

const failedWords = new Set(["error", "failed"]);
const stoppedWords = new Set(["shutoff", "stopped"]);

/** Returns the fields that rows of all kinds have. */
export function common(
  kind: string,
  { values, createdAt }: Entry,
  krn: string,
  name = textIn(values, "name"),
): Row {
  const time = parseIsoTime(textIn(values, "createdAt") ?? "") ?? createdAt;
  const isFailed = failedWords.has(textIn(values, "status")?.toLowerCase() ?? "");
  const [, step, reason] =
    /^(?:(boot|volume): )?(.*)$/s.exec(textIn(values, "failureReason") ?? "failed") ?? [];
  return {
    ...{ kind, krn, name: name ?? plainId(krn) },
    ...(time !== undefined && { createdAt: new Date(time).toISOString() }),
    ...(isFailed && { failure: reason ?? "failed" }),
    ...(isFailed && kind === "instance" && step !== undefined && { failedStep: step }),
  };
}

/** Returns the KRN of an entry: its id, or one with the UUID of its id; `type` has the service, as in `kbs:volume`. */
export const krnFor = ({ id, region }: Entry, owner: Owner, type: string): string =>
  id.startsWith("krn:") ? id : krnOf(owner, type, region, derivedIfNeeded(id, type));

const derivedIfNeeded = (id: string, type: string): string =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id) ? id.toLowerCase() : derivedUuid(`${type} ${id}`);

export const isStopped = (values: Values): boolean =>
  stoppedWords.has(textIn(values, "status")?.toLowerCase() ?? textIn(values, "powerState") ?? "");

/**
 * Returns fields that a row needs: the value of the entry, or another one in its place, with the fact that it was assumed.
 * `subject` is the object in that fact.
 */
export function needed(
  subject: string,
  fields: Readonly<Record<string, readonly [value: unknown, otherwise: unknown]>>,
): { readonly fields: Readonly<Record<string, unknown>>; readonly assumed: string[] } {
  const missing = Object.entries(fields).filter(([, [value]]) => value === undefined || value === null);
  return {
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, [value, otherwise]]) => [name, value ?? otherwise]),
    ),
    assumed: missing.map(([name, [, otherwise]]) => `${name} of ${subject}: ${JSON.stringify(otherwise)}`),
  };
}
