import { accountOf } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import { attribute, wording } from "../core/wording.ts";
import type { Resource } from "../definition/resource.ts";
import type { Operation } from "./operation.ts";

/** Compares the account of objects in the state with that of the credentials: the API hides objects of other accounts. */

/** Returns the account in the ids of a state: its id, its KRN and the ids of its parents; undefined if none has one. */
function accountIn({ parents = [] }: Resource, { id, values }: ResourceState): string | undefined {
  const ids = [id, values.krn, ...parents.map((parent) => values[parent])];
  return ids.map((text) => (typeof text === "string" ? accountOf(text) : undefined)).find(Boolean);
}

/** Returns the account of a state: that of its ids, else the recorded one. */
const accountOfState = (resource: Resource, state: ResourceState): string | undefined =>
  accountIn(resource, state) ?? state.account;

/** Returns the state with the account of the credentials, if that is known and no id in the state contains an account. */
export function withAccount({ resource, session }: Operation, state: ResourceState): ResourceState {
  const { owner } = session;
  const isNamed = resource.stateOnly === true || accountIn(resource, state) !== undefined;
  const account = isNamed || owner.isDisputed() ? undefined : owner.account();
  return account === undefined ? state : { ...state, account };
}

/** Returns the operation; the states in its errors record the account of the credentials. */
export const recordingAccount = (operation: Operation): Operation => ({
  ...operation,
  failed: (step, existence, remedies, { state, cause } = {}) =>
    operation.failed(step, existence, remedies, { state: state && withAccount(operation, state), cause }),
});

/**
 * Throws `OperationError` with the state of a new object if its ids contain another account than the configured one: the
 * credentials belong to that account. No request before the create shows this.
 */
export function requireConfiguredAccount(operation: Operation, state: ResourceState): void {
  const { resource, session } = operation;
  const configured = session.settings.accountId ?? "";
  const account = accountIn(resource, state);
  const { id } = state;
  if (id === undefined || account === undefined || account === configured || !/^\d+$/.test(configured))
    return;
  throw operation.failed(
    wording`the credentials belong to account ${account}, ${attribute("accountId")} is ${configured}`,
    { is: "recorded", id },
    ["set-account-id", { code: "leave-unmanaged", resource: resource.name }, "next-resumes"],
    { state },
  );
}

/** Records the account of a state that is read or deleted. States without an account are compared with all recorded ones. */
export function noteAccount({ resource, session }: Operation, state: ResourceState): void {
  const account = accountOfState(resource, state);
  if (account !== undefined) session.stateAccounts.add(account);
}

/**
 * Throws `OperationError` if the account of the credentials is unknown or differs from that of the state. The API hides
 * objects of other accounts, so a missing object would not be proof that it is gone.
 */
export function requireAccount(operation: Operation, state: ResourceState): void {
  refuseOtherAccount(operation, state);
  if (operation.session.owner.account() === undefined)
    throw operation.failed(
      "the API does not show it, and the account of the credentials is unknown",
      unknown,
      ["set-account-id", "run-again"],
    );
}

const unknown = { is: "unknown" } as const;

/** Throws `OperationError` if the credentials belong to another account than the state; `why` is the start of its text. */
export function refuseOtherAccount(
  operation: Operation,
  state: ResourceState,
  why = "the API does not show it",
): void {
  const { resource, session } = operation;
  const recorded = accountOfState(resource, state);
  const named = recorded === undefined ? [...session.stateAccounts] : [recorded];
  const account = session.owner.account();
  const others = named.filter((each) => each !== account).join(", ");
  if (account === undefined || others === "") return;
  const whose = recorded === undefined ? "other objects in the state belong" : "the object belongs";
  throw operation.failed(
    `${why}: the credentials belong to account ${account}, ${whose} to account ${others}`,
    unknown,
    [
      { code: "use-account", account: others },
      { code: "leave-unmanaged", resource: resource.name },
    ],
  );
}
