import { type Code, objectCode, textCode } from "../../account/export/code.ts";
import { startOfLine } from "../../account/export/layout.ts";
import { typescriptText } from "../../account/export/typescript-syntax.ts";
import { yamlEntry, yamlScalar } from "../../account/export/yaml-syntax.ts";
import { lookups } from "../../functions/index.ts";
import {
  camelCase,
  className,
  fieldName,
  pascalCase,
  pulumiFunction,
  terraformType,
} from "../../provider/core/name.ts";
import type { Fields } from "../../provider/definition/field.ts";
import { membersOf, type Shape } from "../../provider/definition/shape.ts";
import { resources } from "../../resources/index.ts";
import { attributeOf, type Block, type Entry, type Expression, inlined, parseHcl } from "./hcl.ts";

/**
 * Programs in Pulumi YAML and for CDKTF, generated from the HCL example of a resource; `program/` has those in other languages of
 * Pulumi.
 */

/** Value of a program: names of attributes in camel case, references by the names of the program. */
export type Value =
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "reference"; readonly item: Item; readonly path: readonly (string | number)[] }
  | { readonly kind: "list"; readonly items: readonly Value[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [name: string, value: Value])[] }
  /** Value that is encoded as JSON. */
  | { readonly kind: "json"; readonly value: Value };

/** Resource or data source of the example. */
export interface Item {
  readonly block: Block;
  /** Name in the program. */
  readonly name: string;
  /** Name of the definition. */
  readonly kind: string;
  readonly fields: Fields;
  readonly isLookup: boolean;
}

/** Example in the form that the writers of all languages use. */
export interface Program {
  readonly items: readonly Item[];
  readonly inputsOf: (item: Item) => readonly (readonly [name: string, value: Value])[];
  readonly outputs: readonly (readonly [name: string, value: Value, isSecret: boolean])[];
  /** Outputs that only some languages have: an attribute of each element of a list. */
  readonly listOutputs: readonly ListOutput[];
  /** Returns the items that must exist before, which the inputs do not show. */
  readonly after: (item: Item) => readonly Item[];
}

/** Output with an attribute of each element of a list. */
export interface ListOutput {
  readonly name: string;
  readonly item: Item;
  /** Attribute with the list. */
  readonly list: string;
  /** Attribute of the elements. */
  readonly attribute: string;
}

/** Reads an example. Throws `SyntaxError` for one that cannot be a program of another language. */
function programOf(hcl: string): Program {
  const file = parseHcl(hcl);
  const blocks = file.blocks.filter(({ type }) => type === "resource" || type === "data").flatMap(expanded);
  const items = blocks.map((block) => itemOf(block, blocks));
  const convert = (expression: Expression, shape: Shape | undefined): Value =>
    converted(inlined(expression, file), shape, items);
  return {
    items,
    inputsOf: ({ block, fields }) =>
      withoutDependencies(block).map(([name, expression]) => {
        const member = membersOf(fields)[camelCase(name)];
        // A meta-argument such as `for_each`.
        if (member === undefined) throw new SyntaxError(`no attribute ${name}`);
        return [camelCase(name), convert(expression, member.shape)] as const;
      }),
    // Programs in other languages have no splat and no output of a whole resource.
    outputs: file.blocks.flatMap((block) => {
      if (block.type !== "output") return [];
      const value = attributeOf(block, "value");
      if (value.kind === "reference" && (value.path.includes("*") || value.path.length < 3)) return [];
      const isSecret = block.attributes.some(([name]) => name === "sensitive");
      return [[camelCase(block.labels[0] ?? ""), convert(value, undefined), isSecret] as const];
    }),
    listOutputs: file.blocks.flatMap((block) => {
      const value = block.type === "output" ? attributeOf(block, "value") : undefined;
      if (value?.kind !== "reference" || value.path.at(-2) !== "*") return [];
      const { item, path } = converted(
        { ...value, path: value.path.slice(0, -2) },
        undefined,
        items,
      ) as Value & {
        readonly kind: "reference";
      };
      const [list] = path;
      if (typeof list !== "string" || path.length > 1) return [];
      const attribute = camelCase(String(value.path.at(-1)));
      return [{ name: camelCase(block.labels[0] ?? ""), item, list, attribute }];
    }),
    after: ({ block }) => {
      const named = block.attributes.find(([name]) => name === "depends_on")?.[1];
      return named === undefined ? [] : [...referencedItems([converted(named, undefined, items)])];
    },
  };
}

/** Returns the attributes of a block that are inputs. */
const withoutDependencies = ({ attributes }: Block): readonly Entry[] =>
  attributes.filter(([name]) => name !== "depends_on");

