import { possibleEffect } from "../../operation/destruction/destruction.ts";
import { allOperations } from "../../operation/operations.ts";
import type { ListedOperation } from "./list.ts";

/**
 * Returns the rows of the list. The bundler runs this function and replaces it with its result (tools/bundle.ts): the list does not load
 * the table of operations.
 */
export const constants = async (): Promise<readonly ListedOperation[]> =>
  allOperations().map(({ name, area, operation }) => ({
    name,
    area,
    effect: possibleEffect({ name, operation }),
    isBilled: operation.endpoint.semantics === "metered",
    about: operation.about,
  }));
