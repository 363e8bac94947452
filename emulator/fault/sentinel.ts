import { Refusal } from "../http/wire.ts";

/**
 * Failures selected by an object's name: a create of a name that ends in `-error-503` is rejected with that status (400
 * to 599); a name that ends in `-fails` is accepted and its creation fails. In a batch the last instance fails.
 */
export function refuseByName(name: string): void {
  const status = /-error-([45]\d\d)$/.exec(name)?.[1];
  if (status !== undefined) throw new Refusal(Number(status), `refused because of the name ${name}`);
}

/**
 * Returns the reason why a delete of an object of this name fails after it was accepted; undefined when it succeeds. Used for
 * volumes only.
 */
export function deleteFailureByName(name: string): string | undefined {
  return name.endsWith("-undeletable") ? `not deleted because of the name ${name}` : undefined;
}

/** Returns the reason why the creation of an object of this name fails; undefined when it succeeds. */
export function failureByName(name: string): string | undefined {
  return name.endsWith("-fails") ? `failed because of the name ${name}` : undefined;
}
