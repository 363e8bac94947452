import { jsonString } from "../../../account/export/code.ts";
import {
  elementType,
  enumerationOf,
  type InputType,
  propertyType,
} from "../../../account/export/input-type.ts";
import manifest from "../../../package.json" with { type: "json" };
import {
  camelCase,
  capital,
  className,
  pascalCase,
  pulumiFunction,
  pulumiToken,
} from "../../../provider/core/name.ts";
import { importableSchema } from "../../../provider/pulumi/schema/import-form.ts";
import { packageFacts } from "../../../provider/pulumi/schema/package.ts";
import { packageSchema } from "../../../provider/pulumi/schema/schema.ts";
import { resources } from "../../../resources/index.ts";
import type { Block } from "../hcl.ts";
import {
  converted,
  generated,
  type Item,
  type ListOutput,
  namesOf,
  nested,
  type Program,
  usedItems,
  type Value,
} from "../program.ts";

/** Programs of Pulumi in Go, generated from the HCL example of a resource, and formatted as gofmt does. */

const { importBasePath } = packageFacts(manifest.version, manifest).language.go;
const schema = importableSchema(packageSchema(manifest.version));

/** Returns the program of an example in Go; undefined for an example with constructs that only HCL has. */
export const goProgram = (hcl: string): string | undefined => generated(hcl, "main.go", writeGo);

function writeGo(program: Program): string {
  const { items, inputsOf, outputs, listOutputs, after } = program;
  const inputs = new Map(items.map((item) => [item, inputsOf(item)]));
  const used = usedItems(program);
  const lastManaged = items.findLast(({ isLookup }) => !isLookup);
  let hasError = false;
  const statements = items.flatMap((item) => {
    const values = inputs.get(item) ?? [];
    const isUsed = used.has(item);
    if (item.isLookup)
      return [statement(isUsed ? `${variableOf(item)} := ` : "", lookup(item, values, after(item)))];
    const start = `${isUsed ? variableOf(item) : "_"}, err ${isUsed || !hasError ? ":=" : "="} `;
    hasError = true;
    const isLast = item === lastManaged && item === items.at(-1) && outputs.length + listOutputs.length === 0;
    return [
      statement(start, resource(item, values, after(item))),
      ...(isLast ? ["return err"] : ["if err != nil {", "\treturn err", "}"]),
    ];
  });
  const exports = outputs.map(
    ([name, value]) => `ctx.Export(${jsonString(name)}, ${oneLine(nodeOf(value, undefined))})`,
  );
  const body = [
    ...statements,
    ...exports,
    ...listOutputs.map(listExport),
    ...(statements.at(-1) === "return err" ? [] : ["return nil"]),
  ];
  return [
    "package main",
    "",
    "import (",
    '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
    `\t${jsonString(importBasePath)}`,
    ")",
    "",
    "func main() {",
    "\tpulumi.Run(func(ctx *pulumi.Context) error {",
    ...body.flatMap((text) => text.split("\n")).map((line) => `${"\t".repeat(depthOfBody)}${line}`),
    "\t})",
    "}",
  ].join("\n");
}

/** Returns the export of an attribute of each element of a list. */
function listExport({ name, item, list, attribute }: ListOutput): string {
  const { functions, resources: managed } = schema;
  const outputs = item.isLookup
    ? functions[pulumiFunction(item.kind)]?.outputs.properties
    : managed[pulumiToken(item.kind)]?.properties;
  const element = elementType(outputs?.[list]);
  const type = propertyType(element, attribute);
  const plainType = type !== undefined && "type" in type ? type.type : undefined;
  if (plainType !== "string") throw new TypeError(`${item.kind}.${list} has no texts ${attribute}`);
  return [
    `ctx.Export(${jsonString(name)}, ${referenceOf(item, [list])}.ApplyT(func(all []kcloud.${objectName(element)}) []string {`,
    "\tvar values []string",
    "\tfor _, each := range all {",
    `\t\tvalues = append(values, each.${capital(attribute)})`,
    "\t}",
    "\treturn values",
    "}))",
  ].join("\n");
}

/** Indentation of the statements, in levels. */
const depthOfBody = 2;

/** Maximum width of a line with a composite literal, in characters, and the width of a tab. */
const [width, tab] = [100, 4];

/** Expression: a text, or a composite literal with its entries, and the text around it. */
type Node =
  | string
  | {
      readonly open: string;
      readonly entries: readonly (readonly [key: string | undefined, value: Node])[];
      readonly close: string;
    };

