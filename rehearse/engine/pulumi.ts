import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findOnPath } from "../../review/custom-rule/node.ts";
import { isObject, type Json, objectOf, objectsOf } from "../../review/read/json.ts";
import { withoutColours } from "../../review/read/pulumi.ts";
import { addressOf, typeOf } from "../../review/read/pulumi-step.ts";
import { readPlan } from "../../review/read/read.ts";
import { folders } from "../folder/program-copy.ts";
import { referenceType, refusalOf } from "../folder/stack.ts";
import { appliedIn, type Engine, type EngineOptions, failureText, RehearsalError } from "./engine.ts";
import { type Ended, runEngine } from "./process.ts";

/** Runs Pulumi in the copy of a program. */

export interface PulumiOptions extends EngineOptions {
  readonly stack: string;
  /** Language host of the program. */
  readonly runtime: string;
  readonly passphrase: string;
  /** Folder of Pulumi's files of the user, which may hold the engine itself. */
  readonly home: string;
}

/** Opens the engine. Throws `RehearsalError`. */
export async function openPulumi(options: PulumiOptions): Promise<Engine> {
  const { program, copy, limit, stop, stack, root } = options;
  const environment = environmentOf(options);
  const run = (args: readonly string[], directory = copy.path): Promise<Ended> =>
    runEngine(program, args, { cwd: directory, environment, limit, stop, root });
  const named = await run(["version"], copy.engineFolder);
  if (named.code !== 0) throw new RehearsalError(failureOf("version", named));
  const common = ["--stack", stack, "--non-interactive", "--color", "never"];
  const planText = async (): Promise<string> => {
    const ended = await run(["preview", "--json", "--show-sames", "--show-replacement-steps", ...common]);
    const digest = jsonIn(ended.stdout);
    if (ended.code !== 0) throw new RehearsalError(failureOf("preview", ended, messagesIn(digest)));
    const refused = objectsOf(digest.steps).flatMap((step) => refusedStep(step));
    if (refused.length > 0)
      throw new RehearsalError(
        `the program has objects that a rehearsal does not run:\n${refused.join("\n")}`,
      );
    return ended.stdout;
  };
  return {
    name: "pulumi",
    version: named.stdout.trim().replace(/^v/, ""),
    planText,
    plan: async (name) => readPlan(name, await planText()),
    async apply(name) {
      const log = join(copy.engineFolder, `${name}.jsonl`);
      rmSync(log, { force: true });
      const ended = await run(["up", "--yes", "--skip-preview", "--event-log", log, ...common]);
      const text = existsSync(copy.own(log)) ? readFileSync(log, "utf8") : "";
      return appliedIn(ended, text, () => failureOf("up", ended));
    },
    state: async () => copy.own(copy.state),
    reset: async () => copy.reset(),
  };
}

/** Returns the name of the language host of a program. */
export const hostOf = (runtime: string): string => `pulumi-language-${runtime}`;

/** Returns the folder of the engines that the command of the npm package has installed. */
export const versionsIn = (home: string): string => join(home, "versions");

/** Returns the environment of the engine and of the program: all files of Pulumi are those of the copy. */
function environmentOf({ copy, environment, passphrase, home, runtime }: PulumiOptions): NodeJS.ProcessEnv {
  const place = (folder: keyof typeof folders) => join(copy.engineFolder, folders[folder]);
  const credentials = join(place("pulumiHome"), "credentials");
  mkdirSync(credentials);
  // Plugins on PATH are ignored, so that the host of a language is installed like a plugin if it is there.
  const host = hostOf(runtime);
  const installed = findOnPath(host);
  const hosts = join(place("pulumiHome"), "plugins", `language-${runtime}-v1.0.0`);
  mkdirSync(hosts, { recursive: true });
  if (installed !== undefined) symlinkSync(installed, join(hosts, host));
  // The command of the npm package starts the engine in this folder, and would download it.
  const versions = versionsIn(home);
  if (existsSync(versions)) symlinkSync(versions, join(place("pulumiHome"), "versions"));
  return {
    ...environment,
    ...{ HOME: place("home"), USERPROFILE: place("home") },
    ...{ TMPDIR: place("temporary"), TEMP: place("temporary"), TMP: place("temporary") },
    PULUMI_HOME: place("pulumiHome"),
    PULUMI_BACKEND_URL: pathToFileURL(place("backend")).href,
    PULUMI_CREDENTIALS_PATH: credentials,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_IGNORE_AMBIENT_PLUGINS: "true",
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
    // The option for an event log belongs to the commands for debugging.
    PULUMI_DEBUG_COMMANDS: "true",
    PYTHONDONTWRITEBYTECODE: "1",
  };
}

function failureOf(command: string, ended: Ended, messages: readonly string[] = []): string {
  const { stdout, stderr } = ended;
  const output = messages.join("\n") || (stderr || stdout).trim();
  const reported = `${output}${stderr}`;
  const [, missing] = /no resource plugin '(?:pulumi-resource-)?([\w-]+)/.exec(reported) ?? [];
  if (missing !== undefined)
    return `the program uses the package ${missing}, which no emulator confines: a rehearsal has kcloud only\n${output}`;
  const [, stack] = /unknown stack "?([^\s"]+)/.exec(reported) ?? [];
  return stack === undefined
    ? failureText(command, ended, output)
    : `the program reads the stack ${stack}, whose outputs are not known\n${output}`;
}

/** Returns the JSON that a command printed; an empty object if it printed none. */
function jsonIn(text: string): Json {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : {};
  } catch {
    return {};
  }
}

/** Returns the errors of a preview. */
const messagesIn = (digest: Json): string[] =>
  objectsOf(digest.diagnostics).flatMap((message) =>
    message.severity === "error" ? [withoutColours(String(message.message)).trim()] : [],
  );

function refusedStep({ urn, newState, oldState }: Json): string[] {
  const type = typeOf(String(urn));
  const isOfPackage = objectOf(newState ?? oldState).custom === true && type !== referenceType;
  const reason = isOfPackage ? refusalOf(type) : undefined;
  return reason === undefined ? [] : [`  ${addressOf(String(urn))} ${reason}`];
}
