import { allOperations } from "../../operation/operations.ts";
import { operationHelp } from "./help.ts";

/**
 * Returns the help of each operation by its name. The bundler runs this function and replaces it with its result (tools/bundle.ts): the help
 * does not load the table of operations.
 */
export const constants = async (): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(allOperations().map((row) => [row.name, operationHelp(row)]));
