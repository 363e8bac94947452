import { ConfigError, type Problem } from "../core/error.ts";
import { spellRegion } from "../core/krn.ts";
import { attribute, type Text, wording } from "../core/wording.ts";
import type { Switches } from "../definition/api.ts";
import type { Login } from "../definition/function.ts";
import { readCertificates } from "./ca-certificate.ts";
import { boundToAddress, checkLock, unboundCredentials, withoutReplaced } from "./lock.ts";
import { readProfile } from "./profile.ts";
import {
  checkSettings,
  environmentOf,
  type Given,
  type Prefix,
  prefixes,
  type SettingName,
  settingNames,
  tagsOf,
} from "./setting.ts";

export { cloudNames, replacedVariable } from "./lock.ts";
export {
  checkSettings,
  environmentOf,
  type Given,
  missingProblem,
  passwordProblem,
  prefixes,
  providerAbout,
  type SettingName,
  settingFields,
  settingNames,
  variablesOf,
} from "./setting.ts";

/** Credentials of the client: an API key, or a login with email and password. */
export type Identity = { readonly apiKey: string } | Login;

/** Validated settings with their defaults, in the types of the core. */
export interface Settings {
  readonly baseUrl: string;
  readonly identity: Identity;
  readonly region: string | undefined;
  readonly accountId: string | undefined;
  readonly customerId: string | undefined;
  readonly adoptExisting: boolean;
  readonly maxRequestsPerSecond: number;
  readonly settleSeconds: number;
  /** Key pair of the object storage for reading and writing objects. */
  readonly objectKeys: { readonly accessKey: string; readonly secretKey: string } | undefined;
  /** One-time password of `SERVICE_OTP` or `KCLOUD_OTP`, used for the first delete that requires one. */
  readonly oneTimePassword: string | undefined;
  readonly otpCommand: string | undefined;
  readonly otpRequired: boolean;
  /** Tags of every resource that supports tags. The resource's own tags take precedence. */
  readonly defaultTags: { readonly [key: string]: string };
  /** User of the inference service (docs/contract.md#12). */
  readonly user: string | undefined;
  /** Certificates (PEM) trusted in addition to the default ones. */
  readonly certificates: string | undefined;
  readonly switches: Switches;
}

const signInNames = ["email", "password", "accountUser"] as const satisfies readonly SettingName[];
const credentialNames = ["apiKey", "email", "password"] as const satisfies readonly SettingName[];

const pairNames = ["accessKey", "secretKey"] as const satisfies readonly SettingName[];

/** Settings from the environment variables with one prefix. */
interface Variables {
  readonly prefix: Prefix;
  readonly settings: Given;
}

/** Returns the settings from the environment, by prefix. An empty variable counts as not set. */
const fromEnvironment = (environment: NodeJS.ProcessEnv): Variables[] =>
  prefixes.map((prefix) => ({
    prefix,
    settings: {
      ...Object.fromEntries(
        settingNames.map((name) => [name, environment[environmentOf(name, prefix)] || undefined]),
      ),
      oneTimePassword: environment[`${prefix}OTP`] || undefined,
    },
  }));

const has = (settings: Given, names: readonly SettingName[]): boolean =>
  names.some((name) => settings[name] !== undefined);

/**
 * Returns the settings; missing ones come from the environment, then from a profile.
 *
 * - In the environment, `SERVICE_*` variables take precedence over `KCLOUD_*` variables, setting by setting.
 * - All parts of a credential come from one source, so that a password is never combined with the email of another account
 *   (docs/reliability.md#6.1). The same holds for the key pair of the object storage. The variables of each prefix are a
 *   separate source.
 * - In the environment, which other programs read too, the API key takes precedence over a login.
 * - Credentials, one-time passwords and `otp_command` of an environment or a profile with a `base_url` are used only for
 *   that address.
 * - The one-time password comes only from the environment.
 * - Under a lock (`KCLOUD_ONLY`), credentials, one-time passwords and `otp_command` are used only from a place that has the
 *   address too. `KCLOUD_ONLY_ENVIRONMENT` makes the environment the only such place.
 *
 * Throws `ConfigError` for an invalid profile or variable, for one credential in the variables of both prefixes, for an
 * address that the lock does not allow, and if the only credentials are those of an environment with another address.
 */
