import { Refusal } from "../http/wire.ts";

/**
 * Failures by name, so that they also work by hand: an object whose name ends in `-error-503` is refused with that
 * status (400 to 599), and one whose name ends in `-fails` is accepted and fails while it is being made;
 * of a batch it is the last machine that fails.
 */
export function refuseByName(name: string): void {
  const status = /-error-([45]\d\d)$/.exec(name)?.[1];
  if (status !== undefined) throw new Refusal(Number(status), `refused because of the name ${name}`);
}

/** Why the making of an object of this name fails; undefined when it does not. */
export function failureByName(name: string): string | undefined {
  return name.endsWith("-fails") ? `failed because of the name ${name}` : undefined;
}
