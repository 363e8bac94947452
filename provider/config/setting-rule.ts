import * as z from "zod/mini";
import { passwordProblem } from "../client/auth/one-time-password.ts";
import type { Problem } from "../core/error.ts";
import { type Given, type SettingName, settingNames } from "./setting.ts";

/** What can be wrong with a setting, as far as it is known. None of these rules sends anything. */

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

/** One rule a setting. */
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
  // It travels as a header of nearly every request (contract 1.3).
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
};

/** Whether a host is this machine itself. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

const tags = z.record(z.string(), z.string());

/** Tags out of their JSON text, which is how one variable holds them; undefined for any other text. */
export function tagsOf(text: string): { readonly [key: string]: string } | undefined {
  try {
    return tags.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

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
  const { oneTimePassword } = given;
  const unfit = oneTimePassword === undefined ? undefined : passwordProblem(oneTimePassword);
  if (unfit !== undefined) problems.push({ path: [], problem: `SERVICE_OTP ${unfit}` });
  return problems;
}
