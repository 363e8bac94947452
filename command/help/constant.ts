import manifest from "../../package.json" with { type: "json" };
import type { Command } from "../command.ts";
import { commands } from "../table.ts";
import { helpOf, topicOf, usage } from "./help.ts";

/**
 * Returns the version, the list of commands, and the help of each command and topic by name. The bundler runs this
 * function and replaces it with its result (tools/bundle.ts): help loads no command.
 */
export const constants = async (): Promise<{
  readonly version: string;
  readonly usage: string;
  readonly help: Readonly<Record<string, string>>;
}> => ({
  version: manifest.version,
  usage: usage(commands),
  help: Object.fromEntries(
    Object.entries<Command>(commands).flatMap(([name, command]) => [
      [name, helpOf(command)],
      ...(command.topic === undefined ? [] : [[command.topic.name, topicOf(command)]]),
    ]),
  ),
});