/** Throws `SyntaxError` for a program with dependencies that its writer would lose. */
function refuseDependencies({ items, after }: Program): void {
  if (items.some((item) => after(item).length > 0)) throw new SyntaxError("no depends_on");
}

/** Returns a block for each key of a `for_each` with a set of texts; the block itself if it has none. */
function expanded(block: Block): Block[] {
  const each = block.attributes.find(([name]) => name === "for_each")?.[1];
  if (each === undefined) return [block];
  const [keys] = each.kind === "call" && each.name === "toset" ? each.args : [];
  if (keys?.kind !== "list") throw new SyntaxError("for_each is no set of texts");
  return keys.items.map((key) => {
    if (key.kind !== "literal") throw new SyntaxError("for_each has a key that is no text");
    const [type = "", label = ""] = block.labels;
    return {
      ...block,
      labels: [type, `${label}_${key.value}`],
      attributes: block.attributes.flatMap(([name, value]): Entry[] =>
        name === "for_each" ? [] : [[name, withKey(value, key)]],
      ),
    };
  });
}

/** Replaces `each.key` and `each.value` in the attribute of a block. */
function withKey(expression: Expression, key: Expression & { readonly kind: "literal" }): Expression {
  switch (expression.kind) {
    case "literal":
      return expression;
    case "reference":
      return expression.path[0] === "each" ? key : expression;
    case "list":
      return { ...expression, items: expression.items.map((item) => withKey(item, key)) };
    case "object":
      return {
        ...expression,
        entries: expression.entries.map(([name, value]) => [name, withKey(value, key)] as const),
      };
    case "call": {
      const args = expression.args.map((argument) => withKey(argument, key));
      const [only] = args;
      if (expression.name === "tonumber" && only?.kind === "literal")
        return { kind: "literal", value: Number(only.value) };
      return { ...expression, args };
    }
  }
}

function itemOf(block: Block, all: readonly Block[]): Item {
  const [type = "", label = ""] = block.labels;
  const isLookup = block.type === "data";
  const definitions: readonly { readonly name: string; readonly fields: Fields }[] = isLookup
    ? lookups
    : resources;
  const definition = definitions.find(({ name }) => terraformType(name) === type);
  if (definition === undefined) throw new SyntaxError(`no definition of ${type}`);
  const suffix = isUnique(block, all) ? "" : isLookup ? "Data" : className(definition.name);
  const { name: kind, fields } = definition;
  // The examples of data sources have a label that says nothing.
  const name = label === "example" ? fieldName(kind) : camelCase(`${label}${suffix}`);
  return { block, name, kind, fields, isLookup };
}

/** Returns true if no other block has the label. A resource keeps its name if only a data source has the same label. */
const isUnique = (block: Block, all: readonly Block[]): boolean =>
  all.every(
    (other) =>
      other === block ||
      other.labels[1] !== block.labels[1] ||
      (block.type === "resource" && other.type === "data"),
  );

/** Converts an expression for a value of this shape. */
export function converted(expression: Expression, shape: Shape | undefined, items: readonly Item[]): Value {
  switch (expression.kind) {
    case "literal":
      return expression;
    case "list": {
      const of = shape !== undefined && "of" in shape ? shape.of : undefined;
      return { kind: "list", items: expression.items.map((item) => converted(item, of, items)) };
    }
    case "object":
      return { kind: "object", entries: expression.entries.map((entry) => entryOf(entry, shape, items)) };
    case "call": {
      const [argument] = expression.args;
      if (expression.name !== "jsonencode" || argument === undefined)
        throw new SyntaxError(`no function ${expression.name}`);
      return { kind: "json", value: converted(argument, undefined, items) };
    }
    case "reference": {
      const isData = expression.path[0] === "data";
      const [type, label, ...path] = isData ? expression.path.slice(1) : expression.path;
      const item = items.find(
        ({ block, isLookup }) => isLookup === isData && block.labels[0] === type && block.labels[1] === label,
      );
      if (item === undefined) throw new SyntaxError(`no block ${type}.${label}`);
      return {
        kind: "reference",
        item,
        path: path.map((part) => (typeof part === "string" ? camelCase(part) : part)),
      };
    }
  }
}

/** Converts an entry of an object. Names of attributes become camel case, keys of a map are unchanged. */
function entryOf([name, value]: Entry, shape: Shape | undefined, items: readonly Item[]) {
  if (shape?.kind === "object") {
    const attribute = camelCase(name);
    return [attribute, converted(value, shape.fields[attribute]?.shape, items)] as const;
  }
  return [
    name,
    converted(value, shape !== undefined && "of" in shape ? shape.of : undefined, items),
  ] as const;
}

