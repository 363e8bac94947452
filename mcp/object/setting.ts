import { environmentOf, type Given, gatherSettings, prefixes } from "../../provider/config/config.ts";
import { explain } from "../../provider/core/error.ts";
import { isAccessToken, tokenProblem, typedKey } from "../key.ts";
import { messageOf } from "./data.ts";

/** Settings of the server: those of the provider, from the environment and the profile. */

export interface Gathered {
  readonly given: Given;
  readonly address: string | undefined;
  readonly region: string | undefined;
  /** Sentences for the log. */
  readonly notices: readonly string[];
}

/** Sentence about a key that was typed with the prefix of its header. */
export const prefixNotice = (place: string): string =>
  `${place} has "Bearer " in front of the API key: the key is used without it.`;

/** Returns the settings, or the problem of a setting as a text. */
export function settingsIn(environment: NodeJS.ProcessEnv): Gathered | { readonly problem: string } {
  try {
    const notices: string[] = [];
    const cleaned = { ...environment };
    for (const name of prefixes.map((prefix) => environmentOf("apiKey", prefix))) {
      const { key, hasPrefix } = typedKey(environment[name] ?? "");
      if (!hasPrefix) continue;
      cleaned[name] = key;
      notices.push(prefixNotice(name));
    }
    const { apiKey, ...others } = gatherSettings({}, cleaned);
    const { key, hasPrefix } = typedKey(String(apiKey ?? ""));
    if (hasPrefix) notices.push(prefixNotice("The profile"));
    if (isAccessToken(key)) return { problem: `Invalid API key: ${tokenProblem}.` };
    const text = (value: Given["region"]) => (value === undefined ? undefined : String(value));
    return {
      given: { ...others, ...(key !== "" && { apiKey: key }) },
      address: text(others.baseUrl),
      region: text(others.region),
      notices,
    };
  } catch (error) {
    return { problem: problemText(error) };
  }
}

/** Returns an error of the settings as a text. */
export function problemText(error: unknown): string {
  const { summary, detail } = explain(error);
  return messageOf([summary, detail]);
}
