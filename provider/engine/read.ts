import type { GivenRemedy } from "../core/remedy.ts";
import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import { noteAccount, refuseOtherAccount, requireAccount } from "./account.ts";
import { objectIdIn, resolveId } from "./create/task.ts";
import { isKnownGone } from "./existence/absence.ts";
import { ageOf, isYoung, settleMs } from "./existence/age.ts";
import { readUnlessGone } from "./existence/missing.ts";
import { stateWhenInvisible, visibilityOf } from "./existence/visibility.ts";
import { messageOf, type Operation, warnOnce } from "./operation.ts";
import { regionFor } from "./region.ts";
import { importIdIn } from "./remediation.ts";
import { addressOf } from "./state/address.ts";
import { missingFields } from "./state/compare.ts";
import { mergeState } from "./state/merge.ts";
import { statusOf } from "./state/status.ts";
import { failureOf } from "./wait/wait.ts";

/** Result of looking for the object of a state. */
type Finding =
  | { readonly is: "shown"; readonly id: string; readonly values: Values }
  /** No documented route reads the object. */
  | { readonly is: "unreadable"; readonly id: string }
  /** Too young for a miss to prove anything. */
  | { readonly is: "young"; readonly id: string }
  | { readonly is: "gone"; readonly id: string; readonly namesakes: readonly string[] }
  /** The task of the create names no ID, and is too young for that to prove anything. */
  | { readonly is: "young-task"; readonly task: string }
  /** The task of the create names no ID. `isUnseen` if it succeeded. */
  | { readonly is: "never-created"; readonly task: string; readonly isUnseen: boolean }
  /** The search for the object of an interrupted create ended without an object, with a warning. */
  | { readonly is: "not-found" };

/**
 * Reads an object in the state. Returns undefined only if the object is proven gone (docs/reliability.md#3.9). Throws for a
 * rejection, an HTML page or a truncated body; the state then stays unchanged.
 */
export async function read(operation: Operation, state: ResourceState): Promise<ResourceState | undefined> {
  if (operation.resource.stateOnly) return state;
  noteAccount(operation, state);
  const began = operation.session.ports.clock.monotonic();
  const finding = await find(operation, state, began);
  const after = results[finding.is] as Result<Finding>;
  return after(operation, state, finding, began);
}

async function find(operation: Operation, state: ResourceState, began: number): Promise<Finding> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, state.values);
  const { id, isUnseen = false } = await resolveId(operation, state, region);
  const address = addressOf(resource, id ?? "", region, state.values);
  // Absence of a new object proves nothing, even if `settle_seconds` end before the last response.
  const isNew = () => isYoung(operation, state, began) && !isKnownGone(operation, address);
  if (id === undefined) {
    const { task } = state;
    if (task === undefined) return { is: "not-found" };
    return isNew() ? { is: "young-task", task } : { is: "never-created", task, isUnseen };
  }
  const sought = await readUnlessGone(operation, address, state, isNew);
  if (sought.is === "shown") return { ...sought, id, values: { ...sought.values, region } };
  if (!visibilityOf(resource).isReadable) return { is: "unreadable", id };
  return { ...sought, id };
}

type Result<F extends Finding> = (
  operation: Operation,
  state: ResourceState,
  finding: F,
  began: number,
) => ResourceState | undefined;

