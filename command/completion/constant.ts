import { commands } from "../table.ts";
import { bash } from "./bash.ts";
import { fish } from "./fish.ts";
import { zsh } from "./zsh.ts";

/**
 * Returns the script of each shell. The bundler runs this function and replaces it with its result (tools/bundle.ts):
 * completion loads no command.
 */
export const constants = async (): Promise<Readonly<Record<string, string>>> => ({
  bash: bash(commands),
  zsh: zsh(commands),
  fish: fish(commands),
});
