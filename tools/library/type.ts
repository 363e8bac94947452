import { effectOf, type Operation } from "../../operation/operation.ts";
import { areas } from "../../operation/operations.ts";
import { answerSchema, type JsonSchema, parameterSchema, schemaOf } from "../../operation/schema.ts";
import { settingFields } from "../../provider/config/config.ts";
import { capital } from "../../provider/core/name.ts";

/** Types of the client, which are written from the table of operations into `library/operation-type.ts`. */

/** Settings that only definitions of resources use. */
const ofResources = new Set(["adoptExisting", "defaultTags"]);

/** Areas with methods that are no operations, by the types of those methods. */
const additions: { readonly [area: string]: readonly string[] } = {
  vpc: ["VpcWaiters"],
  volume: ["VolumeWaiters"],
  instance: ["InstanceWaiters"],
  aiPod: ["AiPodWaiters"],
  inference: ["InferenceWaiters"],
  document: ["DocumentWaiters"],
  objectSession: ["ObjectSessionWaiters"],
  object: ["ObjectTransfers"],
};

const doc = (text: string | undefined, indent: string): string =>
  text === undefined || text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`;

/** Returns the description of a value with the facts of its schema. */
function describe({ description = "", default: standard, examples, minimum, maximum }: JsonSchema): string {
  const facts = [
    standard === undefined ? "" : `Default: \`${JSON.stringify(standard)}\`.`,
    minimum === undefined ? "" : `At least ${minimum}.`,
    maximum === undefined ? "" : `At most ${maximum}.`,
    examples === undefined ? "" : `Known values: ${examples.map((each) => `\`${each}\``).join(", ")}.`,
  ];
  return [description, ...facts].filter(Boolean).join(" ");
}

const isName = (name: string): boolean => /^[a-z_$][\w$]*$/i.test(name);

/**
 * Returns a type with the parameters of all calls, and of one of the alternatives. A parameter of another one must not be set, which is
 * an error of the compiler.
 */
function alternativesType({ properties = {}, required = [], oneOf = [] }: JsonSchema): string {
  const all = oneOf.flatMap((group) => group.required);
  const picked = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)));
  const common = picked(Object.keys(properties).filter((name) => !all.includes(name)));
  const groups = oneOf.map((group) => {
    const others = all.filter((name) => !group.required.includes(name));
    const never = others.map((name) => `      readonly ${name}?: undefined;\n`).join("");
    const own = members({ properties: picked(group.required), required: group.required }, "      ", false);
    return `  | {\n${own}${never}    }`;
  });
  return `{\n${members({ properties: common, required }, "  ", false)}} & (\n${groups.join("\n")}\n)`;
}

/** Returns the members of an interface or an object type. `isOpen` adds the fields of a response that the schema lacks. */
function members(schema: JsonSchema, indent: string, isOpen: boolean): string {
  const { properties = {}, required = [] } = schema;
  const lines = Object.entries(properties).map(([name, member]) => {
    const isRequired = required.includes(name);
    const key = isName(name) ? name : JSON.stringify(name);
    const type = typeOf(member, indent, isOpen);
    return `${doc(describe(member), indent)}${indent}readonly ${key}${isRequired ? "" : "?"}: ${type}${isRequired ? "" : " | undefined"};\n`;
  });
  return lines.join("") + (isOpen ? `${indent}readonly [field: string]: unknown;\n` : "");
}

const isUnion = ({ anyOf, enum: values, type }: JsonSchema = {}): boolean =>
  anyOf !== undefined || values !== undefined || Array.isArray(type);

/** Returns the type of a schema. */
function typeOf(schema: JsonSchema, indent: string, isOpen: boolean): string {
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((each) => typeOf(each, indent, isOpen)))].join(" | ");
  const { type } = schema as { readonly type?: string | readonly string[] };
  if (Array.isArray(type))
    return type.map((each: string) => typeOf({ ...schema, type: each }, indent, isOpen)).join(" | ");
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  switch (type) {
    case "array": {
      const item = typeOf(schema.items ?? {}, indent, isOpen);
      return `readonly ${isUnion(schema.items) ? `(${item})` : item}[]`;
    }
    case "object": {
      if (schema.properties !== undefined) return `{\n${members(schema, `${indent}  `, isOpen)}${indent}}`;
      const value = schema.additionalProperties;
      return `{ readonly [name: string]: ${typeof value === "object" ? typeOf(value, indent, isOpen) : "unknown"} }`;
    }
    case "integer":
      return "number";
    case undefined:
      return "unknown";
    default:
      return type as string;
  }
}

/** Returns the schema of the rows of a listing: the items of the first list in the response. */
function rowSchema(schema: JsonSchema, names: readonly string[]): readonly JsonSchema[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((each) => rowSchema(each, names));
  if (schema.type === "array") return [schema.items ?? {}];
  return names.flatMap((name) => {
    const inner = schema.properties?.[name];
    return inner === undefined ? [] : rowSchema(inner, names);
  });
}

function operationText(method: string, operation: Operation): { types: string; member: string } {
  const { endpoint, section, about, content, transfer, listing } = operation;
  const name = capital(method);
  const parameters = parameterSchema(operation);
  const answer = answerSchema(operation);
  const contentMember =
    content === undefined
      ? ""
      : `${doc(`${content} Bytes, a \`Blob\`, or an object with the path of a file.`, "  ")}  readonly content: UploadContent;\n`;
  const inside = `${members(parameters, "  ", false)}${contentMember}`;
  // An empty interface would accept every object.
  const declared =
    inside === ""
      ? `export type ${name}Arguments = { readonly [name: string]: never };\n`
      : parameters.oneOf === undefined
        ? `export interface ${name}Arguments {\n${inside}}\n`
        : `export type ${name}Arguments = ${alternativesType(parameters)};\n`;
  const types = [`${doc(`Arguments of \`${method}\`.`, "")}${declared}`];
  let result = "Promise<void>";
  if (transfer === "download") result = "AsyncIterable<Uint8Array>";
  else if (answer !== undefined) {
    types.push(
      `${doc(`Response to \`${method}\`, in the names of the API.`, "")}export type ${name}Response = ${typeOf(answer, "", true)};\n`,
    );
    result = `Promise<${name}Response>`;
    if (listing !== undefined) {
      const rows = rowSchema(answer, listing.rows);
      const row = [...new Set(rows.map((each) => typeOf(each, "", true)))].join(" | ");
      types.push(`${doc(`Row of \`${method}\`.`, "")}export type ${name}Row = ${row};\n`);
      result = `Paged<${name}Response, ${name}Row>`;
    }
  }
  const { required = [], oneOf } = parameters;
  const isOptional = required.length === 0 && oneOf === undefined && content === undefined;
  const pages = listing === undefined ? "" : " With `for await`, returns the rows of all pages.";
  const effect = effectOf(operation) === "destroys" ? " It destroys." : "";
  const text = `${about}${pages}${effect} \`${endpoint.method} ${endpoint.path}\` (docs/contract.md#${section})`;
  const member = `${doc(text, "  ")}  ${method}(args${isOptional ? "?" : ""}: ${name}Arguments, options?: CallOptions): ${result};\n`;
  return { types: types.join("\n"), member };
}

