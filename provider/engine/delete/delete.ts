import { FailedError, OperationError } from "../../core/error.ts";
import { plainId } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import { hasGivenId } from "../../definition/resource.ts";
import { noteAccount, refuseOtherAccount, requireAccount } from "../account.ts";
import { cancel } from "../cancel.ts";
import { type Resolved, resolveId } from "../create/task.ts";
import { noteGone } from "../existence/absence.ts";
import { isYoung } from "../existence/age.ts";
import { ownedByAnother } from "../existence/owned.ts";
import { type Answer, betterAnswer, isSentOnce, waitUntilGone } from "../existence/proof.ts";
import { visibilityOf } from "../existence/visibility.ts";
import { idsOf } from "../identity.ts";
import { leave } from "../leaving.ts";
import type { Operation } from "../operation.ts";
import { undeletableReason } from "../plan.ts";
import { requireRecorded } from "../recorded.ts";
import { regionFor } from "../region.ts";
import { importIdIn, remediesFor } from "../remediation.ts";
import { type Address, addressKey, addressOf, scopeKey } from "../state/address.ts";
import { sendDelete } from "./send.ts";

/** Deletes an object and confirms that it is gone. Throws without confirmation; the state then stays unchanged. */
export async function remove(operation: Operation, state: ResourceState): Promise<void> {
  const { resource, session } = operation;
  if (resource.stateOnly) return;
  noteAccount(operation, state);
  const region = regionFor(session, resource, state.values);
  const { id, isUnseen } = await resolveSettled(operation, state, region);
  if (id === undefined) {
    requireAccount(operation, state);
    if (isUnseen)
      operation.warn({ code: "created-unseen", subject: operation.subject, task: state.task ?? "" });
    return;
  }
  const address = addressOf(resource, id, region, state.values);
  if (isKept(operation, state, address) || isUndeletable(operation, state, address)) return;
  const left = leave(operation, address, state.values);
  try {
    if (resource.work !== undefined) await cancel(operation, state, address);
    else await deleteUntilGone(operation, state, address);
  } finally {
    left();
  }
}

/** Returns true, with a warning, if another resource has the object, or something that is deleted with it. */
function isKept(operation: Operation, state: ResourceState, address: Address): boolean {
  const owned = ownedByAnother(operation, address, state);
  const extent = operation.keptOf?.(address.id);
  if (owned === undefined && extent === undefined) return false;
  const other = extent === "part" ? "kept-part" : "kept-managed";
  const code = owned?.isAdopted ? "kept-adopted" : other;
  operation.warn({ code, subject: operation.subject, id: address.id });
  return true;
}

/**
 * Returns true, with a warning, if no route deletes objects of this kind. A matching create of this run resumes with the object.
 * No request is sent that would prove the account: only an account that this run has seen, or a configured one, counts.
 */
function isUndeletable(operation: Operation, state: ResourceState, address: Address): boolean {
  const { resource, session, subject } = operation;
  const reason = undeletableReason(resource);
  if (reason === undefined) return false;
  refuseOtherAccount(operation, state, "the object stays in the state, as its destroy sends no request");
  session.objects.retained.set(address.id, { scope: scopeKey(resource, address), values: state.values });
  operation.warn({ code: "undeletable", subject, id: address.id, reason });
  return true;
}

/** Sends the delete until the object is proven gone. */
async function deleteUntilGone(operation: Operation, state: ResourceState, address: Address): Promise<void> {
  const { resource, session } = operation;
  const began = session.ports.clock.monotonic();
  await requireRecorded(operation, address, state);
  let answer: Answer = "missing";
  do {
    answer = betterAnswer(answer, await sendDelete(operation, state, address));
  } while (!(await isGoneAfter(operation, address, state, answer)));
  const isLost = answer === "lost" && isYoung(operation, state, began) && isSentOnce(resource);
  if (isLost || (answer === "missing" && visibilityOf(resource).isOnlyListed))
    warnOfLate(operation, address, state);
  // A late listing may still show the object. An id that the user or a parent determines may be used for another object.
  if (!hasGivenId(resource))
    for (const id of idsOf(resource, address.id, state.values)) noteGone(operation, { ...address, id });
  for (const parent of resource.parents ?? [])
    session.objects.childDeletedAt.set(
      plainId(String(state.values[parent])),
      session.ports.clock.monotonic(),
    );
}

/** Warns that the API did not find an object that only listings show: a late listing may still show it. */
function warnOfLate(operation: Operation, { id, region }: Address, { values }: ResourceState): void {
  const { resource, session, subject } = operation;
  const importId = importIdIn(session, resource, { id, values, region });
  const { name } = resource;
  const late = { code: "import-if-listed", resource: name, importId, isRecreated: false } as const;
  operation.warn({ code: "not-found", subject, id, remedies: [late] });
}

/** Pause in ms between two attempts to find the object of a new task. */
const taskPauseMs = 10_000;

/**
 * Returns the id of the object to delete, as `resolveId` does. Searches again until `settle_seconds` after the create: before
 * that, neither a task without an id nor a listing proves that there is no object.
 */
async function resolveSettled(operation: Operation, state: ResourceState, region: string): Promise<Resolved> {
  for (;;) {
    const began = operation.session.ports.clock.monotonic();
    const resolved = await resolveId(operation, state, region);
    if (resolved.id !== undefined || state.task === undefined || !isYoung(operation, state, began))
      return resolved;
    operation.report(`its task ${state.task} shows no ID yet`);
    await operation.session.ports.clock.sleep(taskPauseMs, operation.signal);
  }
}

/** Returns true once the object is proven gone, false if its delete has to be sent again. */
async function isGoneAfter(
  operation: Operation,
  address: Address,
  state: ResourceState,
  answer: Answer,
): Promise<boolean> {
  const { acceptedDeletes } = operation.session.objects;
  const key = addressKey(operation.resource, address);
  if (answer === "accepted") acceptedDeletes.add(key);
  // Time does not show an object of another account.
  if (!acceptedDeletes.has(key)) refuseOtherAccount(operation, state);
  try {
    const isGone = await waitUntilGone(operation, address, state, answer);
    // A 2xx proves the account of the credentials, also for another entry of the object in the state. The API returns a 404
    // for an object of another account too.
    if (isGone && !acceptedDeletes.has(key)) requireAccount(operation, state);
    return isGone;
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw unconfirmed(operation, answer, error);
  }
}

/** Returns the error of a delete after whose requests the object is not proven gone. */
function unconfirmed(operation: Operation, answer: Answer, error: unknown): OperationError {
  const step =
    answer === "accepted"
      ? "the API accepted the delete, but still shows the object"
      : "the API reported that the object does not exist, but still shows it";
  return error instanceof FailedError
    ? operation.failed(
        "the API accepted the delete, but the delete failed",
        { is: "still exists" },
        remediesFor(error),
        { cause: error },
      )
    : operation.failed(step, { is: "may exist" }, remediesFor(error), { cause: error });
}
