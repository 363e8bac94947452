import { quoted } from "../../client/client.ts";
import { type CloudError, FailedError } from "../../core/error.ts";
import type { Values } from "../../core/value.ts";
import { attributes, joinTexts, type Text, wording } from "../../core/wording.ts";
import type { Poll } from "../../definition/function.ts";
import type { Resource } from "../../definition/resource.ts";
import { settleMs } from "../existence/age.ts";
import { listingKey, readCurrent } from "../existence/current.ts";
import { visibilityOf } from "../existence/visibility.ts";
import type { Operation } from "../operation.ts";
import type { Address } from "../state/address.ts";
import { driftedFields } from "../state/compare.ts";
import { statusOf, transitionOf } from "../state/status.ts";
import { waitFor } from "./waiter.ts";

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
export function waitUntilReady(
  operation: Operation,
  address: Address,
  inputs: Values,
  change: Change = {},
): Promise<Values> {
  const { resource } = operation;
  const { changed, before = {}, identity = {} } = change;
  const { isReadable, initialValues } = visibilityOf(resource);
  const known = isReadable ? { ...identity, ...inputs } : { ...initialValues, ...before, ...inputs };
  const { clock } = operation.session.ports;
  const expects = changed === undefined ? "made" : "changed";
  const missed = missesOf(operation, address);
  const unready = statusesOf(operation, changed !== undefined);
  const values = valuesOf(operation, inputs, change);
  const poll = async (after: number): Promise<Poll<Values>> => {
    // The time of the request counts, as the response may be slow.
    const began = clock.monotonic();
    const observed = await readCurrent(operation, address, { after, known });
    if (observed === undefined && !isReadable) return { done: known };
    if (observed === undefined) return { pending: await missed.count(began) };
    missed.reset();
    const status = unready(observed);
    if (status !== undefined) values.reset();
    const reason = status ?? (await values.compare(observed));
    return reason === undefined ? { done: observed } : { pending: reason };
  };
  return waitFor(operation, `${resource.name} ${expects}`, poll, listingKey(resource, address));
}

/**
 * Counts the consecutive misses of an object. A count throws `FailedError` once the misses prove that the object does not appear,
 * and otherwise returns the status for the wait.
 */
function missesOf(operation: Operation, address: Address) {
  const { resource, session } = operation;
  const { clock } = session.ports;
  let misses = 0;
  let since: number | undefined;
  return {
    async count(began: number): Promise<string> {
      misses += 1;
      since ??= clock.monotonic();
      if (began - since > settleMs(session) && misses >= visibilityOf(resource).misses) {
        const seconds = session.settings.settleSeconds;
        if (!(await isInProgress(operation, address)))
          throw new FailedError(`the API does not show the object after ${seconds} s`, { mayRecover: true });
        since = undefined;
      }
      return "not visible yet";
    },
    reset() {
      misses = 0;
      since = undefined;
    },
  };
}

/**
 * Returns a function that judges the status of each read: undefined for a ready object, otherwise the status for the wait. Throws
 * `FailedError` for a failed status, and for an unknown one that lasts.
 */
function statusesOf(operation: Operation, isChange: boolean): (observed: Values) => Text | undefined {
  const { resource, session } = operation;
  let unknownAt: number[] = [];
  return (observed) => {
    const { at, text } = statusOf(resource, observed);
    if (at === "failed") throw failureOf(operation, observed);
    const now = session.ports.clock.monotonic();
    if (at !== "unknown") unknownAt = [];
    else if (now - (unknownAt.at(-1) ?? Number.NEGATIVE_INFINITY) >= unknownMs) unknownAt.push(now);
    if (unknownAt.length > unknownPolls)
      throw new FailedError(wording`the API reports the status ${text}, which is unknown to this provider`, {
        mayRecover: true,
      });
    const transition = isChange ? transitionOf(resource, observed) : undefined;
    return transition ?? (at === "ready" ? undefined : text);
  };
}

