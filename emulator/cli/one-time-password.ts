import { basename, resolve } from "node:path";

/** Global object of Bun, which is the runtime in the single executable of a release. */
const { Bun: runtime } = globalThis as { Bun?: { readonly isStandaloneExecutable?: boolean } };

/**
 * Returns a shell command that prints a new password of the emulator at a URL. The single executable cannot run other scripts,
 * so there the command starts the executable itself.
 */
export function otpCommand(url: string): string {
  if (runtime?.isStandaloneExecutable !== true)
    return `"${process.execPath}" -e "fetch('${url}/_emulator/otp', { method: 'POST' }).then(async (answer) => console.log(await answer.text()))"`;
  const { argv0 } = process;
  return `"${basename(argv0) === argv0 ? argv0 : resolve(argv0)}" emulator --otp "${url}"`;
}

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
