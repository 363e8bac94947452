import { existsSync } from "node:fs";
import { join } from "node:path";
import { provider } from "../../provider/core/name.ts";
import { CommandError } from "../run.ts";
import { homeOf, type Machine, platformOf } from "./machine.ts";
import { copyProgram, programOf } from "./program.ts";

/** Folder of the plugins of Pulumi, where the engine looks for the plugin of exactly the version that a program names. */

/** Returns the folder of the plugins that Pulumi installed. */
export const pluginFolder = (machine: Pick<Machine, "environment" | "platform">): string =>
  join(machine.environment.PULUMI_HOME || join(homeOf(machine).folder, ".pulumi"), "plugins");

/** Returns the folder of a version of the plugin, and the name of the program in it. */
function pluginOf(version: string, machine: Pick<Machine, "environment" | "platform">) {
  const folder = join(pluginFolder(machine), `resource-${provider}-v${version}`);
  return { folder, name: `pulumi-resource-${provider}${machine.platform === "win32" ? ".exe" : ""}` };
}

/** Returns true if the folder of Pulumi has this version of the plugin. */
export function hasPlugin(version: string, machine: Pick<Machine, "environment" | "platform">): boolean {
  const { folder, name } = pluginOf(version, machine);
  return existsSync(join(folder, name));
}

/** Copies the plugin to the folder of Pulumi's plugins and returns the text to print. Throws `CommandError`. */
export function installPlugin(version: string, machine: Machine): string {
  const program = programOf("pulumi", machine.program, machine.executable, platformOf(machine));
  const isWindows = machine.platform === "win32";
  if (isWindows && program.platform === undefined)
    throw new CommandError(
      `the program of the npm package does not run on ${platformOf(machine)}: run the executable of the release, or install pulumi-resource-${provider}-v${version}-${platformOf(machine).replace("_", "-")}.tar.gz with pulumi plugin install`,
    );
  const { folder, name } = pluginOf(version, machine);
  copyProgram(program, folder, name);
  return [
    `${folder} has the plugin ${version}. Pulumi.yaml needs no \`plugins\` for it.`,
    ...homeNotes(machine),
    "",
  ].join("\n");
}

/**
 * Returns a note if HOME is not the home folder of the user's account, as in a job in a container: which of both Pulumi uses depends
 * on its build.
 */
export function homeNotes(machine: Pick<Machine, "environment" | "platform" | "accountHome">): string[] {
  const { environment, accountHome } = machine;
  const { folder } = homeOf(machine);
  if (environment.PULUMI_HOME || accountHome === undefined || accountHome === folder) return [];
  return [
    `Pulumi may use ${accountHome}/.pulumi, since HOME is ${folder}: set PULUMI_HOME=${folder}/.pulumi.`,
  ];
}
