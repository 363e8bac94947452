import { type Engine, terraformEngines } from "../tools/engines/engine.ts";

/** Returns the engines with Terraform's protocol by their full names: `terraform 1.16.0`. */
export async function engines(): Promise<(readonly [name: string, engine: Engine])[]> {
  const found = await terraformEngines();
  return found.map((engine) => [`${engine.name} ${engine.version}`, engine] as const);
}
