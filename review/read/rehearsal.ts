import { cutText } from "../model/cut-text.ts";
import { type Rehearsal, rehearsalSchema } from "../model/rehearsal.ts";
import { withoutCredentials } from "../model/secret-shape.ts";
import { isObject } from "./json.ts";
import { NotReviewableError } from "./not-reviewable.ts";

/** Reads the outcome of a rehearsal, the file that `kcloud rehearse --out` writes. */

const version = rehearsalSchema.shape.version.value;

/** Parses the file of a rehearsal. Throws `NotReviewableError`, whose message follows the name of the file. */
export function parseRehearsal(text: string): Rehearsal {
  const json = jsonIn(text);
  if (!isObject(json) || !["version", "approval", "steps"].every((name) => Object.hasOwn(json, name)))
    throw new NotReviewableError("is not a rehearsal: kcloud rehearse --out writes one");
  if (json.version !== version)
    throw new NotReviewableError(
      `is a rehearsal of version ${JSON.stringify(json.version)}; this version of kcloud reads version ${version}`,
    );
  const parsed = rehearsalSchema.safeParse(json);
  if (!parsed.success)
    throw damaged(
      parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the file"}: ${message}`),
    );
  const problems = [...problemsIn(parsed.data)];
  if (problems.length > 0) throw damaged(problems);
  return parsed.data;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new NotReviewableError("is not JSON, or is truncated");
  }
}

const damaged = ([first = "", ...more]: readonly string[]): NotReviewableError =>
  new NotReviewableError(
    `is a damaged rehearsal: ${cutText(first)}${more.length === 0 ? "" : ` (and ${more.length} more)`}`,
  );

/** Yields the contradictions that the schema does not see. */
function* problemsIn({ steps, longestPath }: Rehearsal): Generator<string> {
  const addresses = new Set<string>();
  for (const [index, { address, start, end }] of steps.entries()) {
    addresses.add(address);
    if (end < start) yield `steps.${index}: it ends before it starts`;
  }
  for (const [index, address] of longestPath.entries())
    if (!addresses.has(address)) yield `longestPath.${index}: there is no such step`;
}

/**
 * Returns a rehearsal without credentials in its texts, of which long ones are cut. Addresses of the plan stay as they are, so that
 * they are found there.
 */
export function withoutSecrets(rehearsal: Rehearsal, addresses: ReadonlySet<string>): Rehearsal {
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return addresses.has(value) ? value : cutText(withoutCredentials(value));
    if (Array.isArray(value)) return value.map(clean);
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, clean(part)]))
      : value;
  };
  return clean(rehearsal) as Rehearsal;
}
