/**
 * Lock of a process on one address: with the environment variable `KCLOUD_ONLY=ADDRESS`, the process connects to no other
 * address, whatever names it (docs/reliability.md#6.1). `kcloud emulator -- COMMAND` sets the variable.
 */

/** Environment variable of the lock. An empty one is invalid: it may come from a variable that was not set. */
export const lockVariable = "KCLOUD_ONLY";

/** Returns the address of the lock; undefined if the variable is not an HTTP address without user, query and fragment. */
function lockedAddress(text: string): URL | undefined {
  const url = URL.canParse(text) && !/\s/.test(text) ? new URL(text) : undefined;
  const isAddress = url !== undefined && /^https?:$/.test(url.protocol);
  return isAddress && url.username + url.password + url.search + url.hash === "" ? url : undefined;
}

/** Returns the path with one slash at the end. */
const folderOf = ({ pathname }: URL): string => `${pathname.replace(/\/+$/, "")}/`;

/** Returns an address as scheme, host and port, without its user name, password, path and query. */
export const originOf = ({ protocol, host }: URL): string => `${protocol}//${host}`;

/** Returns true if the environment has a lock, valid or not. */
export const isLocked = (environment: NodeJS.ProcessEnv): boolean => environment[lockVariable] !== undefined;

/** Returns the problem of the lock itself, as a sentence about its variable; undefined for a valid lock or none. */
export function lockProblem(environment: NodeJS.ProcessEnv): string | undefined {
  const text = environment[lockVariable];
  if (text === undefined || lockedAddress(text) !== undefined) return undefined;
  return `${lockVariable} ${text === "" ? "is empty" : "is not an address"}: set it to the only address that may be used, such as https://cloud.example, or unset it`;
}

/**
 * Returns the reason why the lock does not allow the address; undefined if it does, or if there is none. Two addresses are
 * equal if scheme, host and port are; an address below the path of the lock is allowed too.
 */
export function lockRefusal(address: URL, environment: NodeJS.ProcessEnv): string | undefined {
  const text = environment[lockVariable];
  if (text === undefined) return undefined;
  const only = lockedAddress(text);
  if (only === undefined) return lockProblem(environment);
  if (originOf(only) === originOf(address) && folderOf(address).startsWith(folderOf(only))) return undefined;
  const path = folderOf(only) === "/" ? "" : only.pathname;
  return `${originOf(address)} is not allowed: ${lockVariable} allows only ${originOf(only)}${path}`;
}
