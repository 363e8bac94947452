import { constants } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { NotReviewableError, UnreadableError } from "./not-reviewable.ts";

/** Returns the text of a file in UTF-8, or in UTF-16 with its mark, as PowerShell redirects it. */
export const textOf = (content: Buffer): string =>
  new TextDecoder(content[0] === 0xff && content[1] === 0xfe ? "utf-16le" : "utf-8").decode(content);

/** Returns the content of an input; "-" is standard input. Throws `UnreadableError` and `NotReviewableError`. */
export function readInput(path: string): Buffer {
  const limit = constants.MAX_STRING_LENGTH;
  try {
    if (path !== "-" && statSync(path).size > limit)
      throw new NotReviewableError(`has more than ${limit} bytes, the maximum of one text`);
    return readFileSync(path === "-" ? 0 : path);
  } catch (error) {
    if (error instanceof NotReviewableError) throw error;
    throw new UnreadableError(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
