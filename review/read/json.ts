/** Access to JSON of unknown shape: values of another type count as absent, so that a reader tolerates unknown forms. */

/** JSON object. */
export type Json = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const objectsOf = (value: unknown): readonly Json[] => listOf(value).filter(isObject);

export const stringOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const stringsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((item): item is string => typeof item === "string");

/** Returns a gap if this member is not a list of objects, because the reader would skip it silently. */
export function malformed(json: Json, name: string): string[] {
  const part = json[name] ?? [];
  return Array.isArray(part) && part.every(isObject) ? [] : [`${name} is not a list of objects`];
}
