import { variablesOf } from "../../provider/config/config.ts";

/**
 * Returns the names of the variables from which the provider takes settings, with the prefix `KCLOUD_`. The bundler runs
 * this function and replaces it with its result (tools/bundle.ts).
 */
export const constants = async (): Promise<readonly string[]> => variablesOf("KCLOUD_");
