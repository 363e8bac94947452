import { join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { terraformSource } from "../../provider/core/name.ts";
import { parseArguments, UsageError } from "../argument.ts";
import { CommandError, runCommand } from "../run.ts";
import { configurationFiles, installationBlock, prepareBlock } from "./cli-configuration.ts";
import { homeOf, type Machine, platformOf, thisMachine } from "./machine.ts";
import { archiveOf, fillMirror, folderIn } from "./mirror.ts";
import { installCommand, platforms } from "./option.ts";
import { type Program, programOf } from "./program.ts";
import { installPlugin } from "./pulumi-plugin.ts";

const { version } = manifest;

/**
 * Returns the platforms to install for. Throws `CommandError`, with the name of the archive, for a platform without a program.
 */
function platformsOf(
  requested: readonly string[] | undefined,
  machine: Machine,
  { platform: only }: Program,
  mirror: string,
): readonly string[] {
  const here = platformOf(machine);
  const served: readonly string[] = only === undefined ? platforms : [only];
  const wanted = requested ?? (machine.platform === "win32" ? [here] : served);
  const missing = wanted.find((one) => !served.includes(one));
  if (missing === undefined) return wanted;
  if (!/^(linux|darwin|windows)_(amd64|arm64)$/.test(missing))
    throw new UsageError(`--platform must be one of ${platforms.join(", ")}, not ${JSON.stringify(missing)}`);
  const why =
    only === undefined
      ? `the program of the npm package does not run on ${missing}`
      : `this executable is for ${only}`;
  throw new CommandError(
    `${why}: put ${archiveOf(version, missing)} of the release into ${folderIn(mirror)}`,
  );
}

/** Returns the command after which `init` does not warn that the lock file has the checksums of one platform only. */
const lockCommand = (mirror: string, platforms: readonly string[]): string =>
  [
    `terraform providers lock -fs-mirror=${JSON.stringify(mirror)}`,
    ...platforms.map((platform) => `-platform=${platform}`),
    terraformSource,
  ].join(" ");

/** Installs the plugin of an engine and returns the text to print. Throws `UsageError` and `CommandError`. */
export function install(args: readonly string[], machine: Machine): string {
  const { values, positionals } = parseArguments(installCommand.options, args);
  const [engine, ...more] = positionals;
  if (engine === undefined) throw new UsageError("the engine is missing, as in kcloud install terraform");
  if ((engine !== "terraform" && engine !== "pulumi") || more.length > 0)
    throw new UsageError(
      `unknown engine ${JSON.stringify(positionals.join(" "))}: use terraform, for Terraform and OpenTofu, or pulumi`,
    );
  if (engine === "terraform") return installProvider(values, machine);
  const [option] = Object.keys(values);
  if (option !== undefined) throw new UsageError(`--${option} is an option of kcloud install terraform only`);
  return reportingFiles(() => installPlugin(version, machine));
}

/** Options of `kcloud install terraform`. */
interface ProviderOptions {
  readonly platform?: readonly string[] | undefined;
  readonly mirror?: string | undefined;
  readonly write?: boolean | undefined;
}

/** Installs the provider of Terraform and OpenTofu and returns the text to print. */
function installProvider(values: ProviderOptions, machine: Machine): string {
  const home = homeOf(machine);
  const mirror = resolve(values.mirror ?? join(home.folder, ".kcloud", "mirror"));
  const program = programOf("terraform", machine.program, machine.executable, platformOf(machine));
  const chosen = [...new Set(platformsOf(values.platform, machine, program, mirror))];
  const block = installationBlock(mirror);
  return reportingFiles(() => {
    const write = values.write ? prepareBlock(home, block) : undefined;
    fillMirror(mirror, version, chosen, program);
    const filled = `${mirror} has the provider ${version} for ${chosen.join(", ")}.`;
    const lock = `To lock it for these platforms, run in the folder of a configuration, with terraform or tofu:\n\n  ${lockCommand(mirror, chosen)}\n`;
    if (write !== undefined) return `${[filled, ...write()].join("\n")}\n\n${lock}`;
    const where = configurationFiles(home).join(" and to ");
    return `${filled}\n\nAdd this block to ${where}, or run again with --write:\n\n${block}\n${lock}`;
  });
}

/** Runs work on files; turns an error of the system into a `CommandError` that names the file. */
function reportingFiles<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code, path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
    if (code === undefined || path === undefined) throw error;
    throw new CommandError(
      `${dest ?? path} cannot be written (${code}): choose another folder, or change its permissions`,
    );
  }
}

/** Runs `kcloud install`. Returns the exit code. */
export const installMain = (args: readonly string[]): Promise<number> =>
  runCommand("install", () => {
    process.stdout.write(install(args, thisMachine()));
    return 0;
  });
