import { terraformEngines } from "../../../tools/engines/engine.ts";

/** Terraform and OpenTofu with their names, for `test.each`. */
export const engines = (await terraformEngines()).map(
  (engine) => [`${engine.name} ${engine.version}`, engine] as const,
);
