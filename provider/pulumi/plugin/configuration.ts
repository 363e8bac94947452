import proto, {
  type CheckRequest,
  type CheckResponse,
  type ConfigureRequest,
  type ConfigureResponse,
  type DiffRequest,
  type DiffResponse,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { checkSettings, type Given, gathered, settingFields, settingNames } from "../../config/config.ts";
import { ConfigError } from "../../core/error.ts";
import { equal, hasUnknown, reveal, type Values } from "../../core/value.ts";
import { nearest } from "../../definition/check.ts";
import { openSession } from "../../engine/engine.ts";
import { failureOf } from "./check.ts";
import { configError } from "./error.ts";
import { type Running, say } from "./running.ts";
import { valuesOf } from "./struct.ts";

/** Names that the engine puts beside the settings. */
const foreign = new Set(["version", "pluginDownloadURL"]);

/** The settings as they were given; what is not known yet counts as not given. */
function givenOf(values: Values): Given {
  const given: Record<string, string | number | boolean> = {};
  for (const name of settingNames) {
    const value = reveal(values[name] ?? null);
    if (hasUnknown(value) || value === null) continue;
    given[name] = typeof value === "object" ? JSON.stringify(value) : (value as string);
  }
  return given;
}

/** Looks at what is known, changes nothing: a setting of the environment must not get into the state. */
export function checkConfig(running: Running, request: CheckRequest): CheckResponse {
  const news = valuesOf(request.getNews());
  for (const name of Object.keys(news).filter((name) => !isKnown(name))) {
    const close = nearest(name, settingNames);
    const hint = close === undefined ? "" : `; did you mean ${close}?`;
    say(running, "WARNING", `${name} is not a setting of the provider${hint}`, request.getUrn());
  }
  const failures = checkSettings(givenOf(news)).map((problem) => {
    const { property, reason } = failureOf({ fields: settingFields }, news, problem);
    return new proto.CheckFailure().setProperty(property).setReason(reason);
  });
  return new proto.CheckResponse().setInputs(request.getNews()).setFailuresList(failures);
}

const isKnown = (name: string): boolean =>
  foreign.has(name) || name.startsWith("__") || settingNames.some((known) => known === name);

/**
 * Any difference is one, and none makes new objects: after "no difference" the engine would go on with the old
 * key, and a setting that replaces would replace the whole stack.
 */
export function diffConfig(request: DiffRequest): DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
  const olds = reveal(valuesOf(request.getOldInputs() ?? request.getOlds())) as Values;
  const news = reveal(valuesOf(request.getNews())) as Values;
  const names = new Set([...Object.keys(olds), ...Object.keys(news)]);
  const changed = [...names].filter((name) => !equal(olds[name], news[name]));
  return new proto.DiffResponse()
    .setChanges(changed.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList(changed);
}

/** Takes up work with these settings and those of the environment; sends nothing. */
export function configure(running: Running, request: ConfigureRequest): ConfigureResponse {
  const given = gathered(givenOf(valuesOf(request.getArgs())), running.environment);
  try {
    running.session = openSession(
      given,
      running.ports,
      (level, message, facts) => say(running, "DEBUG", `${level}: ${message} ${JSON.stringify(facts ?? {})}`),
      "pulumi plugin",
    );
  } catch (error) {
    throw error instanceof ConfigError ? configError(error, given) : error;
  }
  running.stop = new AbortController();
  return new proto.ConfigureResponse()
    .setAcceptsecrets(true)
    .setSupportspreview(true)
    .setSupportsAutonamingConfiguration(true);
}
