import type { Stats } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { ConfigError, type Problem } from "../core/error.ts";
import { snakeCase } from "../core/name.ts";
import { nearest } from "../core/string.ts";
import { type Text, wording } from "../core/wording.ts";
import { readRegularFile } from "./regular-file.ts";
import { checkSettings, type Given, type SettingName, settingNames } from "./setting.ts";

/**
 * Profiles: named groups of settings in a file of the user, `{"default": {"base_url": "https://…", "api_key": "…"}}`.
 * The file is only read. Each problem is reported as a `ConfigError` with the path of the file.
 */

/**
 * Returns the default path of the profile file; undefined if none of `XDG_CONFIG_HOME`, `APPDATA` and `HOME` is set.
 */
function usualFile({ XDG_CONFIG_HOME, APPDATA, HOME }: NodeJS.ProcessEnv): string | undefined {
  const folder = XDG_CONFIG_HOME || APPDATA || (HOME && join(HOME, ".config"));
  return folder ? join(folder, "kcloud", "profiles.json") : undefined;
}

/**
 * Returns the settings of the selected profile; empty if neither a profile nor a file is selected and the default file or
 * profile is missing. Throws `ConfigError` if a selected file or profile is missing, and for an invalid one.
 */
export function readProfile({ profile, profileFile }: Given, environment: NodeJS.ProcessEnv): Given {
  const isRequested = profile !== undefined || profileFile !== undefined;
  const file = profileFile === undefined ? usualFile(environment) : String(profileFile);
  const text = file === undefined ? undefined : privateText(file);
  if (file === undefined || text === undefined) {
    if (!isRequested) return {};
    throw refused(`${file ?? "the profile file"} cannot be read`);
  }
  const profiles = parsed(file, text);
  const name = String(profile ?? "default");
  const chosen = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (chosen !== undefined) return settingsOf(chosen, `${JSON.stringify(name)} in ${file}`);
  if (!isRequested) return {};
  const close = nearest(name, Object.keys(profiles));
  throw refused(
    `there is no profile ${JSON.stringify(name)} in ${file}${close === undefined ? "" : `; did you mean ${close}?`}`,
  );
}

const refused = (...problems: readonly Text[]): ConfigError =>
  new ConfigError(problems.map((problem): Problem => ({ path: ["profile"], problem })));

/** Matches a setting that others must not read: a secret, or a command that prints one. */
const secrets = /"(api_key|password|secret_key|otp_command)"/;

/**
 * Returns the content of a file; undefined if it cannot be read. Throws `ConfigError` for a file that other users can
 * change: the file contains the address that receives the credentials, and a command (docs/reliability.md#6.1).
 */
function privateText(file: string): string | undefined {
  const found = readRegularFile(file);
  if (found === undefined) return undefined;
  const problem = foreign(file, found.status, found.text);
  if (problem !== undefined) throw refused(problem);
  return found.text;
}

/** Returns the problem of a file that others own or may write, or that has secrets and others may read; else undefined. */
function foreign(file: string, { mode, uid }: Stats, text: string): string | undefined {
  const user = process.getuid?.();
  // Windows has no such owners and modes.
  if (process.platform === "win32" || user === undefined) return undefined;
  const octal = (mode & 0o777).toString(8);
  if ((mode & 0o077) !== 0 && secrets.test(text))
    return `${file} contains secrets and is accessible to other users (mode ${octal}): run chmod 600 ${file}`;
  if ((mode & 0o022) !== 0)
    return `${file} is writable by other users (mode ${octal}): run chmod go-w ${file}`;
  if (uid !== 0 && uid !== user)
    return `${file} is owned by another user (uid ${uid}): use a file that you own`;
  return undefined;
}

const profilesSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

function parsed(file: string, text: string): z.infer<typeof profilesSchema> {
  try {
    const { data } = profilesSchema.safeParse(JSON.parse(text));
    if (data !== undefined) return data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refused(`${file} is not JSON`);
  }
  throw refused(`${file} must contain settings by profile: {"default": {"base_url": "https://…"}}`);
}

/** Settings that a profile may contain: all except those that select a profile. */
const names = settingNames.filter((name) => name !== "profile" && name !== "profileFile");

function settingsOf(chosen: { readonly [name: string]: unknown }, where: string): Given {
  const settings: { -readonly [K in SettingName]?: string | number | boolean } = {};
  const problems: Text[] = [];
  for (const [written, value] of Object.entries(chosen)) {
    const name = names.find((name) => snakeCase(name) === written);
    if (name === undefined) {
      const close = nearest(written, names.map(snakeCase));
      problems.push(`${written} is not a setting${close === undefined ? "" : `; did you mean ${close}?`}`);
    } else settings[name] = typeof value === "object" ? JSON.stringify(value) : (value as string);
  }
  problems.push(
    ...checkSettings(settings).map(({ path, problem }) => wording`${snakeCase(String(path[0]))} ${problem}`),
  );
  if (problems.length > 0) throw refused(...problems.map((problem) => wording`${where}: ${problem}`));
  return settings;
}
