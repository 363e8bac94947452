import { quoted } from "../../client/client.ts";
import { type CloudError, FailedError } from "../../core/error.ts";
import type { Values } from "../../core/value.ts";
import { attribute } from "../../core/wording.ts";
import type { Poll } from "../../definition/function.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Operation } from "../operation.ts";
import type { Address } from "../state/state.ts";
import {
  driftedFields,
  listingKey,
  missesBeforeGone,
  readCurrent,
  statusOf,
  transitionOf,
} from "../state/state.ts";
import { waitFor } from "./waiter.ts";

export type { Poll } from "../../definition/function.ts";
export { isLastPoll, waitFor } from "./waiter.ts";

/** Tolerance for an unknown status: number of polls, and minimum time in ms between two polls that count. */
const unknownPolls = 3;
const unknownMs = 2_000;
/** Time in ms for which reads show a ready object unchanged before its delete or change is sent again. */
export const unchangedMs = 30_000;
/** Time in ms after which a conflict with a known reason that does not clear by itself ends the wait. */
export const blockedMs = 100_000;
/**
 * Time in ms for which a ready object may show other values than requested; if a request was sent, at least
 * `settle_seconds`. A change in place takes longer than a create, and the status may not show it.
 */
const appliedMs = { made: 60_000, changed: 300_000 };

/** Change of an existing object whose effect is awaited. */
interface Change {
  /** Fields that were sent; undefined if none was. */
  readonly changed?: ReadonlySet<string> | undefined;
  /** Values that the API is expected to show of these fields. Default: the inputs. */
  readonly expected?: () => Values;
  /** Values before the change. */
  readonly before?: Values;
  /** Stored values of the computed fields that identify the object. */
  readonly identity?: Values;
  /** Sends the named fields again; called if reads of a ready object show them unchanged for `unchangedMs`. */
  readonly resend?: (names: ReadonlySet<string>) => Promise<void>;
  /** Ambiguous response to a change that is not sent again: the wait fails if no read shows it within `settle_seconds`. */
  readonly unanswered?: CloudError | undefined;
}

/**
 * Waits until an object exists, is ready and shows the requested values; for the fields in `changed` this includes
 * values that were removed. Throws `FailedError` for a failed status, and for an unknown status at its fourth poll. A miss
 * means "not visible yet" for `settle_seconds` and for as many polls as prove an object gone (docs/contract.md#17.1), and
 * while `isInProgress` of the definition returns true; then it throws too. For an object that no route reads, returns the
 * requested values, with the values of `before` or of a new object for the other fields.
 */
export async function waitUntilReady(
  operation: Operation,
  address: Address,
  inputs: Values,
  { changed, expected = () => inputs, before = {}, identity = {}, resend, unanswered }: Change = {},
): Promise<Values> {
  const { resource, session } = operation;
  const { clock } = session.ports;
  const { settleSeconds } = session.settings;
  const began = clock.monotonic();
  let misses = 0;
  let missingSince: number | undefined;
  const { notReadable } = resource as { readonly notReadable?: Values };
  const mine =
    notReadable === undefined ? { ...identity, ...inputs } : { ...notReadable, ...before, ...inputs };
  let unknownAt: number[] = [];
  let readySince: number | undefined;
  let unchanged: { readonly other: string; readonly since: number } | undefined;
  const expects = changed === undefined ? "made" : "changed";
  const poll = async (after: number): Promise<Poll<Values>> => {
    // The time of the request counts, as the response may be slow.
    const asked = clock.monotonic();
    const seen = await readCurrent(operation, address, after, mine);
    if (seen === undefined) {
      if (notReadable !== undefined) return { done: mine };
      misses += 1;
      missingSince ??= clock.monotonic();
      const isOver = asked - missingSince > settleSeconds * 1000;
      if (isOver && misses >= missesBeforeGone(resource)) {
        if (!(await isInProgress(operation, address)))
          throw new FailedError(`the API does not show the object after ${settleSeconds} s`, {
            mayRecover: true,
          });
        missingSince = undefined;
      }
      return { still: "not visible yet" };
    }
    misses = 0;
    missingSince = undefined;
    const { at, word } = statusOf(resource, seen);
    if (at === "failed") throw failureOf(operation, seen);
    const now = clock.monotonic();
    if (at !== "unknown") unknownAt = [];
    else if (now - (unknownAt.at(-1) ?? Number.NEGATIVE_INFINITY) >= unknownMs) unknownAt.push(now);
    if (unknownAt.length > unknownPolls)
      throw new FailedError(`the API reports the status ${word}, which is unknown to this provider`, {
        mayRecover: true,
      });
    const transition = changed === undefined ? undefined : transitionOf(resource, seen);
    if (at !== "ready" || transition !== undefined) {
      unchanged = undefined;
      return { still: transition ?? word };
    }
    readySince ??= clock.monotonic();
    const other = driftedFields(resource.fields, seen, selected(expected(), changed), changed);
    if (other.length === 0) return { done: seen };
    const readyMs = clock.monotonic() - readySince;
    if (unanswered !== undefined && now - began > settleSeconds * 1000)
      throw new FailedError(
        `the API gave no clear response (${unanswered.said}), and after ${settleSeconds} s it does not show the configured ${other.map(attribute).join(", ")}`,
        { mayRecover: true },
      );
    // Listings may show the sent values only after `settle_seconds`.
    const lateMs = changed === undefined && operation.verb !== "create" ? 0 : settleSeconds * 1000;
    const limit = Math.max(appliedMs[expects], lateMs);
    if (readyMs > limit)
      throw new FailedError(
        `the API shows a different ${other.map(attribute).join(", ")} than configured${notAppliedHints(resource, other)}`,
        expects === "made" ? { seen, mayRecover: true } : {},
      );
    if (unchanged?.other !== other.join()) unchanged = { other: other.join(), since: now };
    else if (now - unchanged.since >= unchangedMs) {
      unchanged = undefined;
      const names = other.flatMap((path) => path.split(".")[0] ?? []).filter((name) => changed?.has(name));
      if (names.length > 0) await resend?.(new Set(names));
    }
    return { still: `${word}, ${other.map(attribute).join(", ")} not shown yet` };
  };
  return waitFor(operation, `${resource.name} ${expects}`, poll, listingKey(resource, address));
}

/** Returns the values of the changed fields: another field may have been changed outside. Without a change returns all. */
const selected = (values: Values, changed: ReadonlySet<string> | undefined): Values =>
  changed === undefined
    ? values
    : Object.fromEntries(Object.entries(values).filter(([name]) => changed.has(name)));

const isInProgress = async (operation: Operation, address: Address): Promise<boolean> => {
  const call = { ...address, api: operation.api(address.region) };
  return (await operation.resource.verbs.isInProgress?.(call as never)) === true;
};

/** Returns the hints of fields that do not show the requested value. */
const notAppliedHints = ({ fields }: Resource, names: readonly string[]): string =>
  names
    .flatMap((name) => {
      const field = fields[name];
      return (field?.kind === "field" && field.options.notAppliedHint) || [];
    })
    .map((hint) => `; ${hint}`)
    .join("");

/** Returns the error for a failed object, with the status and the reason that the API reports. */
export function failureOf({ resource, session }: Operation, seen: Values): FailedError {
  const why = seen[resource.lifecycle?.reason ?? ""];
  const words = typeof why === "string" && why !== "" ? `: ${quoted(why, session.redact)}` : "";
  return new FailedError(`the API reports the status ${statusOf(resource, seen).word}${words}`, { seen });
}
