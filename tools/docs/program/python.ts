import { type Code, objectCode, quoted, textCode } from "../../../account/export/code.ts";
import {
  elementType,
  type InputType,
  inputType,
  lookupInputType,
  propertyType,
} from "../../../account/export/input-type.ts";
import { startOfLine } from "../../../account/export/layout.ts";
import {
  type Argument,
  callText,
  python,
  pythonLiteral,
  pythonName,
  sdk,
  valueText,
} from "../../../account/export/python-syntax.ts";
import { reservedInPython } from "../../../account/export/variable.ts";
import { camelCase, className, snakeCase, underscored } from "../../../provider/core/name.ts";
import type { Block } from "../hcl.ts";
import {
  converted,
  generated,
  type Item,
  namesOf,
  nested,
  type Program,
  referencedItems,
  usedItems,
  type Value,
} from "../program.ts";

/** Programs of Pulumi in Python, generated from the HCL example of a resource. */

/** Returns the program of an example in Python; undefined for an example with constructs that only HCL has. */
export const pythonProgram = (hcl: string): string | undefined => generated(hcl, "__main__.py", writePython);

function writePython(program: Program): string {
  const { items, inputsOf, outputs, listOutputs, after } = program;
  const inputs = new Map(items.map((item) => [item, inputsOf(item)]));
  const used = usedItems(program);
  const statements = items.map((item) => {
    const start = used.has(item) ? `${variableOf(item)} = ` : "";
    const args = argumentsOf(item, inputs.get(item) ?? [], after(item));
    const name = item.isLookup ? `get_${underscored(item.kind)}_output` : className(item.kind);
    return `${start}${callText(`${sdk}.${name}`, args, { ...startOfLine, before: start.length })}`;
  });
  const exports = [
    ...outputs.map(([name, value]) => exportOf(name, valueText(codeOf(value, undefined)))),
    ...listOutputs.map(({ name, item, list, attribute }) => {
      const values = textCode(`lambda rows: [row.${pythonName(attribute)} for row in rows]`);
      const apply = `${variableOf(item)}.${pythonName(list)}.apply`;
      return exportOf(name, (position) => callText(apply, [[undefined, valueText(values)]], position));
    }),
  ];
  const code = [...statements, ...(exports.length === 0 ? [] : [exports.join("\n")])].join("\n\n");
  const packages = [...(/\bpulumi\./.test(code) ? ["pulumi"] : []), "pulumi_kcloud"];
  return [
    ...(/\bjson\./.test(code) ? ["import json", ""] : []),
    ...python.importLines(new Map(packages.map((name) => [name, new Set<string>()]))),
    "",
    code,
  ].join("\n");
}

/** Returns the statement of an output. */
const exportOf = (name: string, value: Argument[1]): string =>
  callText(
    "pulumi.export",
    [
      [undefined, valueText(textCode(quoted(name)))],
      [undefined, value],
    ],
    startOfLine,
  );

/** Returns the variable of an item. */
function variableOf({ name }: Item): string {
  const variable = snakeCase(name);
  return reservedInPython.has(variable) ? `${variable}_` : variable;
}

function argumentsOf(
  item: Item,
  inputs: readonly (readonly [string, Value])[],
  after: readonly Item[],
): Argument[] {
  const named = inputs.map(([name, value]): Argument => {
    const type = item.isLookup ? lookupInputType(item.kind, name) : inputType(item.kind, name);
    return [pythonName(name), valueText(codeOf(value, type))];
  });
  const dependencies: Argument[] =
    after.length === 0
      ? []
      : [["depends_on", valueText({ kind: "list", items: after.map((each) => textCode(variableOf(each))) })]];
  const options = [...optionsOf(item.block), ...dependencies];
  const type = item.isLookup ? "pulumi.InvokeOutputOptions" : "pulumi.ResourceOptions";
  return [
    ...(item.isLookup ? [] : [[undefined, valueText(textCode(quoted(item.name)))] satisfies Argument]),
    ...named,
    ...(options.length === 0
      ? []
      : [["opts", (position) => callText(type, options, position)] satisfies Argument]),
  ];
}

/** Returns the resource options: the timeouts, and the attributes whose changes the engine ignores. */
function optionsOf(block: Block): Argument[] {
  const timeouts = nested(block, "timeouts").map(
    ([name, value]): Argument => [name, valueText(codeOf(converted(value, undefined, []), undefined))],
  );
  const ignored = nested(block, "lifecycle").flatMap(([name, value]): Argument[] =>
    name === "ignore_changes"
      ? [
          [
            "ignore_changes",
            valueText(
              codeOf(
                namesOf(value, (each) => pythonName(camelCase(each))),
                undefined,
              ),
            ),
          ],
        ]
      : [],
  );
  return [
    ...(timeouts.length === 0
      ? []
      : [
          [
            "custom_timeouts",
            (position) => callText("pulumi.CustomTimeouts", timeouts, position),
          ] satisfies Argument,
        ]),
    ...ignored,
  ];
}

/** Returns a value with the texts of Python. Names of properties are those of the SDK, keys of a map are unchanged. */
function codeOf(value: Value, type: InputType | undefined): Code {
  switch (value.kind) {
    case "literal":
      return textCode(pythonLiteral(value.value, type));
    case "reference": {
      const path = value.path.map((part) =>
        typeof part === "number" ? `[${part}]` : `.${pythonName(part)}`,
      );
      return textCode(`${variableOf(value.item)}${path.join("")}`);
    }
    case "list":
      return { kind: "list", items: value.items.map((item) => codeOf(item, elementType(type))) };
    case "object":
      return objectCode(
        value.entries.map(([name, entry]) => {
          const property = propertyType(type, name);
          return property === undefined
            ? [name, codeOf(entry, elementType(type))]
            : [pythonName(name), codeOf(entry, property)];
        }),
      );
    case "json":
      return {
        kind: "call",
        name: referencedItems([value]).size > 0 ? "pulumi.Output.json_dumps" : "json.dumps",
        argument: codeOf(value.value, undefined),
      };
  }
}
