import { CloudError, StopError } from "../core/error.ts";
import type { RelatedObject } from "../definition/verb.ts";
import type { Work } from "./operation.ts";
import { formatDependents } from "./remediation.ts";

/**
 * What stands in the way, in words; undefined where no listing tells. A look that fails changes nothing: the conflict
 * that it was to explain stands, and so does what was known `before`.
 */
export async function describeDependents(
  { session }: Work,
  asked: Promise<readonly RelatedObject[]> | undefined,
  before?: string,
): Promise<string | undefined> {
  try {
    const found = (await asked) ?? [];
    return found.length === 0 ? undefined : session.redact(formatDependents(found));
  } catch (error) {
    if (!(error instanceof CloudError) && !(error instanceof StopError)) throw error;
    session.log("debug", "what is in the way cannot be read", { why: error.message });
    return before;
  }
}
