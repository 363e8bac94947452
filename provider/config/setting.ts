import * as z from "zod/mini";
import type { Problem } from "../core/error.ts";
import { isLoopback } from "../core/ip-address.ts";
import { attribute } from "../core/wording.ts";
import { type Field, field } from "../definition/field.ts";

/**
 * Returns the problem of a one-time password as the end of a sentence that does not contain the password; undefined if
 * its form is valid.
 */
export const passwordProblem = (text: string): string | undefined =>
  text === "" ? "is empty" : /\s/.test(text) ? "is more than one word" : undefined;

/**
 * Rules for the values of settings. A rule returns the problem as the end of a sentence, or undefined; it sends
 * nothing.
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
  /[^\x21-\x7e]/.test(value) ? "holds a space or a character that no address can carry" : named(value);

/** Rule for each setting. A setting without a rule accepts any value. */
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
  password: (value) => (/[\r\n]/.test(value) ? "holds a line break" : named(value)),
  accountUser: trueOrFalse,
  // Sent as a header of nearly every request (docs/contract.md#1.3).
  region: (value) => (/[^\x21-\x7e]/.test(value) ? "is not a region such as In-Bangalore-1" : undefined),
  customerId: (value) =>
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? undefined : "is not a UUID",
  accessKey: header,
  secretKey: (value) => (/[\r\n]/.test(value) ? "holds a line break" : named(value)),
  otpCommand: named,
  otpRequired: trueOrFalse,
  profile: named,
  profileFile: named,
  defaultTags: (value) => (tagsOf(value) === undefined ? "must be a map of texts" : undefined),
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
    /[^\x21-\x7e]/.test(value) ? "holds a space or a character that no header can carry" : undefined,
  inferencePathPrefix: (value) => (/^(\/[\w-]+)*$/.test(value) ? undefined : "must be a path such as /api"),
};

const tags = z.record(z.string(), z.string());

/**
 * Returns the tags in a JSON text, the form in which one environment variable holds them; undefined for any other text.
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
 * Returns the problems of the settings that are given. Missing settings are not reported, so that a provider block with
 * unknown values can be checked too.
 */
export function checkSettings(given: Given): Problem[] {
  const problems = settingNames.flatMap((name): Problem[] => {
    const value = given[name];
    const problem = value === undefined ? undefined : rules[name]?.(String(value));
    return problem === undefined ? [] : [{ path: [name], problem }];
  });
  const signsIn = given.email !== undefined || given.password !== undefined;
  if (given.apiKey !== undefined && signsIn)
    problems.push({ path: ["apiKey"], problem: "is set beside email or password: keep one of the two ways" });
  const { oneTimePassword } = given;
  const unfit = oneTimePassword === undefined ? undefined : passwordProblem(oneTimePassword);
  if (unfit !== undefined) problems.push({ path: [], problem: `SERVICE_OTP ${unfit}` });
  return problems;
}

