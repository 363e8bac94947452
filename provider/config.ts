import * as z from "zod/mini";
import { type Field, field } from "./define.ts";
import { ConfigError, type Problem } from "./errors.ts";
import { snakeCase } from "./names.ts";

/**
 * The provider's settings: field, environment variable, secret or not, default, sentence. The schema of every
 * face, the reading of the environment and the documentation come from this one table.
 */
const settings = {
  baseUrl: {
    environment: "SERVICE_BASE_URL",
    field: field(z.optional(z.string()), "Address of the cloud's API: https, or http to a loopback address."),
  },
  apiKey: {
    environment: "SERVICE_API_KEY",
    field: field(
      z.optional(z.string()),
      "API key, without the word Bearer. Beside email or password it is an error; in the environment it wins over them.",
      { secret: true },
    ),
  },
  email: {
    environment: "SERVICE_EMAIL",
    field: field(
      z.optional(z.string()),
      "Email to sign in with, where there is no API key. Both email and password are written, or both in the environment.",
    ),
  },
  password: {
    environment: "SERVICE_PASSWORD",
    field: field(z.optional(z.string()), "Password to sign in with.", { secret: true }),
  },
  accountUser: {
    environment: "SERVICE_ACCOUNT_USER",
    field: field(
      z.optional(z.boolean()),
      "Sign in as a user of the account account_id, not as its root user. Without meaning for an API key.",
    ),
  },
  region: {
    environment: "SERVICE_REGION",
    field: field(z.optional(z.string()), "Region of whatever names none, such as In-Bangalore-1."),
  },
  accountId: {
    environment: "SERVICE_ACCOUNT_ID",
    field: field(
      z.optional(z.string()),
      "Account that object storage is asked for, and whose user signs in with account_user.",
    ),
  },
  customerId: {
    environment: "SERVICE_CUSTOMER_ID",
    field: field(
      z.optional(z.string()),
      "Customer that SSH keys are asked for, as a UUID: the fifth part of any full KRN, where it is found if left out.",
    ),
  },
  adoptExisting: {
    environment: "SERVICE_ADOPT_EXISTING",
    field: field(
      z.optional(z.boolean()),
      "Take over an existing object of the same name and settings instead of stopping with its import command.",
    ),
  },
  maxRequestsPerSecond: {
    environment: "SERVICE_MAX_REQUESTS_PER_SECOND",
    field: field(
      z.optional(z.number().check(z.int(), z.minimum(0))),
      "Requests per second, on average: after a pause twice as many leave at once; 0 sets no limit. Default: 10.",
    ),
  },
  settleSeconds: {
    environment: "SERVICE_SETTLE_SECONDS",
    field: field(
      z.optional(z.number().check(z.int(), z.minimum(0))),
      "How long to search for an object whose create was not clearly answered. Default: 120.",
    ),
  },
} as const;

/** The name of a setting in the core: `baseUrl`. */
export type SettingName = keyof typeof settings;
/** Every setting, in the order of the documentation. */
export const settingNames = Object.keys(settings) as SettingName[];
/** The environment variable that stands in for a setting. */
export const environmentOf = (name: SettingName): string => settings[name].environment;

/** The settings as fields, for the schema of each face. */
export const settingFields: { readonly [name: string]: Field } = Object.fromEntries(
  settingNames.map((name) => [name, settings[name].field]),
);

/** Settings as a face hands them over: what the user wrote, nothing filled in. */
export type Given = { readonly [K in SettingName]?: string | number | boolean | undefined };

/** Who signs in: the root user, or a user of the account. */
export interface Login {
  readonly email: string;
  readonly password: string;
  readonly account: string | undefined;
}

/** As whom the cloud is asked. */
export type Identity = { readonly apiKey: string } | Login;

/** Settings as the core uses them. */
export interface Settings {
  readonly baseUrl: string;
  readonly identity: Identity;
  readonly region: string | undefined;
  readonly accountId: string | undefined;
  readonly customerId: string | undefined;
  readonly adoptExisting: boolean;
  readonly maxRequestsPerSecond: number;
  readonly settleSeconds: number;
}

const signInNames = ["email", "password", "accountUser"] as const satisfies readonly SettingName[];
const credentialNames = ["apiKey", "email", "password"] as const satisfies readonly SettingName[];

/**
 * Fills what is not given from the environment. Credentials come from one place as a whole: a password never meets
 * the email of somebody else (reliability 6.1). In the environment, where other programs read too, the API key wins.
 */
export function withEnvironment(given: Given, environment: NodeJS.ProcessEnv): Given {
  const own = credentialNames.some((name) => given[name] !== undefined);
  const hasKey = own || Boolean(environment[environmentOf("apiKey")]);
  const untold = new Set<SettingName>([...(own ? credentialNames : []), ...(hasKey ? signInNames : [])]);
  const filled: { -readonly [K in SettingName]?: string | number | boolean } = {};
  for (const name of settingNames) {
    const value = given[name] ?? (untold.has(name) ? undefined : environment[environmentOf(name)]);
    if (value !== undefined && value !== "") filled[name] = value;
  }
  return filled;
}