/**
 * Compares the values of each read of a ready object with the expected ones: undefined if they are equal, otherwise the status for
 * the wait. Sends an unchanged value again. Throws `FailedError` once the wait for the values is too long.
 */
function valuesOf(operation: Operation, inputs: Values, change: Change) {
  const { resource, session } = operation;
  const { changed, expected = () => inputs, resend, unanswered } = change;
  const { clock } = session.ports;
  const began = clock.monotonic();
  let readySince: number | undefined;
  let unchanged: { readonly names: string; readonly since: number } | undefined;

  /** Sends the changed fields again if reads of the ready object have shown the same old values for `unchangedMs`. */
  async function sendUnchanged(drifted: readonly string[], now: number): Promise<void> {
    if (unchanged?.names !== drifted.join()) unchanged = { names: drifted.join(), since: now };
    else if (now - unchanged.since >= unchangedMs) {
      unchanged = undefined;
      const names = drifted.flatMap((path) => path.split(".")[0] ?? []).filter((name) => changed?.has(name));
      if (names.length > 0) await resend?.(new Set(names));
    }
  }

  return {
    /** Forgets the old values that reads have shown: the object is changing. */
    reset() {
      unchanged = undefined;
    },
    async compare(observed: Values): Promise<Text | undefined> {
      const now = clock.monotonic();
      readySince ??= now;
      const drifted = driftedFields(resource.fields, observed, selected(expected(), changed), changed);
      if (drifted.length === 0) return undefined;
      const names = attributes(drifted);
      if (unanswered !== undefined && now - began > settleMs(session))
        throw new FailedError(
          wording`the API gave no clear response (${unanswered.reason}), and after ${session.settings.settleSeconds} s it does not show the configured ${names}`,
          { mayRecover: true },
        );
      if (now - readySince > longestMs(operation, changed !== undefined))
        throw new FailedError(
          wording`the API shows a different ${names} than configured${notAppliedHints(resource, drifted)}`,
          changed === undefined ? { observed, mayRecover: true } : {},
        );
      await sendUnchanged(drifted, now);
      return wording`${statusOf(resource, observed).text}, ${names} not shown yet`;
    },
  };
}

/** Returns the time in ms for which a ready object may show other values. Listings may show sent values late. */
function longestMs({ verb, session }: Operation, isChange: boolean): number {
  const lateMs = isChange || verb === "create" ? settleMs(session) : 0;
  return Math.max(appliedMs[isChange ? "changed" : "made"], lateMs);
}

/** Returns the values of the changed fields: another field may have been changed outside. Without a change returns all. */
const selected = (values: Values, changed: ReadonlySet<string> | undefined): Values =>
  changed === undefined
    ? values
    : Object.fromEntries(Object.entries(values).filter(([name]) => changed.has(name)));

const isInProgress = async (operation: Operation, address: Address): Promise<boolean> => {
  const call = { ...address, api: operation.api(address.region) };
  return (await operation.resource.verbs.evidence?.isInProgress?.(call as never)) === true;
};

/** Returns the hints of fields that do not show the requested value. */
const notAppliedHints = ({ fields }: Resource, names: readonly string[]): Text =>
  joinTexts(
    names
      .flatMap((name) => {
        const field = fields[name];
        return (field?.kind === "field" && field.options.notAppliedHint) || [];
      })
      .map((hint) => wording`; ${hint}`),
    "",
  );

/** Returns the error for a failed object, with the status and the reason that the API reports. */
export function failureOf({ resource, session }: Operation, observed: Values): FailedError {
  const reason = observed[resource.lifecycle?.reason ?? ""];
  const quote = typeof reason === "string" && reason !== "" ? `: ${quoted(reason, session.redact)}` : "";
  const { text } = statusOf(resource, observed);
  return new FailedError(wording`the API reports the status ${text}${quote}`, { observed });
}
