import { basename, resolve } from "node:path";
import { defaultApiKey } from "./auth/auth.ts";
import type { Settings } from "./settings/setting.ts";

/** Settings with which a provider uses an emulator. */

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

/** Returns the environment variables with which a provider uses an emulator, in place of those of a real cloud. */
export function accessTo(
  url: string,
  { account, email, password, accessKey, secretKey }: Settings,
  { signIn = false, region }: { readonly signIn?: boolean; readonly region: string },
): Readonly<Record<string, string>> {
  const credential = signIn
    ? { SERVICE_EMAIL: email, SERVICE_PASSWORD: password }
    : { SERVICE_API_KEY: defaultApiKey };
  return {
    SERVICE_BASE_URL: url,
    ...credential,
    SERVICE_REGION: region,
    SERVICE_ACCOUNT_ID: account,
    SERVICE_ACCESS_KEY: accessKey,
    SERVICE_SECRET_KEY: secretKey,
    SERVICE_OTP_COMMAND: otpCommand(url),
  };
}
