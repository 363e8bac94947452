import { createHash } from "node:crypto";

/** Digests of values, which are equal for equal values in any order of their fields. */

/** Names of fields that belong to a response and not to its object. */
const ofResponse: ReadonlySet<string> = new Set([
  ...["timestamp", "requestId", "request_id", "traceId", "trace_id"],
]);

/** Returns a value as JSON with its fields in the order of their names, and without the fields of these names. */
function canonical(value: unknown, volatile: ReadonlySet<string>): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, volatile)).join(",")}]`;
  const fields = Object.entries(value)
    .filter(([name, field]) => !volatile.has(name) && field !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field, volatile)}`);
  return `{${fields.join(",")}}`;
}

/** Returns the digest of a value. `volatile` are names of fields that change without a change of the object. */
export const fingerprint = (value: unknown, volatile: readonly string[] = []): string =>
  createHash("sha256")
    .update(canonical(value, new Set([...ofResponse, ...volatile])))
    .digest("base64url");
