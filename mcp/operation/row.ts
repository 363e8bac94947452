import { nameIn } from "../../operation/destruction/destruction.ts";
import { isMasked } from "../../provider/core/krn.ts";
import { fingerprint } from "./fingerprint.ts";

/** Rows of listings and objects in previews: their identity, their content, and a size that fits into a result. */

/** Fields that identify an object in a row, in the order of their precedence. */
const idFields = ["krn", "krn_id", "krnid", "port_id", "floating_ip_krn", "id", "_id", "key", "template_krn"];

/** Returns the ID of a row; undefined for a row without one. */
function idOf(row: object): string | undefined {
  const record = row as { readonly [field: string]: unknown };
  return idFields
    .map((field) => record[field])
    .find((value): value is string => typeof value === "string" && value !== "");
}

/** Fields of a row that differ when its content differs, although its ID does not. */
const contentFields = [
  ...["size", "Size", "size_bytes", "etag", "lastModified", "last_modified", "updated_at", "updatedAt"],
  ...["versionId", "checksum"],
];

/** Returns the digest of the ID of a row with the fields that show its content; of the whole row if it has no ID. */
export function contentOf(row: unknown): string {
  if (typeof row !== "object" || row === null) return fingerprint(row);
  const record = row as { readonly [field: string]: unknown };
  const id = idOf(row);
  // A masked ID can be that of several objects.
  const isKnown = id !== undefined && !isMasked(id);
  return fingerprint(isKnown ? [id, contentFields.map((field) => record[field] ?? null)] : row);
}

/** Maximum number of objects that a preview names of each companion, of characters of JSON of one, and of a name. */
const [mostNamed, mostOfRow, longestName] = [50, 2_000, 200];

/** Maximum number of fields of an object that does not fit into a preview. */
const mostFields = 100;

/** Returns a value that is at most `most` characters of JSON long: parts that do not fit are replaced by their lengths. */
export function fitting(value: unknown, most: number): unknown {
  const lengthOf = (part: unknown) => JSON.stringify(part)?.length ?? 0;
  if (lengthOf(value) <= most) return value;
  const note = (part: unknown) => `(not shown: ${lengthOf(part)} characters)`;
  if (typeof value !== "object" || value === null) return note(value);
  let left = most;
  const cut = (part: unknown): unknown => {
    left -= lengthOf(part) + 4;
    if (left >= 0) return part;
    left += lengthOf(part);
    return note(part);
  };
  const entries = Object.entries(value).slice(0, mostFields);
  const parts = entries.map(([name, part]) => [name.slice(0, longestName), cut(part)] as const);
  const more = Object.keys(value).length - entries.length;
  return {
    ...Object.fromEntries(parts),
    ...(more > 0 && { more_fields: more }),
    is_cut: `Only ${most} characters are shown. The digest covers all.`,
  };
}

/** Returns the identities of the first rows, as many as fit into `most` characters of JSON. */
export function identitiesOf(rows: readonly unknown[], most: number): readonly unknown[] {
  let left = most;
  return rows
    .slice(0, mostNamed)
    .map((row) => fitting(identityOf(row), mostOfRow))
    .filter((identity) => {
      left -= JSON.stringify(identity)?.length ?? 0;
      return left >= 0;
    });
}

/** Returns ID, name and status of a row. */
function identityOf(row: unknown): unknown {
  if (typeof row !== "object" || row === null) return row;
  const id = idOf(row);
  if (id === undefined) return row;
  const name = nameIn(row);
  const { status } = row as { readonly status?: unknown };
  return {
    id,
    ...(name !== undefined && { name }),
    ...(typeof status === "string" && { status }),
  };
}
