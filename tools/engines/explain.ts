import { join } from "node:path";

import { engineFiles, engineFolder } from "./cache.ts";
import { requiredGo } from "./go.ts";
import type { Recipe } from "./recipe.ts";

/** Error of an engine that cannot be installed. The message contains the reason and the remedy. */
export class EngineError extends Error {
  override name = "EngineError";
}

/** Returns the message for an engine that could be neither downloaded nor built. */
export async function explainMissing(
  recipe: Recipe,
  cache: string,
  reasons: readonly string[],
): Promise<string> {
  const files = engineFiles(recipe).join(", ");
  return [
    `${recipe.title} ${recipe.version} is not in the cache and cannot be installed:`,
    ...reasons.map((reason) => `  - ${reason}`),
    `Do one of these, then run \`npm run engines -- ${recipe.name}\` again:`,
    `  - put Go ${await requiredGo(recipe)} or newer on PATH, with a network or a GOPROXY that it can reach`,
    `  - put the official release (${files}) into ${join(engineFolder(recipe, cache), "bin")}`,
  ].join("\n");
}

/** Returns the message for a folder that exists but does not contain the expected engine. */
export function explainBroken(recipe: Recipe, folder: string, reason: string): string {
  return [
    `${join(folder, "bin")} does not contain ${recipe.title} ${recipe.version}: ${reason}.`,
    `Put the official release there, or remove the folder, and run \`npm run engines -- ${recipe.name}\` again.`,
  ].join("\n");
}
