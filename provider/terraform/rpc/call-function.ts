import { explain, InputError } from "../../core/error.ts";
import { snakeCase } from "../../core/name.ts";
import type { Path, Value, Values } from "../../core/value.ts";
import type { PureFunction } from "../../definition/function.ts";
import { type Member, membersOf, type Shape, schemaShape } from "../../definition/shape.ts";
import { engine } from "../../engine/engine.ts";
import { noSuch } from "../codec/diagnostic.ts";
import { typeOf } from "../codec/schema.ts";
import { decode, encode } from "../codec/value.ts";
import type {
  DynamicValue,
  FunctionError,
  FunctionMessage as FunctionSchema,
} from "../tfplugin6/tfplugin6.ts";
import type { Handlers } from "./handler.ts";

/** Functions of the provider: arguments are given by their position, the last ones in any number. */

const functionType = (shape: Shape): Uint8Array => Buffer.from(JSON.stringify(valueType(shape)));

const valueType = (shape: Shape): unknown =>
  typeOf(shape, ({ fields }) => [
    "object",
    Object.fromEntries(
      Object.entries(fields).map(([name, { shape }]) => [snakeCase(name), valueType(shape)]),
    ),
  ]);

/** `parse-id` to `parse_id`. */
export const functionName = ({ name }: PureFunction): string => name.replaceAll("-", "_");

/** One argument as it is given, where that is one entry of a list too. */
const argumentShape = ({ shape }: Member, single: boolean): Shape =>
  single && "of" in shape ? shape.of : shape;

const parametersOf = (asked: PureFunction): [string, Member][] => Object.entries(membersOf(asked.fields));

/** A function as an engine sees it. */
export function functionSchema(asked: PureFunction): FunctionSchema {
  const { about, variadic = false, result } = asked;
  const all = parametersOf(asked).map(([name, member], at, { length }) => ({
    name: snakeCase(name),
    type: functionType(argumentShape(member, variadic && at === length - 1)),
    description: member.about,
  }));
  const last = variadic ? all.pop() : undefined;
  return {
    parameters: all,
    ...(last === undefined ? {} : { variadicParameter: last }),
    return: { type: functionType(schemaShape(result)) },
    summary: about,
    description: about,
  };
}

/** Every function by the name that an engine calls it by. */
export const functionSchemas = (functions: readonly PureFunction[]): { [name: string]: FunctionSchema } =>
  Object.fromEntries(functions.map((asked) => [functionName(asked), functionSchema(asked)]));

/** The arguments by their names. */
function argumentsOf(asked: PureFunction, given: readonly DynamicValue[]): Values {
  const parameters = parametersOf(asked);
  return Object.fromEntries(
    parameters.map(([name, member], at) => {
      if (asked.variadic !== true || at < parameters.length - 1) {
        const wire = given[at];
        return [name, wire === undefined ? null : decodeAt(wire, member.shape, [name])];
      }
      const shape = argumentShape(member, true);
      return [name, given.slice(at).map((wire, entry) => decodeAt(wire, shape, [name, entry]))];
    }),
  );
}

/** What engines ask about functions. They ask processes that are not configured, too. */
export function functionHandlers(
  functions: readonly PureFunction[],
): Pick<Handlers, "getFunctions" | "callFunction"> {
  return {
    getFunctions: async () => ({ functions: functionSchemas(functions) }),

    async callFunction({ name = "", arguments: given = [] }) {
      const asked = functions.find((candidate) => functionName(candidate) === name);
      if (asked === undefined) return { error: { text: noSuch("function", name).message } };
      try {
        const written = argumentsOf(asked, given);
        return { result: encode(engine.calculate(asked, written), schemaShape(asked.result)) };
      } catch (error) {
        return { error: callError(error, Object.keys(asked.fields)) };
      }
    },
  };
}

/** Decodes one argument. What is wrong with it is told at its place. */
function decodeAt(wire: DynamicValue, shape: Shape, place: Path): Value {
  try {
    return decode(wire, shape);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problems.map(({ path, problem }) => ({ path: [...place, ...path], problem })));
  }
}

/** What is wrong, at the argument it is about. */
function callError(error: unknown, names: readonly string[]): FunctionError {
  const [first] = error instanceof InputError ? error.problems : [];
  if (first === undefined) return { text: explain(error).summary };
  return { text: first.problem, functionArgument: placeOf(first.path, names) };
}

/** Entries of a list that is given one by one stand at the places after it. */
const placeOf = ([name, entry]: Path, names: readonly string[]): number =>
  Math.max(0, names.indexOf(String(name))) + (typeof entry === "number" ? entry : 0);
