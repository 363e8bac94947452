import type { Option, Options, Subcommand } from "../command/command.ts";
import { operationWaits } from "../library/operation-wait.ts";
import { allOperations } from "../operation/operations.ts";
import { waitOption } from "./option.ts";
import { negationOf, type Parameter, parametersIn, variableOption } from "./parameter.ts";

/** Operations as subcommands of `kcloud call`, for the completion of shells. */

/** Returns the options of a parameter. */
function optionsOf(parameter: Parameter): [string, Option][] {
  const { schema, isSecret, option } = parameter;
  const about = firstSentence(schema.description ?? "");
  if (isSecret)
    return [
      [variableOption(parameter), { type: "string", value: "VARIABLE", about: `variable with it. ${about}` }],
    ];
  if (schema.type === "boolean")
    return [
      [option, { type: "boolean", about }],
      [negationOf(parameter), { type: "boolean", about: `not: ${about}` }],
    ];
  const isList = schema.type === "array";
  const accepted = (isList ? schema.items?.enum : schema.enum) ?? schema.examples;
  return [
    [
      option,
      {
        type: "string",
        value: "VALUE",
        about,
        ...(isList ? { multiple: true } : {}),
        ...(accepted === undefined ? {} : { values: accepted.map(String) }),
      },
    ],
  ];
}

const firstSentence = (text: string): string => /^.*?[.;](?= |$)/s.exec(text)?.[0] ?? text;

/** Subcommands by the name of the operation. */
export const callSubcommands: Readonly<Record<string, Subcommand>> = Object.fromEntries(
  allOperations().map(({ name, operation }): [string, Subcommand] => {
    const wait = operationWaits[name];
    const adds: Options = {
      ...Object.fromEntries(parametersIn(operation).flatMap(optionsOf)),
      ...(wait === undefined ? {} : { wait: { ...waitOption.wait, about: `waits until ${wait.until}` } }),
    };
    return [name, { about: firstSentence(operation.about), adds }];
  }),
);
