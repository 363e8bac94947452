import { formatRows } from "../../command/help/help.ts";
import { operationWaits } from "../../library/operation-wait.ts";
import { destructionOf, possibleEffect } from "../../operation/destruction/destruction.ts";
import { identifierName } from "../../operation/destruction/identifier.ts";
import type { Operation } from "../../operation/operation.ts";
import { allOperations, clientOperations, type NamedOperation } from "../../operation/operations.ts";
import type { JsonSchema } from "../../operation/schema.ts";
import { wrapped } from "../../review/render/column.ts";
import { negationOf, optionOf, type Parameter, parametersIn, variableOption } from "../parameter.ts";

/** Help of an operation: `kcloud call OPERATION --help`. */

const effects = {
  reads: "It changes nothing.",
  changes: "It changes something: it asks first, or needs --yes without a terminal.",
} as const;

/** Maximum length of a line. */
const width = 80;

/** Operations whose requests are known from the documents or from an existing client. */
const tried = new Set(clientOperations().map(({ name }) => name));

const names = new Map(allOperations().map(({ method, name }) => [method, name]));

/** Returns a text of the table, which has the names of the client, with the names of operations. */
const spelled = (text: string): string =>
  text.replace(/`(\w+)`/g, (code, method) => names.get(method) ?? code);

/** Returns a text of the table with the options of the parameters that it names. */
const spelledAsOptions = (text: string, parameters: readonly Parameter[]): string =>
  text.replace(/`(\w+)`/g, (code, parameter) => {
    const found = parameters.find(({ name }) => name === parameter);
    return found === undefined ? code : `--${found.option}`;
  });

/** Returns the sentence about the alternatives of an operation, of which a call has one: "Set either --a, --b and --c, or --d." */
function alternativeNotes({ alternatives }: Operation): string[] {
  const groups = alternatives.map((names) =>
    new Intl.ListFormat("en", { style: "long" }).format(names.map((name) => `--${optionOf(name)}`)),
  );
  return groups.length === 0 ? [] : [`Set either ${groups.join(", or ")}.`];
}

/** Returns the help of an operation. */
export function operationHelp({ name, operation }: NamedOperation): string {
  const { endpoint, section, content, transfer, listing, secrets } = operation;
  const parameters = parametersIn(operation);
  const effect = possibleEffect({ name, operation });
  const { about: loss, when } = destructionOf(name) ?? {};
  const target = identifierName({ name, operation });
  const confirmation =
    target === undefined
      ? "it asks for a text that it shows, or needs --yes and --confirm with that text."
      : `it asks for the value of --${optionOf(target)}, or needs --yes and --confirm with that value.`;
  const rows = [
    ...parameters.map((parameter) => ({ label: labelOf(parameter), about: spelled(aboutOf(parameter)) })),
    ...(content === undefined
      ? []
      : [{ label: "--content FILE", about: `Required. ${content} - reads standard input.` }]),
  ];
  const notes = [
    effect === "destroys"
      ? `It destroys: ${confirmation}`
      : effect === "changes or destroys"
        ? `${effects.changes} ${spelledAsOptions(when?.about ?? "", parameters)} Then ${confirmation}`
        : effects[effect],
    ...(loss === undefined ? [] : [loss]),
    ...alternativeNotes(operation),
    ...(endpoint.semantics === "metered" ? ["Each call is billed."] : []),
    ...(secrets.length === 0
      ? []
      : [`The response contains a secret (${secrets.join(", ")}): it needs --out FILE, or a terminal.`]),
    ...waitNotes(name),
    ...(transfer === "download" ? ["The content is written to --out FILE, or to standard output."] : []),
    ...(tried.has(name)
      ? []
      : ["Neither the documents nor the emulator have this operation, whose request was never tried."]),
    ...(listing?.page === undefined ? [] : ["--all returns the rows of all pages."]),
  ];
  const lines = (text: string) => wrapped(text, width, "");
  return `${[
    `Usage: kcloud call ${name}${rows.length === 0 ? "" : " [--PARAMETER VALUE]..."} [options]`,
    lines(spelled(operation.about)),
    notes.map(lines).join("\n"),
    ...(rows.length === 0 ? [] : [`Parameters:\n${formatRows(rows)}`]),
    `${lines(`Request: ${endpoint.method} ${endpoint.path} (docs/contract.md#${section})`)}\nkcloud call --help shows the options of all operations.`,
  ].join("\n\n")}\n`;
}

/** Returns the notes on `--wait`. */
function waitNotes(name: string): string[] {
  const wait = operationWaits[name];
  if (wait === undefined) return [];
  const printed = wait.shows === undefined ? "prints nothing" : `prints the response to ${wait.shows}`;
  return [`--wait waits until ${wait.until}, and ${printed}.`];
}

/** Returns an option with its value: `--size NUMBER`. */
function labelOf(parameter: Parameter): string {
  const option = `--${parameter.option}`;
  if (parameter.isSecret) return `--${variableOption(parameter)} VARIABLE`;
  const { type, default: standard } = parameter.schema;
  if (type === "boolean" && standard === undefined) return `--[no-]${parameter.option}`;
  if (type === "boolean") return standard === true ? `--${negationOf(parameter)}` : option;
  return `${option} ${valueWord(parameter.schema)}`;
}

function valueWord({ type, items }: JsonSchema): string {
  if (type === "integer" || type === "number") return "NUMBER";
  if (type === "object") return "JSON";
  if (type === "array") return `${items === undefined ? "TEXT" : valueWord(items)}...`;
  return "TEXT";
}

function aboutOf({ schema, isRequired, isSecret }: Parameter): string {
  const { description = "", default: standard, items, type, properties = {} } = schema;
  const accepted = schema.enum ?? items?.enum;
  const keys = Object.entries((type === "array" ? items?.properties : properties) ?? {});
  return [
    ...(isRequired ? ["Required."] : []),
    ...(isSecret ? ["Secret."] : []),
    description,
    ...(accepted === undefined ? [] : [`One of ${accepted.map(String).join(", ")}.`]),
    ...(schema.examples === undefined ? [] : [`Known: ${schema.examples.join(", ")}.`]),
    ...(keys.length === 0 ? [] : [`Keys: ${keys.map(([key]) => key).join(", ")}.`]),
    ...(type === "array" ? ["Repeatable, or a JSON list."] : []),
    ...(standard === undefined ? [] : [`Default: ${JSON.stringify(standard)}.`]),
  ]
    .filter((part) => part !== "")
    .join(" ");
}
