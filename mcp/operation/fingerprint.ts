import { createHash } from "node:crypto";

/** Digests of values, which are equal for equal values in any order of their fields. */

/** Names of fields that belong to a response and not to its object. */
const ofResponse: ReadonlySet<string> = new Set([
  ...["timestamp", "requestId", "request_id", "traceId", "trace_id"],
]);

/** Fields that are left out: those of responses in all objects of the set, and `volatile` in the value itself. */
interface Omitted {
  readonly volatile: ReadonlySet<string>;
  readonly responses: WeakSet<object>;
}

const none: ReadonlySet<string> = new Set();

/** Returns a value as JSON with its fields in the order of their names. */
function canonical(value: unknown, { volatile, responses }: Omitted): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const inner: Omitted = { volatile: none, responses };
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, inner)).join(",")}]`;
  const isResponse = responses.has(value);
  const fields = Object.entries(value)
    .filter(([name, field]) => {
      const isOmitted = volatile.has(name) || (isResponse && ofResponse.has(name));
      return !isOmitted && field !== undefined;
    })
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field, inner)}`);
  return `{${fields.join(",")}}`;
}

/**
 * Returns the digest of a response or of another value. `volatile` are names of fields of the value that change without a change of the object;
 * `responses` are the responses in it. Fields inside of others always count: a label may have any name.
 */
export const fingerprint = (
  value: unknown,
  volatile: readonly string[] = [],
  responses: WeakSet<object> = new WeakSet(),
): string =>
  createHash("sha256")
    .update(canonical(value, { volatile: new Set([...ofResponse, ...volatile]), responses }))
    .digest("base64url");
