import { explain, InputError } from "../../core/error.ts";
import type { Path } from "../../core/value.ts";
import { inWordsOf } from "../../core/wording.ts";
import type { PureFunction } from "../../definition/function.ts";
import { schemaShape } from "../../definition/shape.ts";
import { engine } from "../../engine/engine.ts";
import { unknownTypeError } from "../codec/diagnostic.ts";
import { decodeArguments, functionName, functionSchemas } from "../codec/function.ts";
import { encode } from "../codec/value.ts";
import type { FunctionError } from "../tfplugin6/tfplugin6.ts";
import type { Handlers } from "./handler.ts";

/** Returns the handlers of calls about provider functions. Engines send these calls to unconfigured processes too. */
export function functionHandlers(
  functions: readonly PureFunction[],
): Pick<Handlers, "getFunctions" | "callFunction"> {
  return {
    getFunctions: async () => ({ functions: functionSchemas(functions) }),

    async callFunction({ name = "", arguments: args = [] }) {
      const definition = functions.find((candidate) => functionName(candidate) === name);
      if (definition === undefined) return { error: { text: unknownTypeError("function", name).message } };
      try {
        const result = engine.calculate(definition, decodeArguments(definition, args));
        return { result: encode(result, schemaShape(definition.result)) };
      } catch (error) {
        return { error: functionError(error, Object.keys(definition.fields)) };
      }
    },
  };
}

/** Returns the first problem of an error, with the position of its argument. */
function functionError(error: unknown, parameters: readonly string[]): FunctionError {
  const [first] = error instanceof InputError ? error.problems : [];
  if (first === undefined) return { text: explain(error).summary };
  return {
    text: inWordsOf("terraform", first.problem),
    functionArgument: argumentPosition(first.path, parameters),
  };
}

/** Returns the position of an argument. Each element of the variadic parameter has its own position. */
const argumentPosition = ([name, index]: Path, parameters: readonly string[]): number =>
  Math.max(0, parameters.indexOf(String(name))) + (typeof index === "number" ? index : 0);
