import {
  CloudError,
  FailedError,
  isConflict,
  type OperationError,
  PasswordError,
  SignInError,
  StopError,
} from "../../core/error.ts";
import { formatObjects, type GivenRemedy } from "../../core/remedy.ts";
import type { Text } from "../../core/wording.ts";
import { remediesFor, remediesForDelete, stepOf } from "../remediation.ts";
import type { Removal } from "./removal.ts";

/** Errors of deletes that the API did not accept. */

/** Returns the reason of a conflict: the objects that use this one, if they are known. */
export const inUse = ({ use }: Removal, { reason }: CloudError): Text =>
  use?.objects === undefined ? reason : `in use by ${formatObjects(use.objects)}`;

/** Returns the error for an object that no route reads and whose id the delete route does not find. */
export function unknownIdError({ operation, address, state }: Removal, error: unknown): OperationError {
  const { name: kind } = operation.resource;
  const { name } = state.values;
  const object = { kind, id: address.id, ...(typeof name === "string" && { name }) };
  return operation.failed(
    `the API does not find ${address.id}, which may not be an ID of the object`,
    { is: "unknown" },
    [{ code: "remove-from-state", resource: kind, object }],
    { cause: error },
  );
}

/** Returns the error for an object that could not be deleted. The last obstacle explains an error at the deadline. */
export function deleteFailure(removal: Removal, error: unknown): OperationError {
  const { operation, obstacle } = removal;
  const existence = { is: "still exists" } as const;
  if (obstacle === undefined || !(error instanceof StopError)) {
    const isCleared = isConflict(error) && !removal.password.isRequested;
    const remedies = isCleared ? clearing(removal, error) : remediesAfter(removal, error);
    return operation.failed(stepOfDelete(removal, error), existence, remedies, { cause: error });
  }
  const remedies = isConflict(obstacle) ? clearing(removal, obstacle) : remediesAfter(removal, obstacle);
  const step = `${stepOfDelete(removal, obstacle)}: ${error.message}`;
  return operation.failed(step, existence, remedies, { cause: obstacle });
}

/** Returns the failed step of a delete, by its cause. */
function stepOfDelete({ password }: Removal, cause: unknown): string {
  // A 401 does not show whether the one-time password or the API key was rejected.
  const isRefused =
    cause instanceof CloudError && cause.failure === "auth" && !(cause instanceof SignInError);
  if (password.isRequested && isRefused) return "the API rejected the request";
  if (isConflict(cause)) return "the object is in use, or another operation on it is running";
  if (cause instanceof PasswordError) return "no one-time password is available";
  return cause instanceof FailedError ? "the object could not be deleted" : stepOf(cause);
}

/** Returns the remedies for a conflict. */
const clearing = ({ use }: Removal, { remedies = [] }: CloudError): readonly GivenRemedy[] =>
  use?.objects === undefined
    ? [...remedies, "resolve-conflict", "run-again"]
    : [{ code: "remove-dependents", objects: use.objects }, ...remedies];

const remediesAfter = (removal: Removal, cause: unknown): readonly GivenRemedy[] =>
  removal.password.isRequested
    ? guardedRemedies(removal, cause)
    : remediesForDelete(removal.operation.resource, cause);

/**
 * Returns the remedies after a delete with a one-time password. The API does not distinguish a rejected password from other
 * rejections.
 */
function guardedRemedies(removal: Removal, error: unknown): readonly GivenRemedy[] {
  const renewed = { code: "new-password", isSpent: isPasswordSpent(removal, error) } as const;
  if (error instanceof PasswordError) return [renewed];
  if (isConflict(error)) return [...(error.remedies ?? ["resolve-conflict"]), renewed];
  const isRejected =
    error instanceof CloudError && (error.failure === "auth" || error.failure === "rejected");
  if (isRejected) return ["correct-request", renewed];
  const again: readonly GivenRemedy[] = ["run-again", "run-again-later"];
  return [...remediesFor(error).filter((remedy) => !again.includes(remedy)), renewed];
}

/** Returns true if a request with a one-time password has reached the API: each password is accepted once. */
const isPasswordSpent = ({ password: { isSent, unanswered } }: Removal, error: unknown): boolean =>
  isSent &&
  (unanswered.length > 0 ||
    (error instanceof CloudError && !(error instanceof SignInError) && error.failure !== "unsent"));