export function gatherSettings(configuration: Given, environment: NodeJS.ProcessEnv): Given {
  const configured = withoutReplaced(configuration, environment);
  const found = fromEnvironment(environment);
  const selection = Object.assign({}, ...found.map(({ settings }) => present(settings)).reverse());
  const stored = readProfile({ ...selection, ...present(configured) }, environment);
  const bound = (settings: Given) => boundToAddress(settings, environment);
  const [written, profile] = [bound(configured), bound(stored)];
  const variables = found.map(({ prefix, settings }) => ({ prefix, settings: bound(settings) }));
  const [service = {}, kcloud = {}] = variables.map(({ settings }) => settings);
  checkLock(
    [
      { from: "configuration", settings: written },
      ...variables.map(({ prefix, settings }) => ({ from: prefix, settings })),
      { from: "profile", settings: profile },
    ],
    environment,
  );
  const places = [written, service, kcloud, profile];
  const address = places.find(({ baseUrl }) => baseUrl !== undefined)?.baseUrl;
  const trusted = places.filter((place) => place === written || isAt(place, address));
  const firstWithAny = (names: readonly SettingName[]) => trusted.find((place) => has(place, names)) ?? {};
  const credentials = firstWithAny(credentialNames);
  const isTrusted = ({ settings }: Variables) => trusted.includes(settings);
  const away = variables.find((one) => !isTrusted(one) && has(one.settings, credentialNames));
  if (away !== undefined && !has(credentials, credentialNames))
    throw new ConfigError([{ path: ["apiKey"], problem: elsewhere(address, away) }]);
  const lacksAddress = [configured, stored, ...found.map(({ settings }) => settings)].some(
    (settings) => has(settings, credentialNames) && !has(bound(settings), credentialNames),
  );
  if (lacksAddress && address !== undefined && !has(credentials, credentialNames))
    throw new ConfigError([unboundCredentials(address)]);
  const pair = firstWithAny(pairNames);
  const keyed = credentials !== written && credentials.apiKey !== undefined;
  const near = variables.filter(isTrusted);
  const mixed = [
    ...(keyed ? [] : mixedPrefixes(signInNames, credentials, near)),
    ...mixedPrefixes(pairNames, pair, near),
  ];
  if (mixed.length > 0) throw new ConfigError(mixed);
  const placeOf = (name: SettingName) => {
    if (isOf(name, signInNames)) return keyed ? undefined : credentials;
    if (name === "apiKey") return credentials;
    if (isOf(name, pairNames)) return pair;
    return (name === "otpCommand" ? trusted : places).find((place) => place[name] !== undefined);
  };
  const filled: { -readonly [K in SettingName]?: string | number | boolean } = {};
  for (const name of settingNames) {
    const value = written[name] ?? placeOf(name)?.[name];
    if (value !== undefined && value !== "") filled[name] = value;
  }
  const wrong = variables.flatMap((one) => wrongVariables(one, filled, written));
  if (wrong.length > 0) throw new ConfigError(wrong);
  const source = near.find(({ settings }) => settings.oneTimePassword !== undefined);
  if (source === undefined) return { ...filled, oneTimePassword: undefined };
  const oneTimePasswordVariable = `${source.prefix}OTP`;
  return { ...filled, oneTimePassword: source.settings.oneTimePassword, oneTimePasswordVariable };
}

/** Returns a problem, with the name of the variable, for each variable with an invalid value whose setting is used. */
function wrongVariables({ prefix, settings }: Variables, used: Given, written: Given): Problem[] {
  const effective = settingNames.filter(
    (name) => settings[name] !== undefined && settings[name] === used[name],
  );
  const values = Object.fromEntries(effective.map((name) => [name, settings[name]]));
  return checkSettings(values)
    .filter(({ path: [name] }) => written[name as SettingName] === undefined)
    .map(({ path: [name], problem }) => ({
      path: [],
      problem: wording`${environmentOf(name as SettingName, prefix)} ${problem}`,
    }));
}

/**
 * Returns a problem for each part of a credential that is missing in its source and set in the variables with the other
 * prefix.
 */
function mixedPrefixes(
  names: readonly SettingName[],
  place: Given,
  variables: readonly Variables[],
): Problem[] {
  const source = variables.find(({ settings }) => settings === place);
  const other = variables.find(({ settings }) => settings !== place);
  const known = names.find((name) => place[name] !== undefined);
  if (source === undefined || other === undefined || known === undefined) return [];
  return names
    .filter((name) => place[name] === undefined && other.settings[name] !== undefined)
    .map((name) => ({
      path: [name],
      problem: `the parts of one credential must have the same prefix, but ${environmentOf(name, other.prefix)} and ${environmentOf(known, source.prefix)} are set`,
    }));
}

const elsewhere = (address: Given["baseUrl"], { prefix, settings }: Variables): Text => {
  const variable = environmentOf("baseUrl", prefix);
  return wording`is missing for ${String(address)}: the credentials in the environment are used only with its own ${variable} (${String(settings.baseUrl)}); set ${attribute("apiKey")} together with ${attribute("baseUrl")}, or unset ${variable}`;
};

const present = (settings: Given): Given =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

const isOf = (name: SettingName, names: readonly SettingName[]): boolean => names.includes(name);

const isAt = ({ baseUrl }: Given, address: Given["baseUrl"]): boolean =>
  baseUrl === undefined || addressOf(baseUrl) === addressOf(address);

