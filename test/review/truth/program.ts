import { className, snakeCase, terraformType } from "../../../provider/core/name.ts";
import { isRef, type Ref, type Stack } from "../../adapter/adapter.ts";
import { program } from "../../support/engine/pulumi-yaml.ts";
import { configuration } from "../../support/engine/terraform.ts";

/** Writes a version of a scene for an engine: its objects, concealed values, actions, outputs and moves. */

/** Form in which a plan shows a value: as it is, as unknown until the apply, or marked as sensitive. */
export const forms = ["known", "unknown", "sensitive"] as const;
export type Form = (typeof forms)[number];

/** Inputs of an object, or of an action, that are written in another form than as known values. */
export interface Concealment {
  readonly form: Exclude<Form, "known">;
  /** Names of the inputs, in camelCase; one without a value is null. */
  readonly inputs: readonly string[];
}

/** Action of the provider that the apply of an edit invokes; only Terraform has these. */
export interface InvokedAction {
  readonly name: string;
  /** Kind of the action, in kebab-case. */
  readonly action: string;
  readonly inputs: Readonly<Record<string, string | Ref>>;
}

/** Output of the stack with a text, which may be a secret. */
export interface WrittenOutput {
  readonly name: string;
  readonly text: string;
  /** "plain" for a text that is no secret, "marked" for a sensitive output, else the form in which it shows the secret. */
  readonly shows: "plain" | "marked" | "secret" | "base64" | "url" | "part";
}

/** Everything in one version of a stack. */
export interface Version {
  readonly stack: Stack;
  /** Concealments by the name of the object or the action. */
  readonly concealments: Readonly<Record<string, Concealment>>;
  readonly actions: readonly InvokedAction[];
  readonly outputs: readonly WrittenOutput[];
  /** Former names of objects by their names, if the edit moves them. */
  readonly moves: Readonly<Record<string, string>>;
  /** Number of applies before this version: values that are concealed as unknown change with it. */
  readonly turn: 0 | 1;
}

type Json = Record<string, unknown>;

/**
 * Returns the configuration of a version for Terraform. An unknown value is the output of a `terraform_data` whose input
 * changes with each version; a sensitive one is that of a variable or, if it contains references, of `sensitive()`.
 */
export function terraformOf({ stack, concealments, actions, outputs, moves, turn }: Version): Json {
  const written = configuration(stack) as Json & { resource: Record<string, Record<string, Json>> };
  const variable: Json = {};
  const data: Record<string, Json> = {};
  const conceal = (name: string, values: Json): void => {
    const { form, inputs = [] } = concealments[name] ?? {};
    const input: Json = { turn };
    for (const one of inputs.map(snakeCase)) {
      const value = values[one] ?? null;
      const hidden = `hidden_${name}`;
      input[one] = value;
      if (form === "unknown") {
        data[hidden] = { input };
        values[one] = `\${terraform_data.${hidden}.output.${one}}`;
      } else if (hasReference(value)) values[one] = `\${sensitive(${expressionOf(value)})}`;
      else {
        variable[`${hidden}_${one}`] = { sensitive: true, default: value };
        values[one] = `\${var.${hidden}_${one}}`;
      }
    }
  };
  for (const { name, resource } of stack)
    conceal(name, written.resource[terraformType(resource)]?.[name] ?? {});
  const action: Record<string, Json> = {};
  for (const one of actions) {
    const type = terraformType(one.action);
    const config = Object.fromEntries(
      Object.entries(one.inputs).map(([name, value]) => [
        snakeCase(name),
        isRef(value) ? referenceTo(value, stack) : value,
      ]),
    );
    conceal(one.name, config);
    action[type] = { ...action[type], [one.name]: { config } };
    const trigger = { events: ["after_create"], actions: [`action.${type}.${one.name}`] };
    data[`run_${one.name}`] = { input: "run", lifecycle: { action_trigger: [trigger] } };
  }
  const output: Json = {};
  for (const one of outputs) {
    if (one.shows !== "plain") variable[`secret_${one.name}`] = { sensitive: true, default: one.text };
    output[one.name] = outputOf(one);
  }
  const moved = Object.entries(moves).map(([name, from]) => {
    const type = terraformType(stack.find((item) => item.name === name)?.resource ?? "");
    return { from: `${type}.${from}`, to: `${type}.${name}` };
  });
  const isEmpty = (part: object) => Object.keys(part).length === 0;
  const { resource: objects, ...settings } = written;
  const resource = isEmpty(data) ? objects : { ...objects, terraform_data: data };
  return {
    ...settings,
    ...(isEmpty(resource) ? {} : { resource }),
    ...(isEmpty(variable) ? {} : { variable }),
    ...(isEmpty(action) ? {} : { action }),
    ...(isEmpty(output) ? {} : { output }),
    ...(moved.length === 0 ? {} : { moved }),
  };
}

