import type { Values } from "../../core/value.ts";
import type { Fields, Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import { elsewhere } from "../operation.ts";
import { candidates, importCommand, importId } from "../remediation.ts";
import { isToldOnce } from "../state/current.ts";
import { isListed, type Making, only, settle } from "./recover.ts";

/** What a create does where nobody knows what it made: it searches, and says what may exist. */

export const mayExist = { is: "may exist" } as const;

/** The id of what was made, by search alone. */
export async function settled(
  making: Making,
  before: readonly Row<Fields>[],
  seconds: number,
  cause?: unknown,
): Promise<string> {
  const found = await settle(making, before, seconds);
  if (found.length > 0) return chosen(making, found, cause);
  const { operation } = making;
  const step = isListed(operation)
    ? "no clear answer came, and a search finds nothing new"
    : operation.resource.shownBy === undefined
      ? "no clear answer came, and the cloud lists nothing of this kind"
      : "no clear answer came, and no search shows what is only half made";
  throw operation.failed(step, mayExist, lookFor(making), undefined, cause);
}

/** The one of these that can be ours. */
export function chosen(making: Making, found: readonly Row<Fields>[], cause: unknown): string {
  const { operation, inputs, region } = making;
  const { resource, session } = operation;
  const id = only(found);
  const nameOf = (id: string) => importId(resource, id, inputs, elsewhere(session, region));
  if (isToldOnce(resource))
    throw operation.failed(
      "what its answer alone tells is lost",
      mayExist,
      `Delete what was made in vain: ${candidates(found, nameOf)}, unless somebody else made it; then run again, which makes another`,
      undefined,
      cause,
    );
  if (id === undefined) {
    const several = found.length > 1;
    throw operation.failed(
      several ? "several new objects match" : "it is listed without an id, or with a masked one",
      mayExist,
      several ? `Import the one that is meant: ${candidates(found, nameOf)}` : lookFor(making),
      undefined,
      cause,
    );
  }
  operation.warn(
    "An unclear answer was settled by search",
    `${operation.subject} was found as ${id} and is taken as the one just made.`,
  );
  return id;
}

/** How to look for what may exist. */
export function lookFor({ operation, inputs, region }: Making, look = "Look"): string {
  const { resource, session } = operation;
  // Nobody can look for it, and unattached it does nothing (reliability 3.5).
  if (resource.shownBy !== undefined)
    return "Run again, which makes another; if this one was made, it is attached to nothing and without effect";
  if (resource.unseen !== undefined)
    return "Look for it where the cloud shows it; if it is there, remove it there before the next run, which makes another";
  if (isToldOnce(resource))
    return `${look} for it in the cloud; if it is there, delete it there, since what its answer told is lost; then run again, which makes another`;
  const id = importId(resource, ownId(resource, inputs), inputs, elsewhere(session, region));
  return `${look} for it in the cloud; if it is there, import it (${importCommand(resource, id)}) before the next run, or set adopt_existing`;
}

/** What an import finds it by, where that alone is enough; else a place for its id. */
function ownId({ importedBy = [] }: Resource, inputs: Values): string {
  const [field, ...more] = importedBy;
  const value = field === undefined || more.length > 0 ? undefined : inputs[field];
  return typeof value === "string" ? value : "ID";
}