const composite = (
  type: string,
  entries: readonly (readonly [key: string | undefined, value: Node])[],
): Node => ({ open: `${type}{`, entries, close: "}" });

/** Returns an expression around another one. */
const around = (before: string, node: Node, after: string): Node =>
  typeof node === "string"
    ? `${before}${node}${after}`
    : { ...node, open: `${before}${node.open}`, close: `${node.close}${after}` };

function oneLine(node: Node): string {
  if (typeof node === "string") return node;
  const entries = node.entries.map(
    ([key, value]) => `${key === undefined ? "" : `${key}: `}${oneLine(value)}`,
  );
  return `${node.open}${entries.join(", ")}${node.close}`;
}

/** Returns an expression after `before`: on one line if it fits there, otherwise with a line for each entry. */
function nodeText(node: Node, before: number, depth: number): string {
  const line = oneLine(node);
  if (typeof node === "string" || node.entries.length === 0 || before + line.length <= width) return line;
  const rows = node.entries.map(([key, value]) => {
    const start = key === undefined ? "" : `${key}: `;
    return { start, text: nodeText(value, (depth + 1) * tab + start.length, depth + 1) };
  });
  const lines = rows.map(({ start, text }, index) => `${start.padEnd(startWidth(rows, index))}${text},`);
  const inner = lines.flatMap((entry) => entry.split("\n")).map((each) => `\t${each}`);
  return [node.open, ...inner, node.close].join("\n");
}

/** Returns the width to which gofmt aligns the key of a row: that of the widest key among adjacent rows of one line. */
function startWidth(
  rows: readonly { readonly start: string; readonly text: string }[],
  index: number,
): number {
  const isLong = (at: number) => rows[at]?.text.includes("\n") ?? true;
  if (isLong(index)) return 0;
  let [first, last] = [index, index];
  while (first > 0 && !isLong(first - 1)) first -= 1;
  while (!isLong(last + 1)) last += 1;
  return Math.max(...rows.slice(first, last + 1).map(({ start }) => start.length));
}

const statement = (start: string, node: Node): string =>
  `${start}${nodeText(node, depthOfBody * tab + start.length, depthOfBody)}`;

/** Names that a variable cannot have. */
const reserved: ReadonlySet<string> = new Set([
  ...["break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func"],
  ...["go", "goto", "if", "import", "interface", "map", "package", "range", "return", "select", "struct"],
  ...["switch", "type", "var", "ctx", "err", "kcloud", "pulumi"],
]);

const variableOf = ({ name }: Item): string => (reserved.has(name) ? `${name}_` : name);

/** Returns the call that creates a resource. */
function resource(
  { kind, name, block }: Item,
  inputs: readonly (readonly [string, Value])[],
  after: readonly Item[],
): Node {
  const types = schema.resources[pulumiToken(kind)]?.inputProperties ?? {};
  const entries = inputs.map(([input, value]) => [capital(input), nodeOf(value, types[input])] as const);
  const args = entries.length === 0 ? "nil" : composite(`&kcloud.${className(kind)}Args`, entries);
  const options = [...optionsOf(block), ...dependencies(after)].map((option) => `, ${option}`);
  return around(`kcloud.New${className(kind)}(ctx, ${jsonString(name)}, `, args, `${options.join("")})`);
}

/** Returns the call of a lookup. A function whose resource has the same name is called after it. */
function lookup({ kind }: Item, inputs: readonly (readonly [string, Value])[], after: readonly Item[]): Node {
  const name = pascalCase(kind);
  const types = schema.functions[pulumiFunction(kind)]?.inputs.properties ?? {};
  const verb = resources.some((each) => className(each.name) === name) ? "Lookup" : "Get";
  const entries = inputs.map(([input, value]) => [capital(input), nodeOf(value, types[input])] as const);
  return around(
    `kcloud.${verb}${name}Output(ctx, `,
    composite(`kcloud.${verb}${name}OutputArgs`, entries),
    `${dependencies(after)
      .map((option) => `, ${option}`)
      .join("")})`,
  );
}

/** Returns the option with the items that must exist before. */
const dependencies = (after: readonly Item[]): string[] =>
  after.length === 0 ? [] : [`pulumi.DependsOn([]pulumi.Resource{${after.map(variableOf).join(", ")}})`];

