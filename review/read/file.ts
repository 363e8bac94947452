import { constants } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { NotReviewableError, UnreadableError } from "./not-reviewable.ts";

/** Reads inputs of the command. */

/** First bytes of a binary plan, which is a ZIP archive. */
const archive = Buffer.from("PK\u0003\u0004", "latin1");

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

/** Returns true for a binary plan of Terraform or OpenTofu. */
export const isBinaryPlan = (content: Buffer): boolean => content.subarray(0, archive.length).equals(archive);
