import { isMasked, lastPart, matchesMasked, sameId } from "../../provider/core/krn.ts";
import type { Value } from "../../provider/core/value.ts";

/** Comparison of the IDs in responses with that of an object. An ID may be masked, or have another spelling (docs/contract.md#17.1). */

/** "unknown" for an ID that is missing, or that lacks a part that would decide. */
export type Comparison = "same" | "other" | "unknown";

/** Object of a response. */
export type Row = { readonly [field: string]: Value | undefined };

/** Returns a value of a response as an object; one without fields for any other value. */
export const rowIn = (value: unknown): Row =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Row) : {};

/** Returns a list of a response; undefined for any other value. */
export const listIn = (value: unknown): readonly Value[] | undefined =>
  Array.isArray(value) ? value : undefined;

/** Returns the text of an ID, which some responses contain as a number; undefined for any other value. */
function textOfId(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** Compares an ID of a response with that of an object. */
export function compareIds(listed: unknown, id: string): Comparison {
  const text = textOfId(listed);
  if (text === undefined) return "unknown";
  if (sameId(text, id)) return "same";
  if (isMasked(lastPart(text)) || isMasked(lastPart(id))) return "unknown";
  if (!sameId(lastPart(text), lastPart(id))) return "other";
  return matchesMasked(text, id) ? "same" : "unknown";
}

/** Returns the best of several comparisons: "same" if one is, otherwise "unknown" if one is. "other" for none. */
export const bestOf = (comparisons: readonly Comparison[]): Comparison =>
  comparisons.includes("same") ? "same" : comparisons.includes("unknown") ? "unknown" : "other";

/** Compares an ID of a response with all IDs by which an object is known. */
export const compareWithAny = (listed: unknown, ids: readonly string[]): Comparison =>
  ids.length === 0 ? "unknown" : bestOf(ids.map((id) => compareIds(listed, id)));

/** Compares a list of IDs of a response with all IDs of an object. Without the list, nothing is known. */
export const compareList = (list: unknown, ids: readonly string[]): Comparison => {
  const items = listIn(list);
  return items === undefined ? "unknown" : bestOf(items.map((item) => compareWithAny(item, ids)));
};

/** Compares the IDs that a row has in these fields. A row with none of them is not comparable. */
export function compareRow(row: unknown, fields: readonly string[], id: string): Comparison {
  const values = fields.map((field) => textOfId(rowIn(row)[field])).filter((value) => value !== undefined);
  return values.length === 0 ? "unknown" : bestOf(values.map((value) => compareIds(value, id)));
}

/** Returns the IDs of an object that are complete, and the one by which the caller knows it. */
export const idsOf = (object: unknown, fields: readonly string[], id?: Value): readonly string[] =>
  [
    ...new Set(
      [id, ...fields.map((field) => rowIn(object)[field])]
        .map(textOfId)
        .filter((value) => value !== undefined && !isMasked(lastPart(value))),
    ),
  ] as string[];
