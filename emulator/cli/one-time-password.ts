/** Command `kcloud emulator --otp`. */

/** Error for the address of another emulator than the one that the environment allows. */
export class WrongAddressError extends Error {}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

/**
 * Returns a new password of the emulator at a URL. Throws an error with the reason if there is none, and
 * `WrongAddressError` without a request if `only`, the address in `KCLOUD_ONLY`, is another one.
 */
export async function fetchPassword(url: string, only = process.env.KCLOUD_ONLY): Promise<string> {
  if (only !== undefined && (originOf(only) === undefined || originOf(only) !== originOf(url)))
    throw new WrongAddressError(`${url} is not allowed: KCLOUD_ONLY allows only ${JSON.stringify(only)}`);
  const response = await fetch(new URL("/_emulator/otp", url), { method: "POST" }).catch(() => undefined);
  if (response?.ok !== true) throw new Error(`no emulator answers at ${url}`);
  return response.text();
}
