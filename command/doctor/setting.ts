import {
  checkSettings,
  environmentOf,
  type Given,
  gatherSettings,
  prefixes,
  resolveSettings,
  type SettingName,
  settingFields,
  settingNames,
  variablesOf,
} from "../../provider/config/config.ts";
import { ConfigError, type Problem } from "../../provider/core/error.ts";
import { snakeCase } from "../../provider/core/name.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { memberOf } from "../../provider/definition/shape.ts";
import { type Finding, failed, ok } from "./finding.ts";

/** Checks the settings that an engine would use here, without a provider block: environment and profile. */

export interface SettingCheck {
  readonly findings: readonly Finding[];
  /** Complete and valid settings; undefined if a finding reports a problem. */
  readonly complete: Given | undefined;
  /** Settings with a valid address; undefined if there is none. */
  readonly reachable: Given | undefined;
}

const isSetting = (name: unknown): name is SettingName => settingNames.includes(name as SettingName);

/** Returns the environment variable of a setting: the one that is set, else the preferred one. */
export function variableOf(name: SettingName, environment: NodeJS.ProcessEnv): string {
  const variables = prefixes.map((prefix) => environmentOf(name, prefix));
  return variables.find((variable) => environment[variable]) ?? environmentOf(name);
}

/** Returns all secrets in the environment, with either prefix, and in the settings. */
export function secretsOf(settings: Given, environment: NodeJS.ProcessEnv): string[] {
  const names = settingNames.filter((name) => {
    const field = settingFields[name];
    return field !== undefined && memberOf(field).secret;
  });
  return prefixes
    .flatMap((prefix) => [...names.map((name) => environmentOf(name, prefix)), `${prefix}OTP`])
    .map((variable) => environment[variable])
    .concat(names.map((name) => (settings[name] === undefined ? undefined : String(settings[name]))))
    .filter((secret): secret is string => secret !== undefined && secret !== "");
}

function findingOf({ path: [name], problem }: Problem, environment: NodeJS.ProcessEnv): Finding {
  const text = inWordsOf("terraform", problem);
  // The problem of a variable begins with its name.
  const [, subject] = /^((?:SERVICE|KCLOUD)_\w+) /.exec(text) ?? [];
  if (subject !== undefined) return failed("settings", text, `Correct or unset ${subject}.`);
  if (!isSetting(name)) return failed("settings", text, "Correct it, then run kcloud doctor again.");
  const variable = variableOf(name, environment);
  const isSet = Boolean(environment[variable]);
  const place = isSet ? variable : snakeCase(name);
  if (isSet) return failed("settings", `${place}: ${text}`, `Correct or unset ${variable}.`);
  if (name === "profile") return failed("settings", `${place}: ${text}`, "Correct the profile file.");
  // The text of a missing setting ends with its remedy.
  const [fact = text, ...advice] = text.split(": set ");
  return advice.length === 0
    ? failed("settings", `${place}: ${text}`, `Set ${variable}, or ${place} in a profile.`)
    : failed("settings", `${place}: ${fact}`, `${sentenceOf(`set ${advice.join(": set ")}`)}`);
}

const sentenceOf = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/\.?$/, ".")}`;

/** Returns the problems that `work` throws as a `ConfigError`. */
function problemsOf(work: () => unknown): readonly Problem[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** Returns the names of the set variables, followed by "a profile" if a profile has settings. */
function describe(settings: Given, environment: NodeJS.ProcessEnv): string {
  const set = prefixes.flatMap((prefix) => variablesOf(prefix)).filter((variable) => environment[variable]);
  const isOfProfile = settingNames.some(
    (name) => settings[name] !== undefined && !environment[variableOf(name, environment)],
  );
  return [...set, ...(isOfProfile ? ["a profile"] : [])].join(", ");
}

/** Checks the settings of an environment and of its profile. */
export function checkGiven(environment: NodeJS.ProcessEnv): SettingCheck {
  let settings: Given = {};
  const gathering = problemsOf(() => {
    settings = gatherSettings({}, environment);
  });
  const problems = gathering.length > 0 ? gathering : problemsOf(() => resolveSettings(settings));
  const hasAddress =
    settings.baseUrl !== undefined && checkSettings({ baseUrl: settings.baseUrl }).length === 0;
  const isComplete = problems.length === 0;
  return {
    findings: isComplete
      ? [ok("settings", `complete: ${describe(settings, environment)}`)]
      : problems.map((problem) => findingOf(problem, environment)),
    complete: isComplete ? settings : undefined,
    reachable: hasAddress ? settings : undefined,
  };
}