/** Returns the entries of a nested block, such as `timeouts`. */
export const nested = (block: Block, type: string): readonly Entry[] =>
  block.blocks.find((inner) => inner.type === type)?.attributes ?? [];

/**
 * Returns the program, or undefined for an example with constructs that only HCL has. An example that reads its own file reads
 * `file`, the one of the program.
 */
export function generated(
  hcl: string,
  file: string | undefined,
  write: (program: Program) => string,
): string | undefined {
  const text =
    file === undefined
      ? hcl
      : hcl
          .replaceAll(/"\$\{path\.module\}\/main\.tf"/g, JSON.stringify(file))
          .replaceAll("/main.tf", `/${file}`);
  try {
    return write(programOf(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns the items that others refer to, which therefore need a variable in a program. */
export function usedItems({ items, inputsOf, outputs, listOutputs, after }: Program): ReadonlySet<Item> {
  const inputs = items.map(inputsOf);
  return new Set([
    ...referencedItems([...inputs, outputs].flatMap((list) => list.map(([, value]) => value))),
    ...listOutputs.map(({ item }) => item),
    ...items.flatMap(after),
  ]);
}

/** Returns the items to which values refer. */
export const referencedItems = (values: readonly Value[]): ReadonlySet<Item> =>
  new Set(values.flatMap(itemsIn));

function itemsIn(value: Value): Item[] {
  switch (value.kind) {
    case "literal":
      return [];
    case "reference":
      return [value.item];
    case "list":
      return value.items.flatMap(itemsIn);
    case "object":
      return value.entries.flatMap(([, entry]) => itemsIn(entry));
    case "json":
      return itemsIn(value.value);
  }
}

/** Returns the program of an example in Pulumi YAML; undefined for an example with constructs that only HCL has. */
export const yamlProgram = (name: string, hcl: string): string | undefined =>
  generated(hcl, "Pulumi.yaml", (program) => {
    refuseDependencies(program);
    return writeYaml(name, program);
  });

function writeYaml(name: string, { items, inputsOf, outputs }: Program): string {
  const known = items.filter(({ isLookup }) => isLookup);
  const managed = items.filter(({ isLookup }) => !isLookup);
  const variables = known.flatMap((item) => [
    `  ${item.name}:`,
    "    fn::invoke:",
    `      function: ${pulumiFunction(item.kind)}`,
    ...yamlEntry(["arguments", yamlCode({ kind: "object", entries: inputsOf(item) })], 6),
  ]);
  const resourceLines = managed.flatMap((item) => [
    `  ${item.name}:`,
    `    type: kcloud:${className(item.kind)}`,
    ...yamlEntry(["properties", yamlCode({ kind: "object", entries: inputsOf(item) })], 4),
    ...optionLines(item.block),
  ]);
  return [
    `name: ${name}`,
    "runtime: yaml",
    "plugins:",
    "  providers:",
    "    - name: kcloud",
    "      path: ./node_modules/@kcloud/iac/dist",
    ...(variables.length === 0 ? [] : ["variables:", ...variables]),
    "resources:",
    ...resourceLines,
    ...(outputs.length === 0 ? [] : ["outputs:"]),
    ...outputs.flatMap(([output, value]) => yamlEntry([output, yamlCode(value)], 2)),
  ].join("\n");
}

/** Returns the lines of the resource options: the timeouts, and the attributes whose changes the engine ignores. */
function optionLines(block: Block): string[] {
  const timeouts = nested(block, "timeouts").flatMap(([name, value]) =>
    yamlEntry([name, yamlCode(converted(value, undefined, []))], 8),
  );
  const ignored = nested(block, "lifecycle").flatMap(([name, value]) =>
    name === "ignore_changes" ? yamlEntry(["ignoreChanges", yamlCode(namesOf(value, camelCase))], 6) : [],
  );
  if (timeouts.length + ignored.length === 0) return [];
  return [
    "    options:",
    ...(timeouts.length === 0 ? [] : ["      customTimeouts:", ...timeouts]),
    ...ignored,
  ];
}

/** Returns the list of the attribute names in `ignore_changes`, which HCL writes as references. */
export const namesOf = (value: Expression, spelled: (name: string) => string): Value => ({
  kind: "list",
  items: (value.kind === "list" ? value.items : []).flatMap((item) =>
    item.kind === "reference" ? [{ kind: "literal", value: spelled(String(item.path[0])) }] : [],
  ),
});

/** Returns a value with the texts of YAML. */
function yamlCode(value: Value): Code {
  switch (value.kind) {
    case "literal":
      return textCode(yamlScalar(value.value));
    case "reference":
      return textCode(JSON.stringify(`\${${value.item.name}${accessOf(value.path)}}`));
    case "list":
      return { kind: "list", items: value.items.map(yamlCode) };
    case "object":
      return objectCode(value.entries.map(([name, entry]) => [name, yamlCode(entry)]));
    case "json":
      return { kind: "call", name: "fn::toJSON", argument: yamlCode(value.value) };
  }
}

/** Returns a path as an access expression: `.fixedIps[0].ipAddress`. */
const accessOf = (path: readonly (string | number)[]): string =>
  path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");

/** Returns the program of an example for CDKTF; undefined for an example with constructs that only HCL has. */
export const cdktfProgram = (name: string, hcl: string): string | undefined =>
  generated(hcl, undefined, (program) => {
    refuseDependencies(program);
    return writeCdktf(name, program);
  });

function writeCdktf(name: string, { items, inputsOf, outputs }: Program): string {
  const written = items.map((item) => {
    const options = [
      ...(["timeouts", "lifecycle"] as const).flatMap((type) => {
        const entries = nested(item.block, type).map(
          ([key, value]) =>
            [
              camelCase(key),
              key === "ignore_changes" ? namesOf(value, (name) => name) : converted(value, undefined, []),
            ] as const,
        );
        return entries.length === 0 ? [] : [[type, { kind: "object", entries }] as const];
      }),
    ];
    const inputs: Value = { kind: "object", entries: [...inputsOf(item), ...options] };
    const type = item.isLookup ? `DataKcloud${pascalCase(item.kind)}` : className(item.kind);
    const start = `new ${type}(stack, ${JSON.stringify(item.name)}, `;
    const before = `const ${item.name} = ${start}`.length;
    return {
      item,
      type,
      call: `${start}${typescriptText(typescriptCode(inputs), { ...startOfLine, before, after: 2 })});`,
    };
  });
  const outputLines = outputs.map(([output, value, isSecret]) => {
    const secret = isSecret ? ", sensitive: true" : "";
    // Names in a stack are unique.
    const id = items.some(({ name }) => name === output) ? `${output}Output` : output;
    return `new TerraformOutput(stack, ${JSON.stringify(id)}, { value: ${typescriptText(typescriptCode(value), startOfLine)}${secret} });`;
  });
  const code = [...written.map(({ call }) => call), ...outputLines].join("\n");
  const isUsed = ({ name }: Item) => new RegExp(`(?<![\\w".])${name}[.\\]]`).test(code);
  const library = ["App", "Fn", "TerraformOutput", "TerraformStack"].filter(
    (each) => !["Fn", "TerraformOutput"].includes(each) || code.includes(each),
  );
  const types = [...new Set(["KcloudProvider", ...written.map(({ type }) => type)])].toSorted();
  return [
    `import { ${types.join(", ")} } from "@kcloud/iac/cdktf";`,
    `import { ${library.join(", ")} } from "cdktf";`,
    "",
    "const app = new App();",
    `const stack = new TerraformStack(app, ${JSON.stringify(name)});`,
    'new KcloudProvider(stack, "kcloud");',
    "",
    ...written.map(({ item, call }) => (isUsed(item) ? `const ${item.name} = ${call}` : call)),
    ...outputLines,
    "",
    "app.synth();",
  ].join("\n");
}

/** Returns a value with the texts of TypeScript. */
function typescriptCode(value: Value): Code {
  switch (value.kind) {
    case "literal":
      return textCode(JSON.stringify(value.value));
    case "reference":
      return textCode(referenceOf(value.item.name, value.path));
    case "list":
      return { kind: "list", items: value.items.map(typescriptCode) };
    case "object":
      return objectCode(value.entries.map(([name, entry]) => [name, typescriptCode(entry)]));
    case "json":
      return { kind: "call", name: "Fn.jsonencode", argument: typescriptCode(value.value) };
  }
}

/** Returns a reference: an element of a list is an object if one of its attributes is read, else a plain value. */
function referenceOf(name: string, path: readonly (string | number)[]): string {
  const last = path.at(-1);
  if (typeof last === "number") return `Fn.element(${referenceOf(name, path.slice(0, -1))}, ${last})`;
  return `${name}${path.map((part) => (typeof part === "number" ? `.get(${part})` : `.${part}`)).join("")}`;
}