/** Returns the resource options: the timeouts, and the attributes whose changes the engine ignores. */
function optionsOf(block: Block): string[] {
  const timeouts = nested(block, "timeouts").map(
    ([name, value]) => `${capital(name)}: ${oneLine(plain(converted(value, undefined, [])))}`,
  );
  const ignored = nested(block, "lifecycle").flatMap(([name, value]) =>
    name === "ignore_changes" ? [oneLine(texts(namesOf(value, camelCase)))] : [],
  );
  return [
    ...(timeouts.length === 0 ? [] : [`pulumi.Timeouts(&pulumi.CustomTimeouts{${timeouts.join(", ")}})`]),
    ...ignored.map((list) => `pulumi.IgnoreChanges(${list})`),
  ];
}

/** Returns a list of texts. */
const texts = (value: Value): Node =>
  composite(
    "[]string",
    value.kind === "list" ? value.items.map((item) => [undefined, plain(item)] as const) : [],
  );

/** Returns a value without the types of Pulumi, such as one that becomes JSON. */
function plain(value: Value): Node {
  switch (value.kind) {
    case "literal":
      return typeof value.value === "string" ? jsonString(value.value) : String(value.value);
    case "list":
      return composite(
        "[]any",
        value.items.map((item) => [undefined, plain(item)] as const),
      );
    case "object":
      return composite(
        "map[string]any",
        value.entries.map(([name, entry]) => [jsonString(name), plain(entry)] as const),
      );
    default:
      return nodeOf(value, undefined);
  }
}

const scalars = { string: "String", integer: "Int", number: "Float64", boolean: "Bool" } as const;

/** Returns the Go type of a scalar, of which Pulumi has arrays and maps. */
function scalarOf(type: InputType | undefined): string {
  const enumeration = enumerationOf(type);
  if (enumeration !== undefined && !isOpen(type)) return `kcloud.${enumeration.name}`;
  if (type !== undefined && "type" in type && type.type !== undefined && type.type in scalars)
    return `pulumi.${scalars[type.type as keyof typeof scalars]}`;
  throw new TypeError(`${JSON.stringify(type)} is no scalar`);
}

/** Returns true for a set of values that also accepts others. */
const isOpen = (type: InputType | undefined): boolean => type !== undefined && "oneOf" in type;

/** Returns the name of a member of an enumeration. */
const memberOf = (type: string, name: string): string =>
  `kcloud.${type}${name.includes("_") ? "_" : ""}${name}`;

/** Returns a value of this type as an expression. */
function nodeOf(value: Value, type: InputType | undefined): Node {
  switch (value.kind) {
    case "literal": {
      const enumeration = enumerationOf(type);
      const member = enumeration?.members.find((each) => each.value === value.value);
      if (enumeration !== undefined && member !== undefined) {
        const name = memberOf(enumeration.name, member.name);
        return isOpen(type) ? `${scalarOf(type)}(${name})` : name;
      }
      return `${scalarOf(type)}(${oneLine(plain(value))})`;
    }
    case "reference":
      return referenceOf(value.item, value.path);
    case "list":
      return composite(
        `${scalarOf(elementType(type))}Array`,
        value.items.map((item) => [undefined, nodeOf(item, elementType(type))] as const),
      );
    case "object": {
      const element = elementType(type);
      return element === undefined
        ? composite(
            `&kcloud.${objectName(type)}Args`,
            value.entries.map(
              ([name, entry]) => [capital(name), nodeOf(entry, propertyType(type, name))] as const,
            ),
          )
        : composite(
            `${scalarOf(element)}Map`,
            value.entries.map(([name, entry]) => [jsonString(name), nodeOf(entry, element)] as const),
          );
    }
    case "json":
      return around("pulumi.JSONMarshal(", plain(value.value), ")");
  }
}

/** Returns the name of an object type. */
function objectName(type: InputType | undefined): string {
  if (type === undefined || !("$ref" in type)) throw new TypeError(`${JSON.stringify(type)} is no object`);
  return type.$ref.split(":").at(-1) ?? "";
}

/** Returns an output: a field of a resource, and methods of nested values and of lookups. */
function referenceOf(item: Item, path: readonly (string | number)[]): string {
  const parts = path.map((part, index) => {
    if (typeof part === "number") return `.Index(pulumi.Int(${part}))`;
    if (index > 0 || item.isLookup) return `.${capital(part)}()`;
    return part === "id" ? ".ID()" : `.${capital(part)}`;
  });
  return `${variableOf(item)}${parts.join("")}`;
}