/** Returns the text of `library/operation-type.ts`. */
export function operationTypes(): string {
  const texts = Object.entries(areas).map(([area, rows]) => {
    const written = Object.entries(rows).map(([method, row]) => operationText(method, row));
    const extended = additions[area];
    const heritage = extended === undefined ? "" : ` extends ${extended.join(", ")}`;
    return `${written.map(({ types }) => types).join("\n")}
${doc(`Operations of the area \`${area}\`.`, "")}export interface ${capital(area)}Operations${heritage} {
${written.map(({ member }) => member).join("")}}
`;
  });
  const settings = schemaOf(
    Object.fromEntries(Object.entries(settingFields).filter(([name]) => !ofResources.has(name))),
  );
  const methods = Object.entries(additions)
    .flatMap(([area, names]) => (area in areas ? names : []))
    .toSorted();
  return `/** Generated from the table of operations by \`npm run docs\`: do not edit. */
import type { ${methods.join(", ")} } from "./method.ts";
import type { CallOptions, Paged, UploadContent } from "./option.ts";

/** Settings of a client. Those that are missing come from the environment and from a profile. */
export interface Settings {
${members(settings, "  ", false)}}

${texts.join("\n")}
/** Operations by area. */
export interface Operations {
${Object.keys(areas)
  .map((area) => `  readonly ${area}: ${capital(area)}Operations;\n`)
  .join("")}}
`;
}