const emulatorHint = "To try it without an account, run your command under `kcloud emulator -- …`.";

const setIt = (name: SettingName): string => `set ${snakeCase(name)} or ${environmentOf(name)}`;

const lacking = (name: SettingName, problem: string): Problem => ({ path: [name], problem });

/** What is not given and cannot be done without. */
function missing(given: Given): Problem[] {
  const address = `the address of the cloud's API is missing: ${setIt("baseUrl")}. ${emulatorHint}`;
  return [
    ...(given.baseUrl === undefined ? [lacking("baseUrl", address)] : []),
    ...(given.apiKey === undefined ? missingLogin(given) : []),
  ];
}

const bothPlaces = "set both in one place, as email and password or as SERVICE_EMAIL and SERVICE_PASSWORD";

/** What signing in lacks; the key, where nothing says that somebody wants to sign in. */
function missingLogin({ email, password, accountUser, accountId }: Given): Problem[] {
  if (email === undefined && password === undefined) {
    const signIn = "Or sign in: set email and password, or SERVICE_EMAIL and SERVICE_PASSWORD.";
    return [lacking("apiKey", `the API key is missing: ${setIt("apiKey")}. ${signIn} ${emulatorHint}`)];
  }
  if (email === undefined)
    return [lacking("email", `the email is missing beside the password: ${bothPlaces}`)];
  if (password === undefined)
    return [lacking("password", `the password is missing beside the email: ${bothPlaces}`)];
  if (!isTrue(accountUser) || accountId !== undefined) return [];
  return [lacking("accountId", `the account is missing whose user is to sign in: ${setIt("accountId")}`)];
}

const isTrue = (value: Given[SettingName]): boolean => String(value) === "true";

const wholeNumber = (value: string): string | undefined =>
  /^\d{1,9}$/.test(value) ? undefined : "must be a whole number, 0 or more";

const trueOrFalse = (value: string): string | undefined =>
  /^(true|false)$/.test(value) ? undefined : "must be true or false";

/** What is wrong with a setting's value, as far as it is known. One rule a setting, none of them sends anything. */
const rules: { readonly [K in SettingName]?: (value: string) => string | undefined } = {
  baseUrl: (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || /\s/.test(value)) return "is not an address such as https://cloud.example";
    if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
    if (url.search !== "" || url.hash !== "") return "must not hold a query or fragment";
    if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))) return undefined;
    return "must begin with https:// (http:// is taken for a loopback address only)";
  },
  apiKey: (value) => {
    if (/^bearer\s/i.test(value)) return "must be the bare key, without the word Bearer";
    if (/[\r\n]/.test(value)) return "holds a line break";
    return /[^\x21-\x7e]/.test(value) ? "holds a space or a character that no header can carry" : undefined;
  },
  email: (value) => (/^[^\s@]+@[^\s@]+$/.test(value) ? undefined : "is not an email address"),
  password: (value) => (value === "" ? "is empty" : /[\r\n]/.test(value) ? "holds a line break" : undefined),
  accountUser: trueOrFalse,
  // It travels as a header of nearly every request (contract 1.3).
  region: (value) => (/[^\x21-\x7e]/.test(value) ? "is not a region such as In-Bangalore-1" : undefined),
  customerId: (value) =>
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? undefined : "is not a UUID",
  adoptExisting: trueOrFalse,
  maxRequestsPerSecond: wholeNumber,
  settleSeconds: wholeNumber,
};

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

/** Problems of settings that are given; asks for none that is missing, so it also serves a half-known block. */
export function checkSettings(given: Given): Problem[] {
  const problems = settingNames.flatMap((name): Problem[] => {
    const value = given[name];
    const problem = value === undefined ? undefined : rules[name]?.(String(value));
    return problem === undefined ? [] : [{ path: [name], problem }];
  });
  const signsIn = given.email !== undefined || given.password !== undefined;
  if (given.apiKey !== undefined && signsIn)
    problems.push({ path: ["apiKey"], problem: "is set beside email or password: keep one of the two ways" });
  return problems;
}

/** The settings to work with. Throws `ConfigError` with every problem there is. */
export function settled(given: Given): Settings {
  const problems = [...checkSettings(given), ...missing(given)];
  if (problems.length > 0) throw new ConfigError(problems);
  const text = (name: SettingName) => (given[name] === undefined ? undefined : String(given[name]));
  return {
    baseUrl: new URL(String(given.baseUrl)).href.replace(/\/+$/, ""),
    identity: identityOf(given),
    region: text("region"),
    accountId: text("accountId"),
    customerId: text("customerId"),
    adoptExisting: isTrue(given.adoptExisting),
    maxRequestsPerSecond: Number(given.maxRequestsPerSecond ?? 10),
    settleSeconds: Number(given.settleSeconds ?? 120),
  };
}

const identityOf = ({ apiKey, email, password, accountUser, accountId }: Given): Identity =>
  apiKey !== undefined
    ? { apiKey: String(apiKey) }
    : {
        email: String(email),
        password: String(password),
        account: isTrue(accountUser) ? String(accountId) : undefined,
      };
