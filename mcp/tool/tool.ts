import { didYouMean, nearest } from "../../provider/core/string.ts";
import type { JsonObject } from "../text.ts";

/** Tools of the server, their parameters, and the check of their arguments. */

interface Described {
  readonly about: string;
  readonly isRequired?: true;
}

/** Parameter of a tool. */
export type Parameter = Described &
  (
    | { readonly type: "text"; readonly values?: readonly string[] }
    | { readonly type: "texts"; readonly values?: readonly string[] }
    | { readonly type: "count"; readonly least?: number; readonly most: number }
    /** Attributes by their names. */
    | { readonly type: "attributes" }
  );

export type Parameters = Readonly<Record<string, Parameter>>;

/** Arguments of a call that were checked. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Signal, progress and log of a call. */
export interface Call {
  /** Aborts when the client cancels the call or leaves. */
  readonly signal: AbortSignal;
  /** Sends the progress of the call to the client. */
  report(message: string, counts?: { readonly done: number; readonly total?: number }): void;
  /** Sends a message to the log of the client. */
  log(level: "info" | "warning", message: string): void;
  /** True if the client can ask its user for a text. */
  readonly canAsk: boolean;
  /** Answer of the user to the question of this call; undefined before it was asked. */
  readonly answer: { readonly isAccepted: boolean; readonly text: string } | undefined;
}

/** Question to the user of a client, which is answered by a text. */
export interface Question {
  readonly message: string;
  readonly label: string;
}

/** Result of a call: values that are data, a page of the documentation, a question to the user, or the error of a call that failed. */
export type Outcome =
  | { readonly data: JsonObject }
  | { readonly page: string; readonly about: JsonObject }
  | { readonly question: Question }
  | { readonly error: string };

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly parameters: Parameters;
  /** True if the tool sends requests to the cloud. */
  readonly isOpen: boolean;
  /** Effect of a tool that changes something. */
  readonly effect?: { readonly isDestructive: boolean; readonly isIdempotent: boolean };
  run(args: Arguments, call: Call): Promise<Outcome>;
}

const schemas = {
  text: ({ values }: { readonly values?: readonly string[] }) => ({
    type: "string",
    ...(values === undefined ? {} : { enum: values }),
  }),
  texts: ({ values }: { readonly values?: readonly string[] }) => ({
    type: "array",
    items: { type: "string", ...(values === undefined ? {} : { enum: values }) },
  }),
  count: ({ least = 1, most }: { readonly least?: number; readonly most: number }) => ({
    type: "integer",
    minimum: least,
    maximum: most,
  }),
  attributes: () => ({ type: "object" }),
} as const;

/** Returns the JSON schema of the arguments of a tool. */
export function schemaOf(parameters: Parameters) {
  const required = Object.entries(parameters).flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  return {
    type: "object" as const,
    properties: Object.fromEntries(
      Object.entries(parameters).map(([name, parameter]) => [
        name,
        { ...schemas[parameter.type](parameter as never), description: parameter.about },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Returns the problem of a value, as the end of a sentence; undefined if it is valid. */
function problemOf(parameter: Parameter, value: unknown): string | undefined {
  const one = (item: unknown, values: readonly string[] | undefined): string | undefined => {
    if (!isText(item)) return "must be a text";
    if (values === undefined || values.includes(item)) return undefined;
    return `has no value ${JSON.stringify(item.slice(0, 80))}${didYouMean(nearest(item.slice(0, 80), values))}`;
  };
  switch (parameter.type) {
    case "text":
      return one(value, parameter.values);
    case "texts":
      if (!Array.isArray(value) || value.length > 100) return "must be a list of at most 100 texts";
      return value.map((item) => one(item, parameter.values)).find((problem) => problem !== undefined);
    case "count": {
      const { least = 1, most } = parameter;
      return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
        ? undefined
        : `must be a whole number from ${least} to ${most}`;
    }
    case "attributes":
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? undefined
        : "must be an object with attributes by their names";
  }
}

/** Returns every problem of the arguments of a call, each as a clause. */
export function problemsOf(parameters: Parameters, args: Arguments): string[] {
  const names = Object.keys(parameters);
  const isGiven = (name: string) => Object.hasOwn(args, name) && args[name] !== null;
  const unknown = Object.keys(args)
    .filter((name) => !Object.hasOwn(parameters, name))
    .map(
      (name) => `unknown parameter ${JSON.stringify(name.slice(0, 80))}${didYouMean(nearest(name, names))}`,
    );
  const missing = names.filter((name) => parameters[name]?.isRequired && !isGiven(name));
  const wrong = Object.entries(parameters).flatMap(([name, parameter]) => {
    const problem = isGiven(name) ? problemOf(parameter, args[name]) : undefined;
    return problem === undefined ? [] : [`${name} ${problem}`];
  });
  return [...unknown, ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []), ...wrong];
}