/** Returns an address in normalized form for comparison; a text that is not a URL loses only its trailing slashes. */
const addressOf = (address: Given["baseUrl"]): string =>
  (URL.canParse(String(address)) ? new URL(String(address)).href : String(address)).replace(/\/+$/, "");

const emulatorHint = "To try it without an account, run your command under `kcloud emulator -- …`.";

const setIt = (name: SettingName): Text => wording`set ${attribute(name)} or ${environmentOf(name)}`;

const missingSetting = (name: SettingName, problem: Text): Problem => ({
  title: wording`Missing ${attribute(name)}`,
  path: [name],
  problem,
});

/** Returns a problem for each required setting that is missing. */
function missing(settings: Given): Problem[] {
  const address = wording`the address of the API is missing: ${setIt("baseUrl")}. ${emulatorHint}`;
  return [
    ...(settings.baseUrl === undefined ? [missingSetting("baseUrl", address)] : []),
    ...(settings.apiKey === undefined ? missingLogin(settings) : []),
    ...pairNames
      .filter((name) => settings[name] === undefined && has(settings, pairNames))
      .map((name) =>
        missingSetting(name, wording`is missing, but the other value of the pair is set: ${setIt(name)}`),
      ),
  ];
}

const bothPlaces = "set both in one place, as email and password or as SERVICE_EMAIL and SERVICE_PASSWORD";

/**
 * Returns the problems of an incomplete login. If neither email nor password is set, the API key is reported as
 * missing.
 */
function missingLogin({ email, password, accountUser, accountId }: Given): Problem[] {
  if (email === undefined && password === undefined) {
    const signIn = "Or sign in: set email and password, or SERVICE_EMAIL and SERVICE_PASSWORD.";
    return [
      missingSetting(
        "apiKey",
        wording`the API key is missing: ${setIt("apiKey")}. ${signIn} ${emulatorHint}`,
      ),
    ];
  }
  if (email === undefined)
    return [missingSetting("email", `the email is missing, but the password is set: ${bothPlaces}`)];
  if (password === undefined)
    return [missingSetting("password", `the password is missing, but the email is set: ${bothPlaces}`)];
  if (!isTrue(accountUser) || accountId !== undefined) return [];
  return [
    missingSetting(
      "accountId",
      wording`the account of the user that signs in is missing: ${setIt("accountId")}`,
    ),
  ];
}

const isFalse = (value: Given[SettingName]): boolean => String(value) === "false";
const isTrue = (value: Given[SettingName]): boolean => String(value) === "true";

/**
 * Returns the validated settings with their defaults. Throws `ConfigError` with all problems; a certificate file that
 * cannot be used is reported only if there is no other problem.
 */
export function resolveSettings(settings: Given): Settings {
  const problems = [...checkSettings(settings), ...missing(settings)];
  if (problems.length > 0) throw new ConfigError(problems);
  const text = (name: SettingName) => (settings[name] === undefined ? undefined : String(settings[name]));
  return {
    baseUrl: addressOf(settings.baseUrl),
    identity: identityOf(settings),
    region: settings.region === undefined ? undefined : spellRegion(String(settings.region)),
    accountId: text("accountId"),
    customerId: text("customerId"),
    adoptExisting: isTrue(settings.adoptExisting),
    maxRequestsPerSecond: Number(settings.maxRequestsPerSecond ?? 10),
    settleSeconds: Number(settings.settleSeconds ?? 120),
    objectKeys:
      settings.accessKey === undefined || settings.secretKey === undefined
        ? undefined
        : { accessKey: String(settings.accessKey), secretKey: String(settings.secretKey) },
    oneTimePassword: settings.oneTimePassword,
    otpCommand: text("otpCommand"),
    otpRequired: !isFalse(settings.otpRequired),
    user: text("user"),
    defaultTags: tagsOf(text("defaultTags") ?? "{}") ?? {},
    certificates:
      settings.caCertFile === undefined ? undefined : readCertificates(String(settings.caCertFile)),
    switches: {
      floatingIpAttachOrder:
        settings.floatingIpAttachOrder === "target-first" ? "target-first" : "holder-first",
      ipVersionForm: ipVersionForms.find((form) => form === settings.ipVersionForm) ?? "mixed",
      userDataAsWritten: isTrue(settings.userDataAsWritten),
      podReadPath: text("podReadPath") ?? "/v1/kpod/pod/{pod}",
      inferencePathPrefix: text("inferencePathPrefix") ?? "",
    },
  };
}

const ipVersionForms = ["mixed", "string", "integer"] as const;

const identityOf = ({ apiKey, email, password, accountUser, accountId }: Given): Identity =>
  apiKey !== undefined
    ? { apiKey: String(apiKey) }
    : {
        email: String(email),
        password: String(password),
        account: isTrue(accountUser) ? String(accountId) : undefined,
      };