/** State after a read, with the warnings and errors of each finding. */
const results: { readonly [K in Finding["is"]]: Result<Extract<Finding, { readonly is: K }>> } = {
  shown: shownState,
  unreadable(operation, state, { id }) {
    const { resource, subject } = operation;
    warnOnce(operation, resource.name, { code: "drift-invisible", subject, id });
    return { ...state, id, task: undefined };
  },
  young(operation, state, { id }) {
    refuseOtherAccount(operation, state);
    const by = visibilityOf(operation.resource).isListDecisive ? "a listing" : "the API";
    const seconds = operation.session.settings.settleSeconds;
    operation.warn({ code: "not-shown-yet", subject: operation.subject, id, seconds, by });
    return { ...state, id, task: undefined };
  },
  gone: stateWhenGone,
  "young-task"(operation, state, { task }) {
    const seconds = operation.session.settings.settleSeconds;
    operation.warn({ code: "task-without-id", subject: operation.subject, seconds, task });
    return state;
  },
  "never-created"(operation, state, { task, isUnseen }) {
    requireAccount(operation, state);
    operation.warn({
      code: isUnseen ? "created-unseen" : "never-created",
      subject: operation.subject,
      task,
    });
    return undefined;
  },
  "not-found": () => undefined,
};

/** Returns the state of an object that a read showed. */
function shownState(
  operation: Operation,
  state: ResourceState,
  { id, values }: Extract<Finding, { readonly is: "shown" }>,
  began: number,
): ResourceState {
  const { resource, session } = operation;
  warnOfMissing(operation, values, state.values);
  const { unread, candidates, createdAt, writtenAt, unconfirmed, account } = state;
  // A listing may not show the effect of an unconfirmed change yet.
  const isPending =
    unconfirmed !== undefined && ageOf(session, { recorded: unconfirmed.sentAt }, began) < settleMs(session);
  const current: ResourceState = {
    id: objectIdIn(values, id),
    task: undefined,
    values: mergeState(resource.fields, values, state.values),
    ...{ unread, candidates, createdAt, writtenAt, account },
    unconfirmed: isPending ? unconfirmed : undefined,
  };
  const { at } = statusOf(resource, values);
  // The create of a late object succeeded with a warning: its failure shows only now.
  if (at === "failed" && resource.lifecycle?.late === "kept")
    return { ...current, failed: messageOf(failureOf(operation, values), session) };
  return state.failed !== undefined && at !== "ready" ? { ...current, failed: state.failed } : current;
}

/** Returns the state of an object that is proven gone; undefined unless something keeps it in the state. */
function stateWhenGone(
  operation: Operation,
  state: ResourceState,
  { id, namesakes }: Extract<Finding, { readonly is: "gone" }>,
): ResourceState | undefined {
  const { resource, subject } = operation;
  const { misses, isShownOnce } = visibilityOf(resource);
  const recorded = { ...state, id, task: undefined };
  if (state.values.keepWhenGone === true) {
    operation.warn({ code: "gone-kept", subject, id, misses });
    return recorded;
  }
  requireAccount(operation, state);
  const invisible = stateWhenInvisible(resource, recorded);
  if (invisible !== undefined) {
    operation.warn({ code: "shown-nowhere", subject, id });
    return invisible;
  }
  operation.warn({
    ...{ code: "gone", subject, id, misses, namesakes },
    billed: resource.billed ?? "",
    canKeep: resource.work !== undefined,
    hasSecret: isShownOnce,
    remedies: remediesOfMissing(operation, state, id),
  });
  return undefined;
}

/** Returns an import as remedy for an object that only listings show, as a late listing may show it; otherwise none. */
function remediesOfMissing(
  { resource, session }: Operation,
  { values }: ResourceState,
  id: string,
): readonly GivenRemedy[] {
  if (!visibilityOf(resource).isOnlyListed) return [];
  const region = regionFor(session, resource, values);
  const importId = importIdIn(session, resource, { id, values, region });
  return [{ code: "import-if-listed", resource: resource.name, importId, isRecreated: true }];
}

/** Warns of fields that every complete response contains and this one lacks. */
function warnOfMissing(operation: Operation, observed: Values, recorded: Values): void {
  const { resource, subject } = operation;
  const missing = missingFields(resource.fields, observed, recorded).map(({ path }) => path);
  if (missing.length === 0) return;
  warnOnce(operation, `${resource.name}: missing`, { code: "incomplete-kept", subject, missing });
}
