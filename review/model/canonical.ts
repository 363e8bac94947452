import { createHash } from "node:crypto";
import { isSecret, reveal, UNKNOWN, type Value } from "../../provider/core/value.ts";
import { digitsOf } from "./exact-number.ts";

/**
 * Returns a value as JSON with sorted keys, so that equal values give equal texts. An unknown value is a bare `?`, which is not
 * valid JSON; `hide` formats a sensitive value, by default in clear text.
 */
export function canonical(
  value: Value,
  hide: (value: Value) => string = (inner) => canonical(inner),
): string {
  if (typeof value === "string") return digitsOf(value) ?? JSON.stringify(value);
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === UNKNOWN) return "?";
  if (isSecret(value)) return hide(reveal(value));
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, hide)).join(",")}]`;
  const parts = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonical(part, hide)}`);
  return `{${parts.join(",")}}`;
}

/** Number of texts per update of the hash. */
const many = 1_000;

/** Returns the SHA-256 of texts in hexadecimal; independent of their order. */
export function digestOf(texts: readonly string[]): string {
  const hash = createHash("sha256");
  const sorted = texts.toSorted();
  for (let start = 0; start < sorted.length; start += many)
    hash.update(`${sorted.slice(start, start + many).join("\n")}\n`);
  return hash.digest("hex");
}