/**
 * Settings of the provider, each with its environment variable and its field: schema, description with the default, and
 * whether it is secret. The provider schema of every adapter, the reading of the environment and of profiles, and the
 * documentation are derived from this table.
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
      `Sign in as a user of the account ${attribute("accountId")}, not as its root user. Without meaning for an API key.`,
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
      `Account that object storage is asked for, and whose user signs in with ${attribute("accountUser")}.`,
    ),
  },
  accessKey: {
    environment: "SERVICE_ACCESS_KEY",
    field: field(
      z.optional(z.string()),
      `Access key of the object storage, with ${attribute("secretKey")}: objects are read and written in a session of this pair.`,
    ),
  },
  secretKey: {
    environment: "SERVICE_SECRET_KEY",
    field: field(z.optional(z.string()), "Secret of the access key.", { secret: true }),
  },
  otpCommand: {
    environment: "SERVICE_OTP_COMMAND",
    field: field(
      z.optional(z.string()),
      "Command that prints a one-time password, run in the shell for every delete that takes one, after the one of SERVICE_OTP. SERVICE_OTP_FOR tells it what is deleted.",
    ),
  },
  otpRequired: {
    environment: "SERVICE_OTP_REQUIRED",
    field: field(
      z.optional(z.boolean()),
      "Whether to stop before a delete that takes a one-time password where there is none; false sends it without. Default: true.",
    ),
  },
  customerId: {
    environment: "SERVICE_CUSTOMER_ID",
    field: field(
      z.optional(z.string()),
      "Customer that SSH keys are asked for, as a UUID: the fifth part of any full KRN, where it is found if left out.",
    ),
  },
  profile: {
    environment: "SERVICE_PROFILE",
    field: field(
      z.optional(z.string()),
      "Profile that fills what is neither written nor in the environment. Default: the one named default, if there is one.",
    ),
  },
  profileFile: {
    environment: "SERVICE_PROFILE_FILE",
    field: field(
      z.optional(z.string()),
      "File of the profiles: JSON, settings by profile. Default: kcloud/profiles.json in the user's configuration folder, such as ~/.config.",
    ),
  },
  defaultTags: {
    environment: "SERVICE_DEFAULT_TAGS",
    field: field(
      z.optional(z.record(z.string(), z.string())),
      "Tags of whatever has tags; its own win. Where the cloud cannot change tags, they are given to what is made from now on.",
    ),
  },
  caCertFile: {
    environment: "SERVICE_CA_CERT_FILE",
    field: field(
      z.optional(z.string()),
      "File of certificates (PEM) that the cloud's own may be signed by, beside the usual ones.",
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
  floatingIpAttachOrder: {
    environment: "SERVICE_FLOATING_IP_ATTACH_ORDER",
    field: field(
      z.optional(z.enum(["holder-first", "target-first"])),
      "Which port the cloud calls attach_port when an address moves: the one that holds it (holder-first, the default) or the one that gets it (target-first).",
    ),
  },
  ipVersionForm: {
    environment: "SERVICE_IP_VERSION_FORM",
    field: field(
      z.optional(z.enum(["mixed", "string", "integer"])),
      "How IP versions are sent: always as a string, always as an integer, or as a string of a VPC and an integer of a subnet (mixed, the default).",
    ),
  },
  userDataAsWritten: {
    environment: "SERVICE_USER_DATA_AS_WRITTEN",
    field: field(
      z.optional(z.boolean()),
      "Send user data as it is written, not as base64. A firewall in front of the cloud may refuse it then.",
    ),
  },
  podReadPath: {
    environment: "SERVICE_POD_READ_PATH",
    field: field(
      z.optional(z.string()),
      "Where an AI pod is read, which no document shows. Default: /v1/kpod/pod/{pod}.",
    ),
  },
  user: {
    environment: "SERVICE_USER",
    field: field(
      z.optional(z.string()),
      "User of the inference service, which owns inference tasks and checkpoints. Required for both.",
    ),
  },
  inferencePathPrefix: {
    environment: "SERVICE_INFERENCE_PATH_PREFIX",
    field: field(
      z.optional(z.string()),
      "Path before /v1/inference in the addresses of inference tasks and checkpoints, such as /api. Default: none.",
    ),
  },
} as const;

/** Name of a setting in the core, such as `baseUrl`. */
export type SettingName = keyof typeof settings;

/** Problem of an inference request without a user. */
export const missingUser = `is required for inference tasks and checkpoints: set user or ${settings.user.environment}`;

/** Names of all settings, in the order of the documentation. */
export const settingNames = Object.keys(settings) as SettingName[];

/** Returns the name of the environment variable of a setting. */
export const environmentOf = (name: SettingName): string => settings[name].environment;

/** Fields of the settings, for the provider schema of each adapter. */
export const settingFields: { readonly [name: string]: Field } = Object.fromEntries(
  settingNames.map((name) => [name, settings[name].field]),
);

/**
 * Settings before validation, as the user wrote them and without defaults; a map is a JSON text. A one-time password is
 * not a setting: it comes from the environment only, so that no file contains it.
 */
export type Given = { readonly [K in SettingName]?: string | number | boolean | undefined } & {
  readonly oneTimePassword?: string | undefined;
};
