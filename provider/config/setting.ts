import * as z from "zod/mini";
import type { Problem } from "../core/error.ts";
import { isLoopback } from "../core/ip-address.ts";
import { attribute, attributeCode, wording } from "../core/wording.ts";
import { type Field, type FieldOptions, field } from "../definition/field.ts";

/**
 * Returns the problem of a one-time password as the end of a sentence, without the password; undefined if it is valid.
 */
export const passwordProblem = (text: string): string | undefined =>
  text === "" ? "is empty" : /\s/.test(text) ? "contains whitespace" : undefined;

/**
 * Rules for the values of settings. A rule returns the problem as the end of a sentence, or undefined.
 */

const wholeNumber = (value: string): string | undefined =>
  /^\d{1,9}$/.test(value) ? undefined : "must be a whole number, 0 or more";

const trueOrFalse = (value: string): string | undefined =>
  /^(true|false)$/.test(value) ? undefined : "must be true or false";

const oneOf =
  (...words: readonly string[]) =>
  (value: string): string | undefined =>
    words.includes(value) ? undefined : `must be ${words.join(" or ")}`;

const named = (value: string): string | undefined => (value === "" ? "is empty" : undefined);

const header = (value: string): string | undefined =>
  /[^\x21-\x7e]/.test(value) ? "contains a space or a character that is not allowed in a URL" : named(value);

/** Rule for each setting. A setting without a rule accepts any value. */
const rules: { readonly [K in SettingName]?: (value: string) => string | undefined } = {
  baseUrl: (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || /\s/.test(value)) return "is not an address such as https://cloud.example";
    if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
    if (url.search !== "" || url.hash !== "") return "must not contain a query or fragment";
    if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))) return undefined;
    return "must begin with https:// (http:// is accepted for a loopback address only)";
  },
  apiKey: (value) => {
    if (/^bearer\s/i.test(value)) return 'must be the raw API key, without the "Bearer " prefix';
    if (/[\r\n]/.test(value)) return "contains a line break";
    return /[^\x21-\x7e]/.test(value)
      ? "contains a space or a character that is not allowed in a header"
      : undefined;
  },
  email: (value) => (/^[^\s@]+@[^\s@]+$/.test(value) ? undefined : "is not an email address"),
  password: (value) => (/[\r\n]/.test(value) ? "contains a line break" : named(value)),
  accountUser: trueOrFalse,
  // Sent as a header of nearly every request (docs/contract.md#1.3).
  region: (value) => (/[^\x21-\x7e]/.test(value) ? "is not a region such as In-Bangalore-1" : undefined),
  customerId: (value) =>
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? undefined : "is not a UUID",
  accessKey: header,
  secretKey: (value) => (/[\r\n]/.test(value) ? "contains a line break" : named(value)),
  otpCommand: named,
  otpRequired: trueOrFalse,
  profile: named,
  profileFile: named,
  defaultTags: (value) => (tagsOf(value) === undefined ? "must be a map of strings" : undefined),
  caCertFile: named,
  adoptExisting: trueOrFalse,
  maxRequestsPerSecond: wholeNumber,
  settleSeconds: wholeNumber,
  floatingIpAttachOrder: oneOf("holder-first", "target-first"),
  ipVersionForm: oneOf("mixed", "string", "integer"),
  userDataAsWritten: trueOrFalse,
  podReadPath: (value) =>
    /^\/[\w./-]*\{pod\}[\w./-]*$/.test(value) && !value.includes("..")
      ? undefined
      : "must be a path such as /v1/kpod/pod/{pod}",
  user: (value) =>
    /[^\x21-\x7e]/.test(value)
      ? "contains a space or a character that is not allowed in a header"
      : undefined,
  inferencePathPrefix: (value) => (/^(\/[\w-]+)*$/.test(value) ? undefined : "must be a path such as /api"),
};

const tags = z.record(z.string(), z.string());

/**
 * Returns the tags in a JSON text, the format of the environment variable; undefined for any other text.
 */
