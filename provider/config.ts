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
    field: field(z.optional(z.string()), "API key, without the word Bearer.", { secret: true }),
  },
  region: {
    environment: "SERVICE_REGION",
    field: field(z.optional(z.string()), "Region of whatever names none, such as In-Bangalore-1."),
  },
  accountId: {
    environment: "SERVICE_ACCOUNT_ID",
    field: field(z.optional(z.string()), "Account that object storage is asked for."),
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

/** Settings as the core uses them. */
export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly region: string | undefined;
  readonly accountId: string | undefined;
  readonly adoptExisting: boolean;
  readonly maxRequestsPerSecond: number;
  readonly settleSeconds: number;
}

/** Fills what is not given from the environment. */
export function withEnvironment(given: Given, environment: NodeJS.ProcessEnv): Given {
  const filled: { -readonly [K in SettingName]?: string | number | boolean } = {};
  for (const name of settingNames) {
    const value = given[name] ?? environment[environmentOf(name)];
    if (value !== undefined && value !== "") filled[name] = value;
  }
  return filled;
}

const emulatorHint = "To try it without an account, run your command under `kcloud emulator -- …`.";

const missing = (name: SettingName, what: string): Problem => ({
  path: [name],
  problem: `${what} is missing: set ${snakeCase(name)} or ${environmentOf(name)}. ${emulatorHint}`,
});

const wholeNumber = (value: string): string | undefined =>
  /^\d{1,9}$/.test(value) ? undefined : "must be a whole number, 0 or more";

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
  // It travels as a header of nearly every request (contract 1.3).
  region: (value) => (/[^\x21-\x7e]/.test(value) ? "is not a region such as In-Bangalore-1" : undefined),
  adoptExisting: (value) => (/^(true|false)$/.test(value) ? undefined : "must be true or false"),
  maxRequestsPerSecond: wholeNumber,
  settleSeconds: wholeNumber,
};

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

/** Problems of settings that are given; asks for none that is missing, so it also serves a half-known block. */
export function checkSettings(given: Given): Problem[] {
  return settingNames.flatMap((name): Problem[] => {
    const value = given[name];
    const problem = value === undefined ? undefined : rules[name]?.(String(value));
    return problem === undefined ? [] : [{ path: [name], problem }];
  });
}

/** The settings to work with. Throws `ConfigError` with every problem there is. */
export function settled(given: Given): Settings {
  const problems = checkSettings(given);
  if (given.baseUrl === undefined) problems.push(missing("baseUrl", "the address of the cloud's API"));
  if (given.apiKey === undefined) problems.push(missing("apiKey", "the API key"));
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    baseUrl: new URL(String(given.baseUrl)).href.replace(/\/+$/, ""),
    apiKey: String(given.apiKey),
    region: given.region === undefined ? undefined : String(given.region),
    accountId: given.accountId === undefined ? undefined : String(given.accountId),
    adoptExisting: String(given.adoptExisting) === "true",
    maxRequestsPerSecond: Number(given.maxRequestsPerSecond ?? 10),
    settleSeconds: Number(given.settleSeconds ?? 120),
  };
}
