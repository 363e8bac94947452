import { ConfigError, type Problem } from "../core/error.ts";
import { attribute, type Text, wording } from "../core/wording.ts";
import { isLocked, lockProblem, lockRefusal, lockVariable } from "../platform/address-lock.ts";
import { environmentOf, type Given, type Prefix, type SettingName } from "./setting.ts";

/** Effects of a lock on one address (`KCLOUD_ONLY`) on the settings. Without a lock, all functions change nothing. */

/** Settings that belong to one address: credentials, one-time passwords, and the command that prints them. */
const boundNames: ReadonlySet<string> = new Set<keyof Given>([
  "apiKey",
  "email",
  "password",
  "accountUser",
  "accessKey",
  "secretKey",
  "otpCommand",
  "oneTimePassword",
]);

/** Returns the settings of a place; under a lock, those in `boundNames` only if the place has an address too. */
export const boundToAddress = (settings: Given, environment: NodeJS.ProcessEnv): Given =>
  settings.baseUrl !== undefined || !isLocked(environment)
    ? settings
    : Object.fromEntries(Object.entries(settings).filter(([name]) => !boundNames.has(name)));

/**
 * Environment variable that `kcloud rehearse` sets to `true`: under a lock, the address, credentials and profile of a configuration
 * are ignored in favor of those of the environment, as a program or a state may contain those of the real cloud.
 */
export const replacedVariable = "KCLOUD_ONLY_ENVIRONMENT";

/** Settings that belong to one cloud: those of one address, and those that lead to an address. */
export const cloudNames = [
  "baseUrl",
  "apiKey",
  "email",
  "password",
  "accountUser",
  "customerId",
  "accessKey",
  "secretKey",
  "otpCommand",
  "profile",
  "profileFile",
  "caCertFile",
] as const satisfies readonly SettingName[];

/** Returns the settings of a configuration, without those that the environment replaces. */
export const withoutReplaced = (configured: Given, environment: NodeJS.ProcessEnv): Given =>
  isLocked(environment) && environment[replacedVariable] === "true"
    ? Object.fromEntries(
        Object.entries(configured).filter(([name]) => !cloudNames.some((replaced) => replaced === name)),
      )
    : configured;

/** Place of settings: the configuration, the environment with a prefix, or the profile. */
export interface Place {
  readonly settings: Given;
  readonly from: "configuration" | Prefix | "profile";
}

/**
 * Throws `ConfigError` if the lock is invalid, or does not allow the address of the first place that has one or an address
 * in the command of the first place that has one. The places are in the order of their precedence.
 */
export function checkLock(places: readonly Place[], environment: NodeJS.ProcessEnv): void {
  const invalid = lockProblem(environment);
  if (invalid !== undefined) throw new ConfigError([{ path: [], problem: invalid }]);
  for (const name of ["baseUrl", "otpCommand"] as const) {
    const place = places.find(({ settings }) => settings[name] !== undefined);
    const refusal = addressesIn(String(place?.settings[name]))
      .map((address) => lockRefusal(address, environment))
      .find((reason) => reason !== undefined);
    if (place !== undefined && refusal !== undefined)
      throw new ConfigError([problemIn(place, name, refusal)]);
  }
}

/** Returns the HTTP addresses that a text contains. A shell ends an address at a quote or an operator. */
const addressesIn = (text: string): URL[] =>
  (text.match(/https?:\/\/[^\s'"`;|&()<>]+/gi) ?? [])
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address));

function problemIn({ from }: Place, name: SettingName, refusal: string): Problem {
  const remedy = (what: Text) =>
    wording`remove ${what}, or unset ${lockVariable}, which kcloud emulator -- COMMAND sets`;
  if (from === "configuration") return { path: [name], problem: wording`${refusal}; ${remedy("it")}` };
  const written = from === "profile" ? attribute(name) : environmentOf(name, from);
  const path = from === "profile" ? ["profile"] : [];
  return { path, problem: wording`${written}: ${refusal}; ${remedy(written)}` };
}

/** Returns the problem of credentials that no place has together with the address of the lock. */
export const unboundCredentials = (address: Given["baseUrl"]): Problem => ({
  path: ["apiKey"],
  problem: wording`is missing for ${String(address)}: under ${lockVariable}, credentials are used only from a place that has the address too; set ${attribute("apiKey")} together with ${attribute("baseUrl")}, or ${environmentOf("apiKey")} together with ${environmentOf("baseUrl")}`,
});
