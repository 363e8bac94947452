import { help } from "./option.ts";

/**
 * Returns the help text. The bundler runs this function and replaces it with its result (tools/bundle.ts): help loads no
 * definitions.
 */
export const constants = async (): Promise<string> => help;