export function tagsOf(text: string): { readonly [key: string]: string } | undefined {
  try {
    return tags.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Returns the problems of the given settings. Ignores missing settings, so that a provider block with unknown values can
 * be checked too.
 */
export function checkSettings(configured: Given): Problem[] {
  const problems = settingNames.flatMap((name): Problem[] => {
    const value = configured[name];
    const problem = value === undefined ? undefined : rules[name]?.(String(value));
    return problem === undefined ? [] : [{ path: [name], problem }];
  });
  const signsIn = configured.email !== undefined || configured.password !== undefined;
  if (configured.apiKey !== undefined && signsIn)
    problems.push({
      path: ["apiKey"],
      problem: "conflicts with email and password: set only one of the two",
    });
  const { oneTimePassword, oneTimePasswordVariable = "SERVICE_OTP" } = configured;
  const invalid = oneTimePassword === undefined ? undefined : passwordProblem(oneTimePassword);
  if (invalid !== undefined) problems.push({ path: [], problem: `${oneTimePasswordVariable} ${invalid}` });
  return problems;
}

/**
 * Settings of the provider, each with its environment variable and its field: schema, description with the default, and
 * options. The provider schemas of all adapters, the names in the environment and in profiles, and the documentation are
 * derived from this table.
 */
const settings = {
  baseUrl: {
    environment: "SERVICE_BASE_URL",
    field: field(
      z.optional(z.string()),
      "Base URL of the API, such as `https://cloud.example`. HTTP is accepted for a loopback address only.",
    ),
  },
  apiKey: {
    environment: "SERVICE_API_KEY",
    field: field(
      z.optional(z.string()),
      wording`API key, without the "Bearer " prefix. Conflicts with ${attributeCode("email")} and ${attributeCode("password")}; in the environment, the API key takes precedence.`,
      { secret: true },
    ),
  },
  email: {
    environment: "SERVICE_EMAIL",
    field: field(
      z.optional(z.string()),
      wording`Email of the user that signs in, instead of an API key. Must come from the same place as ${attributeCode("password")}.`,
    ),
  },
  password: {
    environment: "SERVICE_PASSWORD",
    field: field(
      z.optional(z.string()),
      wording`Password of the user that signs in. Requires ${attributeCode("email")}.`,
      {
        secret: true,
      },
    ),
  },
  accountUser: {
    environment: "SERVICE_ACCOUNT_USER",
    field: field(
      z.optional(z.boolean()),
      wording`If true, ${attributeCode("email")} and ${attributeCode("password")} belong to a user of the account ${attributeCode("accountId")}, not to the root user. Ignored with an API key. Default: \`false\`.`,
    ),
  },
  region: {
    environment: "SERVICE_REGION",
    field: field(z.optional(z.string()), "Default region, such as `In-Bangalore-1`."),
  },
  accountId: {
    environment: "SERVICE_ACCOUNT_ID",
    field: field(
      z.optional(z.string()),
      wording`ID of the account, for the object storage and for a sign-in with ${attributeCode("accountUser")}.`,
    ),
  },
  accessKey: {
    environment: "SERVICE_ACCESS_KEY",
    field: field(
      z.optional(z.string()),
      wording`ID of the access key with which objects are read and written. Requires ${attributeCode("secretKey")}.`,
    ),
  },
  secretKey: {
    environment: "SERVICE_SECRET_KEY",
    field: field(z.optional(z.string()), wording`Secret of ${attributeCode("accessKey")}.`, { secret: true }),
  },
  otpCommand: {
    environment: "SERVICE_OTP_COMMAND",
    field: field(
      z.optional(z.string()),
      "Shell command that prints a one-time password. It runs for each delete that requires one, after the password of `SERVICE_OTP` is used; `SERVICE_OTP_FOR` contains the deleted object.",
    ),
  },
  otpRequired: {
    environment: "SERVICE_OTP_REQUIRED",
    field: field(
      z.optional(z.boolean()),
      "If false, a delete that requires a one-time password is sent without one if none is available, instead of failing. Default: `true`.",
    ),
  },
  customerId: {
    environment: "SERVICE_CUSTOMER_ID",
    field: field(
      z.optional(z.string()),
      "ID of the customer that owns the SSH keys, a UUID. Default: the fifth part of a full KRN of the account.",
    ),
  },
  profile: {
    environment: "SERVICE_PROFILE",
    field: field(
      z.optional(z.string()),
      "Name of the profile that provides the settings that are set neither here nor in the environment. Default: `default`, if it exists.",
    ),
  },
  profileFile: {
    environment: "SERVICE_PROFILE_FILE",
    field: field(
      z.optional(z.string()),
      "Path of the JSON file with the profiles. Default: `kcloud/profiles.json` in the configuration folder of the user, such as `~/.config`.",
    ),
  },
  defaultTags: {
    environment: "SERVICE_DEFAULT_TAGS",
    field: field(
      z.optional(z.record(z.string(), z.string())),
      "Tags of all resources that support tags; the tags of a resource take precedence. If the API cannot change tags in place, only new objects get them.",
    ),
  },
  caCertFile: {
    environment: "SERVICE_CA_CERT_FILE",
    field: field(
      z.optional(z.string()),
      "Path of a PEM file with certificate authorities to trust in addition to the default ones.",
    ),
  },
  adoptExisting: {
    environment: "SERVICE_ADOPT_EXISTING",
    field: field(
      z.optional(z.boolean()),
      "If true, a create adopts an existing object of the same name and settings instead of failing. Default: `false`.",
    ),
  },
  maxRequestsPerSecond: {
    environment: "SERVICE_MAX_REQUESTS_PER_SECOND",
    field: field(
      z.optional(z.number().check(z.int(), z.minimum(0))),
      "Maximum average number of requests per second, with bursts of twice as many; `0` means no limit.",
      { usage: "Default: `10`." },
    ),
  },
  settleSeconds: {
    environment: "SERVICE_SETTLE_SECONDS",
    field: field(
      z.optional(z.number().check(z.int(), z.minimum(0))),
      "Seconds to search for an object after an ambiguous response to its create.",
      { usage: "Default: `120`." },
    ),
  },
  floatingIpAttachOrder: {
    environment: "SERVICE_FLOATING_IP_ATTACH_ORDER",
    field: field(
      z.optional(z.enum(["holder-first", "target-first"])),
      "Port that the API expects as `attach_port` when a floating IP moves: the current port or the new port.",
      { usage: "Default: `holder-first`, the current port." },
    ),
  },
  ipVersionForm: {
    environment: "SERVICE_IP_VERSION_FORM",
    field: field(
      z.optional(z.enum(["mixed", "string", "integer"])),
      "JSON type of IP versions in requests; `mixed` sends a string for a VPC and an integer for a subnet.",
      { usage: "Default: `mixed`." },
    ),
  },
  userDataAsWritten: {
    environment: "SERVICE_USER_DATA_AS_WRITTEN",
    field: field(
      z.optional(z.boolean()),
      "If true, user data is sent as configured instead of in Base64; a firewall of the API can reject it. Default: `false`.",
    ),
  },
  podReadPath: {
    environment: "SERVICE_POD_READ_PATH",
    field: field(
      z.optional(z.string()),
      "Path of the undocumented route that reads an AI pod. Default: `/v1/kpod/pod/{pod}`.",
    ),
  },
  user: {
    environment: "SERVICE_USER",
    field: field(
      z.optional(z.string()),
      "User of the inference service that owns inference tasks and checkpoints. Required for both.",
    ),
  },
  inferencePathPrefix: {
    environment: "SERVICE_INFERENCE_PATH_PREFIX",
    field: field(
      z.optional(z.string()),
      "Path prefix of the inference routes, before `/v1/inference`, such as `/api`. Default: none.",
    ),
  },
} as const;

/** Name of a setting in the core, such as `baseUrl`. */
export type SettingName = keyof typeof settings;

const storageKeys = wording`set ${attribute("accessKey")} and ${attribute("secretKey")}, or both in the environment (${settings.accessKey.environment}, ${settings.secretKey.environment})`;

/** Problems of settings that some requests need, by setting. */
export const missingProblem = {
  region: {
    path: ["region"],
    title: "Missing region",
    problem: `is required: set it here or in the provider (region or ${settings.region.environment})`,
  },
  user: {
    path: ["user"],
    title: "Missing user",
    problem: `is required for inference tasks and checkpoints: set user or ${settings.user.environment}`,
  },
  accountId: {
    path: ["accountId"],
    title: wording`Missing ${attribute("accountId")}`,
    problem: `is required for object storage: set it in the provider, or ${settings.accountId.environment}`,
  },
  objectKeys: {
    path: ["accessKey"],
    problem: wording`is missing: objects are read and written in a session of an access key; ${storageKeys}`,
  },
} as const satisfies Record<string, Problem>;

/** Names of all settings, in the order of the documentation. */
export const settingNames = Object.keys(settings) as SettingName[];

/**
 * Prefixes of the environment variables. A variable with the first prefix takes precedence over the one of the same
 * setting with the second.
 */
export const prefixes = ["SERVICE_", "KCLOUD_"] as const;

export type Prefix = (typeof prefixes)[number];

/** Returns the name of the environment variable of a setting. */
export const environmentOf = (name: SettingName, prefix: Prefix = "SERVICE_"): string =>
  settings[name].environment.replace(/^SERVICE_/, prefix);

/** Returns the names of all environment variables with this prefix that the provider reads. */
export const variablesOf = (prefix: Prefix): string[] => [
  ...settingNames.map((name) => environmentOf(name, prefix)),
  `${prefix}OTP`,
];

/** Description of the provider in the schema of each adapter. */
export const providerAbout =
  "Address of the API, credentials and defaults. Each setting can also come from its environment variable, whose prefix may be `KCLOUD_` instead of `SERVICE_`, or from a profile.";

/** Fields of the settings, for the provider schema of each adapter. Each description ends with the variable. */
export const settingFields: { readonly [name: string]: Field } = Object.fromEntries(
  settingNames.map((name) => {
    const { field, environment } = settings[name];
    const { options }: { readonly options: FieldOptions<unknown> } = field;
    const variable = `Environment variable: \`${environment}\`.`;
    const usage = options.usage === undefined ? variable : wording`${options.usage} ${variable}`;
    return [name, { ...field, options: { ...options, usage } }];
  }),
);

/**
 * Settings before validation, as configured and without defaults; a map is a JSON text. The one-time password is not in
 * `settings`, as it comes only from the environment, so that no file contains it.
 */
export type Given = { readonly [K in SettingName]?: string | number | boolean | undefined } & {
  readonly oneTimePassword?: string | undefined;
  /** Variable of the one-time password. Default: `SERVICE_OTP`. */
  readonly oneTimePasswordVariable?: string | undefined;
};
