import { isDeepStrictEqual } from "node:util";
import proto, {
  type CheckRequest,
  type CheckResponse,
  type ConfigureRequest,
  type ConfigureResponse,
  type DiffRequest,
  type DiffResponse,
} from "@pulumi/pulumi/proto/provider_pb.js";
import {
  checkSettings,
  type Given,
  gatherSettings,
  settingFields,
  settingNames,
} from "../../config/config.ts";
import { ConfigError } from "../../core/error.ts";
import { nearest } from "../../core/string.ts";
import { equal, hasUnknown, reveal, type Values } from "../../core/value.ts";
import { wording } from "../../core/wording.ts";
import { openSession } from "../../engine/engine.ts";
import { GrpcError, status } from "../../grpc/grpc.ts";
import { factsInWordsOf } from "../../platform/log.ts";
import { log, type PluginContext } from "./context.ts";
import { missingKeysError } from "./error.ts";
import { checkFailure } from "./failure.ts";
import { valuesOf } from "./struct.ts";

/** Properties that the engine adds to the settings. */
const engineNames = new Set(["version", "pluginDownloadURL"]);

/** Returns the settings that have a known value. */
function givenOf(values: Values): Given {
  const settings: Record<string, string | number | boolean> = {};
  for (const name of settingNames) {
    const value = reveal(values[name] ?? null);
    if (hasUnknown(value) || value === null) continue;
    settings[name] = typeof value === "object" ? JSON.stringify(value) : (value as string);
  }
  return settings;
}

/**
 * Validates the settings and returns them unchanged: the state must not contain values from the environment.
 */
export function checkConfig(context: PluginContext, request: CheckRequest): CheckResponse {
  const news = valuesOf(request.getNews());
  for (const name of Object.keys(news).filter((name) => !isExpected(name))) {
    const close = nearest(name, settingNames);
    const hint = close === undefined ? "" : `; did you mean ${close}?`;
    log(context, "WARNING", `${name} is not a setting of the provider${hint}`, request.getUrn());
  }
  const failures = checkSettings(givenOf(news)).map((problem) =>
    checkFailure({ fields: settingFields }, news, problem),
  );
  return new proto.CheckResponse().setInputs(request.getNews()).setFailuresList(failures);
}

const isExpected = (name: string): boolean =>
  engineNames.has(name) || name.startsWith("__") || settingNames.some((setting) => setting === name);

/**
 * Reports any difference as an update. If none were reported, the engine would continue with the old credential; after a
 * replacement it would replace every object of the stack.
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

/**
 * Opens the session with these settings and those of the environment; sends no request. Throws `GrpcError` for other
 * settings in a later call: every local user can reach the port, and other settings could send the credentials of the
 * environment to another address (docs/reliability.md#6.1). A debugged plugin accepts the settings of each run.
 */
export function configure(context: PluginContext, request: ConfigureRequest): ConfigureResponse {
  const configuration = givenOf(valuesOf(request.getArgs()));
  if (context.configuration !== undefined && !context.debugged) {
    if (isDeepStrictEqual(configuration, context.configuration)) return configured();
    throw new GrpcError(status.permissionDenied, keptSettings);
  }
  const settings = gatherSettings(configuration, context.environment);
  try {
    context.session = openSession(
      settings,
      context.ports,
      (level, message, { urn, ...facts } = {}) => {
        const text = wording`${level}: ${message} ${JSON.stringify(factsInWordsOf("pulumi", facts))}`;
        log(context, "DEBUG", text, urn as string | undefined);
      },
      "pulumi plugin",
    );
  } catch (error) {
    throw error instanceof ConfigError ? missingKeysError(error, settings) : error;
  }
  context.configuration = configuration;
  context.stop = new AbortController();
  context.replacedRegions.clear();
  return configured();
}

const configured = (): ConfigureResponse =>
  new proto.ConfigureResponse()
    .setAcceptsecrets(true)
    .setSupportspreview(true)
    .setSupportsAutonamingConfiguration(true);

const keptSettings =
  "This plugin was configured with other settings and keeps them\nEach run of Pulumi starts a plugin of its own. To use one plugin for several runs, start it yourself and set PULUMI_DEBUG_PROVIDERS.";
