import type { Given } from "../provider/config/config.ts";

/** API keys as users type them, and the other credentials. */

/** Problem of a console access token in place of an API key, as a clause. */
export const tokenProblem =
  "a console access token is not accepted in place of the API key: create an API key in the console";

/** Matches the prefix of the header before a key, also several of them. */
const prefix = /^(?:\s*bearer\s+)+/i;

/** Key without the prefix of its header. */
export interface TypedKey {
  readonly key: string;
  /** True if the prefix was typed in front of it. */
  readonly hasPrefix: boolean;
}

/** Returns a key without "Bearer " in front, which users copy from the documentation of the header. */
export function typedKey(text: string): TypedKey {
  const key = text.replace(prefix, "").trim();
  return { key, hasPrefix: prefix.test(text) };
}

/** Returns true for a JSON web token, as a sign-in returns it (docs/contract.md#1.2). An API key is opaque. */
export function isAccessToken(key: string): boolean {
  const [header = "", payload = "", signature, ...more] = key.split(".");
  return (
    signature !== undefined && more.length === 0 && isObjectInBase64(header) && isObjectInBase64(payload)
  );
}

function isObjectInBase64(part: string): boolean {
  try {
    const json: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof json === "object" && json !== null;
  } catch {
    return false;
  }
}

/** Names of the settings whose values are credentials. */
export const credentialNames = [
  "apiKey",
  "password",
  "accessKey",
  "secretKey",
  "oneTimePassword",
] as const satisfies readonly (keyof Given)[];

/** Returns the credentials in settings. */
export const credentialsIn = (given: Given): string[] =>
  credentialNames.flatMap((name) =>
    typeof given[name] === "string" && given[name] !== "" ? [given[name]] : [],
  );
