import { CloudError, StopError } from "../core/error.ts";
import type { RelatedObject } from "../definition/verb.ts";
import type { Work } from "./operation.ts";
import { formatDependents } from "./remediation.ts";

/**
 * Returns the objects that block an operation as text; undefined if a listing shows none. If the listing fails, the
 * conflict that it was to explain stays the error, and the text from `before` is returned.
 */
export async function describeDependents(
  { session }: Work,
  asked: Promise<readonly RelatedObject[]> | undefined,
  before?: string,
): Promise<string | undefined> {
  try {
    const found = (await asked) ?? [];
    return found.length === 0 ? undefined : formatDependents(found);
  } catch (error) {
    if (!(error instanceof CloudError) && !(error instanceof StopError)) throw error;
    session.log("debug", "what is in the way cannot be read", { why: error.message });
    return before;
  }
}
