import type { Operation } from "../operation/operation.ts";

/** Returns true if a call shows a secret of its response: the whole response, or a field with one. */
export const showsSecret = ({ secrets }: Operation, field: string | undefined): boolean =>
  field === undefined ? secrets.length > 0 : field.split(".").some((name) => secrets.includes(name));

/** Returns a value whose fields of these names, at any depth, are masked. */
export function withoutFields(value: unknown, names: readonly string[]): unknown {
  if (names.length === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutFields(item, names));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      names.includes(name) ? "***" : withoutFields(inner, names),
    ]),
  );
}