const referenceTo = ({ ref, property }: Ref, stack: Stack): string =>
  `\${${terraformType(stack.find(({ name }) => name === ref)?.resource ?? "")}.${ref}.${snakeCase(property)}}`;

const hasReference = (value: unknown): boolean => JSON.stringify(value).includes("${");

/** Returns a value of the JSON syntax as an expression of the native syntax. */
function expressionOf(value: unknown): string {
  if (typeof value === "string" && /^\$\{.*\}$/.test(value)) return value.slice(2, -1);
  if (Array.isArray(value)) return `[${value.map(expressionOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, part]) => `${JSON.stringify(name)} = ${expressionOf(part)}`,
  );
  return `{${members.join(", ")}}`;
}

/** Returns an output block. */
function outputOf({ name, text, shows }: WrittenOutput): Json {
  const secret = `var.secret_${name}`;
  switch (shows) {
    case "plain":
      return { value: text };
    case "marked":
      return { value: `\${${secret}}`, sensitive: true };
    case "secret":
      return { value: `\${nonsensitive(${secret})}` };
    case "base64":
      return { value: `\${nonsensitive(base64encode(${secret}))}` };
    case "url":
      return { value: `\${nonsensitive(urlencode(${secret}))}` };
    case "part":
      return { value: [{ address: `\${nonsensitive("https://example.com/?key=${`\${${secret}}`}")}` }] };
  }
}

/** Name of the object of a Pulumi stack whose size is known only after the apply of the next version. */
const clock = "clock";

/**
 * Returns the program of a version for Pulumi. An unknown value is selected by the size of an object whose content changes with
 * each version; a sensitive one is `fn::secret`. No program invokes actions.
 */
export function pulumiOf({ stack, concealments, outputs, moves, turn }: Version): Json {
  const written = JSON.parse(program(stack)) as Json & {
    resources: Record<string, { type: string; properties: Json; options?: Json }>;
  };
  for (const { name } of stack) {
    const { form, inputs = [] } = concealments[name] ?? {};
    const properties = written.resources[name]?.properties ?? {};
    for (const one of inputs) {
      const value = properties[one] ?? null;
      // Without a value, there is nothing to mark.
      if (value === null && (turn === 0 || form === "sensitive")) delete properties[one];
      else if (form === "sensitive") properties[one] = { "fn::secret": value };
      else properties[one] = { "fn::select": [`\${${clock}.sizeBytes}`, [value, value, value]] };
    }
    const object = written.resources[name];
    if (object !== undefined && moves[name] !== undefined)
      object.options = { aliases: [{ name: moves[name] }] };
  }
  const values = outputs.map(({ name, text, shows }) => [
    name,
    shows === "marked" ? { "fn::secret": text } : text,
  ]);
  const bucket = { type: `kcloud:${className("bucket")}`, properties: { name: "clock" } };
  const object = {
    type: `kcloud:${className("object")}`,
    properties: { bucketId: "${clock_bucket.id}", key: "clock", content: "x".repeat(turn + 1) },
  };
  const hasUnknown = Object.values(concealments).some(({ form }) => form === "unknown");
  return {
    ...written,
    resources: { ...written.resources, ...(hasUnknown ? { clock_bucket: bucket, [clock]: object } : {}) },
    ...(values.length === 0 ? {} : { outputs: Object.fromEntries(values) }),
  };
}
