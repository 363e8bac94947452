import { InputError } from "../../core/error.ts";
import { snakeCase, underscored } from "../../core/name.ts";
import type { Path, Value, Values } from "../../core/value.ts";
import { inWordsOf } from "../../core/wording.ts";
import { describeInput } from "../../definition/description.ts";
import type { PureFunction } from "../../definition/function.ts";
import { type Member, membersOf, type Shape, schemaShape } from "../../definition/shape.ts";
import {
  type DynamicValue,
  type FunctionMessage as FunctionSchema,
  StringKind,
} from "../tfplugin6/tfplugin6.ts";
import { typeOf } from "./schema.ts";
import { decode } from "./value.ts";

/** Provider functions: schemas and arguments. Arguments are positional; the last one may be variadic. */

const encodeType = (shape: Shape): Uint8Array => Buffer.from(JSON.stringify(valueType(shape)));

const valueType = (shape: Shape): unknown =>
  typeOf(shape, ({ fields }) => [
    "object",
    Object.fromEntries(
      Object.entries(fields).map(([name, { shape }]) => [snakeCase(name), valueType(shape)]),
    ),
  ]);

/** Converts `parse-id` to `parse_id`. */
export const functionName = ({ name }: PureFunction): string => underscored(name);

/** Returns the shape of one argument: that of one element if the parameter is variadic. */
const argumentShape = ({ shape }: Member, variadic: boolean): Shape =>
  variadic && "of" in shape ? shape.of : shape;

const parametersOf = ({ fields }: PureFunction): [string, Member][] => Object.entries(membersOf(fields));

function functionSchema(definition: PureFunction): FunctionSchema {
  const { about, variadic = false, result } = definition;
  const parameters = parametersOf(definition).map(([name, member], index, { length }) => ({
    name: snakeCase(name),
    type: encodeType(argumentShape(member, variadic && index === length - 1)),
    description: inWordsOf("terraform", describeInput(member)),
    descriptionKind: StringKind.MARKDOWN,
  }));
  const last = variadic ? parameters.pop() : undefined;
  return {
    parameters,
    ...(last === undefined ? {} : { variadicParameter: last }),
    return: { type: encodeType(schemaShape(result)) },
    summary: inWordsOf("terraform", about),
    description: inWordsOf("terraform", about),
    descriptionKind: StringKind.MARKDOWN,
  };
}

/** Returns the schemas of functions by their Terraform names. */
export const functionSchemas = (functions: readonly PureFunction[]): { [name: string]: FunctionSchema } =>
  Object.fromEntries(functions.map((definition) => [functionName(definition), functionSchema(definition)]));

/** Decodes the arguments of a call to values by parameter name. Throws `InputError` with the path of the argument. */
export function decodeArguments(definition: PureFunction, args: readonly DynamicValue[]): Values {
  const parameters = parametersOf(definition);
  return Object.fromEntries(
    parameters.map(([name, member], position) => {
      if (definition.variadic !== true || position < parameters.length - 1) {
        const wire = args[position];
        return [name, wire === undefined ? null : decodeArgument(wire, member.shape, [name])];
      }
      const shape = argumentShape(member, true);
      return [name, args.slice(position).map((wire, index) => decodeArgument(wire, shape, [name, index]))];
    }),
  );
}

function decodeArgument(wire: DynamicValue, shape: Shape, argument: Path): Value {
  try {
    return decode(wire, shape);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const problems = error.problems.map(({ path, problem }) => ({ path: [...argument, ...path], problem }));
    throw new InputError(problems);
  }
}
