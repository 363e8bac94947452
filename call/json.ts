/** Parser of JSON that a user writes: it refuses an object with two values for one key, of which a parser would drop one. */

/** Problem of a text that is not JSON, as the end of a sentence. It does not quote the text, which may contain a secret. */
export class JsonProblem extends Error {}

/** Parses a JSON text. Throws `JsonProblem`. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new JsonProblem(text.trim() === "" ? "is empty, not JSON" : "is not valid JSON");
  }
  const repeated = repeatedKey(text);
  if (repeated !== undefined)
    throw new JsonProblem(`has the key ${JSON.stringify(repeated)} more than once in one object`);
  return value;
}

/** Matches the parts of a JSON text that matter here: a string, with the colon after a key, and the ends of objects and lists. */
const parts = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/gs;

/** Returns the first key that occurs twice in one object of a valid JSON text. */
function repeatedKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [part, string, colon] of text.matchAll(parts)) {
    if (part === "{" || part === "[") open.push(new Set());
    else if (part === "}" || part === "]") open.pop();
    else if (string !== undefined && colon !== undefined) {
      const key = JSON.parse(string) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}
