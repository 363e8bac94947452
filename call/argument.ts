import { parseArgs } from "node:util";
import type { Option } from "../command/command.ts";
import type { Operation } from "../operation/operation.ts";
import type { JsonSchema } from "../operation/schema.ts";
import { didYouMean, nearest } from "../provider/core/string.ts";
import { InvalidCallError } from "./invalid-call.ts";
import { JsonProblem, parseJson } from "./json.ts";
import { callOptions, waitOption } from "./option.ts";
import { negationOf, type Parameter, parametersIn, variableOption } from "./parameter.ts";

/** Arguments of a call, by the types of its parameters. */

/** Options of every operation. An operation without a wait refuses `--wait` by its meaning, and not as an unknown option. */
const allOptions = { ...callOptions, ...waitOption };

export type OptionValues = {
  readonly [K in keyof typeof allOptions]?: (typeof allOptions)[K]["type"] extends "boolean" ? true : string;
};

/** Problem of an argument, with its option: `--size`. */
export interface ArgumentProblem {
  readonly option: string;
  readonly problem: string;
}

/** Arguments of a call. */
export interface CallArguments {
  readonly options: OptionValues;
  /** Values of parameters by name. A value that is not of the type of its parameter is a text, which the check of the parameters reports. */
  readonly parameters: { readonly [name: string]: unknown };
  /** Environment variables with the values of secret parameters, by name of the parameter. */
  readonly variables: { readonly [name: string]: string };
  readonly problems: readonly ArgumentProblem[];
}

/** Parses the arguments after the name of the operation. Throws `InvalidCallError` for what is no option of it, or repeats one. */
export function parseCall(operation: Operation, args: readonly string[]): CallArguments {
  const parameters = parametersIn(operation);
  const known = optionsOf(parameters);
  const types = Object.fromEntries(
    Object.entries(known).map(([name, { isFlag }]) => [
      name,
      { type: isFlag ? "boolean" : "string" } as const,
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options: types, strict: false, tokens: true });
  const options: Record<string, true | string> = {};
  const values: Record<string, unknown> = {};
  const variables: Record<string, string> = {};
  const problems: ArgumentProblem[] = [];
  const unknown: string[] = [];
  /** Index of the value of an unknown option, if it has one. */
  let skipped = -1;
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      if (token.index === skipped) continue;
      unknown.push(
        `unexpected argument ${JSON.stringify(token.value)}${afterFlag(args, token.index, known)}`,
      );
      continue;
    }
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (option === undefined) {
      skipped = token.index + 1;
      unknown.push(`unknown option ${rawName}${suggestion(name, known)}`);
      continue;
    }
    const { target } = option;
    if ("general" in target && option.isFlag && value !== undefined) {
      unknown.push(`${rawName} does not accept a value`);
      continue;
    }
    if (!option.isFlag && (value === undefined || (!inlineValue && /^-./.test(value)))) {
      const hint = value === undefined ? "" : `; write a value that begins with "-" as ${rawName}=${value}`;
      unknown.push(`${rawName} requires a value${target && "secret" in target ? "" : hint}`);
      continue;
    }
    if ("secret" in target) {
      unknown.push(secretProblem(target.secret));
      continue;
    }
    if ("general" in target) {
      if (target.general in options) unknown.push(`${rawName} is given twice`);
      options[target.general] = option.isFlag ? true : (value ?? "");
      continue;
    }
    if ("variable" in target) {
      variables[target.variable.name] = value ?? "";
      continue;
    }
    const { parameter } = target;
    const isList = parameter.schema.type === "array";
    if (parameter.name in values && !isList) unknown.push(`--${parameter.option} is given twice`);
    const problem = (text: string) => void problems.push({ option: `--${parameter.option}`, problem: text });
    const parsed = option.isFlag
      ? booleanOf(value, option.isNegation)
      : parsedValue(parameter.schema, value ?? "", problem);
    values[parameter.name] =
      isList && parameter.name in values ? [values[parameter.name], parsed].flat() : parsed;
  }
  if (unknown.length > 0) throw new InvalidCallError([...new Set(unknown)].join("\n"));
  return { options: options as OptionValues, parameters: values, variables, problems };
}

/** Meaning of an option. */
type Target =
  | { readonly general: string }
  | { readonly parameter: Parameter }
  | { readonly variable: Parameter }
  | { readonly secret: Parameter };

interface KnownOption {
  readonly isFlag: boolean;
  readonly isNegation: boolean;
  readonly target: Target;
}

/** Returns all options of a call by name. */
function optionsOf(parameters: readonly Parameter[]): Readonly<Record<string, KnownOption>> {
  const text = { isFlag: false, isNegation: false };
  const general = Object.entries<Option>(allOptions).map(([name, { type }]): [string, KnownOption] => [
    name,
    { ...text, isFlag: type === "boolean", target: { general: name } },
  ]);
  const own = parameters.flatMap((parameter): [string, KnownOption][] => {
    if (parameter.isSecret)
      return [
        [parameter.option, { ...text, target: { secret: parameter } }],
        [variableOption(parameter), { ...text, target: { variable: parameter } }],
      ];
    if (parameter.schema.type !== "boolean") return [[parameter.option, { ...text, target: { parameter } }]];
    return [
      [parameter.option, { isFlag: true, isNegation: false, target: { parameter } }],
      [negationOf(parameter), { isFlag: true, isNegation: true, target: { parameter } }],
    ];
  });
  return Object.fromEntries([...own, ...general]);
}

/** Returns the problem of a secret in the arguments, without its value. */
const secretProblem = (parameter: Parameter): string =>
  `--${parameter.option} is a secret, and other users of this machine can read arguments: ${waysOf(parameter)}`;

/** Returns the ways to pass a secret parameter. */
export const waysOf = (parameter: Parameter): string =>
  `set --${variableOption(parameter)} to the name of an environment variable with it, or pass it as ${JSON.stringify(parameter.name)} in --json - or in a --json file of mode 600`;

const suggestion = (name: string, known: Readonly<Record<string, KnownOption>>): string => {
  const close = nearest(name, Object.keys(known));
  return didYouMean(close === undefined ? undefined : `--${close}`);
};

/** Returns a hint for a value after a flag, which has to be part of the flag. */
function afterFlag(
  args: readonly string[],
  index: number,
  known: Readonly<Record<string, KnownOption>>,
): string {
  const before = args[index - 1]?.replace(/^--/, "") ?? "";
  const isFlag = Object.hasOwn(known, before) && known[before]?.isFlag === true;
  return isFlag && /^(true|false)$/.test(args[index] ?? "") ? `; write --${before}=${args[index]}` : "";
}

/** Returns the value of a boolean parameter; a text that is neither true nor false stays as it is. */
function booleanOf(value: string | undefined, isNegation: boolean): unknown {
  if (value === undefined) return !isNegation;
  return value === "true" || value === "false" ? (value === "true") !== isNegation : value;
}

/** Returns a value by the type of its parameter; a text that is not of the type stays as it is. */
function parsedValue(schema: JsonSchema, text: string, problem: (text: string) => void): unknown {
  switch (schema.type) {
    case "integer":
    case "number":
      return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
    case "boolean":
      return booleanOf(text, false);
    case "array": {
      if (/^\s*\[/.test(text)) return json(text, problem);
      return [schema.items === undefined ? text : parsedValue(schema.items, text, problem)];
    }
    case "object":
      return json(text, problem);
    default:
      return text;
  }
}

function json(text: string, problem: (text: string) => void): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    problem(error.message);
    return text;
  }
}
