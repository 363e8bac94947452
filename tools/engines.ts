import { type EngineName, engineNames, ensureEngine } from "./engines/engine.ts";
import { EngineError } from "./engines/explain.ts";

/**
 * `npm run engines [-- NAME …]`: installs the pinned engines in the cache and prints their names, versions and paths.
 */
async function main(args: readonly string[]): Promise<number> {
  const names = args.length === 0 || args.includes("all") ? engineNames : args;
  const unknown = names.find((name) => !isEngineName(name));
  if (unknown !== undefined) {
    console.error(`There is no engine ${unknown}. There are: ${engineNames.join(", ")}, all.`);
    return 2;
  }
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort(signal));
  try {
    for (const name of names.filter(isEngineName)) {
      const engine = await ensureEngine(name, { signal: controller.signal });
      console.log(`${name} ${engine.version} ${engine.path}`);
    }
    return 0;
  } catch (error) {
    if (controller.signal.aborted) return controller.signal.reason === "SIGINT" ? 130 : 143;
    if (!(error instanceof EngineError)) throw error;
    console.error(error.message);
    return 1;
  }
}

function isEngineName(name: string): name is EngineName {
  return engineNames.some((known) => known === name);
}

process.exitCode = await main(process.argv.slice(2));
