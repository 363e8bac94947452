import { accountOf } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import type { Resource } from "../definition/resource.ts";
import type { Operation } from "./operation.ts";

/** Account of the objects in state, compared with that of the credentials, to which other objects do not exist. */

/** Returns the account that the ids of a state name: its own id, its KRN, or those of its parents. */
function accountIn({ parents = [] }: Resource, { id, values }: ResourceState): string | undefined {
  const ids = [id, values.krn, ...parents.map((parent) => values[parent])];
  return ids.map((text) => (typeof text === "string" ? accountOf(text) : undefined)).find(Boolean);
}

/** Returns the account of a state: that of its ids, else the recorded one. */
const accountOfState = (resource: Resource, state: ResourceState): string | undefined =>
  accountIn(resource, state) ?? state.account;

/** Returns a new state with the account of the credentials, if that is known and the ids name none. */
export function withAccount({ resource, session }: Operation, state: ResourceState): ResourceState {
  const isNamed = resource.stateOnly === true || accountIn(resource, state) !== undefined;
  const account = isNamed ? undefined : session.owner.account();
  return account === undefined ? state : { ...state, account };
}

/** Returns the operation with errors whose new states have the account of the credentials. */
export const recordingAccount = (operation: Operation): Operation => ({
  ...operation,
  failed: (step, existence, remedies, state, cause) =>
    operation.failed(step, existence, remedies, state && withAccount(operation, state), cause),
});

/** Records the account of a state that is read or deleted: some states name none. */
export function noteAccount({ resource, session }: Operation, state: ResourceState): void {
  const account = accountOfState(resource, state);
  if (account !== undefined) session.stateAccounts.add(account);
}

/**
 * Throws unless the credentials are known to be of the account of the state: the API shows nothing of another account,
 * so that its answers prove no object gone.
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

/** Throws if the credentials are known to be of another account than the state; `why` starts the reason. */
export function refuseOtherAccount(
  operation: Operation,
  state: ResourceState,
  why = "the API does not show it",
): void {
  const { resource, session } = operation;
  const own = accountOfState(resource, state);
  const named = own === undefined ? [...session.stateAccounts] : [own];
  const account = session.owner.account();
  const others = named.filter((each) => each !== account).join(", ");
  if (account === undefined || others === "") return;
  const whose = own === undefined ? "other objects in the state belong" : "the object belongs";
  throw operation.failed(
    `${why}: the credentials belong to account ${account}, ${whose} to account ${others}`,
    unknown,
    [
      { code: "use-account", account: others },
      { code: "leave-unmanaged", resource: resource.name },
    ],
  );
}
