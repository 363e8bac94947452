import { CloudError, StopError, textOf } from "../core/error.ts";
import type { RelatedObject } from "../definition/verb.ts";
import type { Work } from "./operation.ts";

/**
 * Returns the objects that block an operation; undefined if a listing shows none. Returns `before` if the listing fails:
 * the conflict remains the error of the operation.
 */
export async function dependentsOf(
  { session }: Work,
  listing: Promise<readonly RelatedObject[]> | undefined,
  before?: readonly RelatedObject[],
): Promise<readonly RelatedObject[] | undefined> {
  try {
    const found = (await listing) ?? [];
    return found.length === 0 ? undefined : found;
  } catch (error) {
    if (!(error instanceof CloudError) && !(error instanceof StopError)) throw error;
    session.log("debug", "the objects that block it cannot be read", { why: textOf(error) });
    return before;
  }
}
