import manifest from "../../package.json" with { type: "json" };
import { capital } from "../../provider/core/name.ts";
import {
  type FunctionSpec,
  type PackageSpec,
  packageSchema,
  type ResourceSpec,
} from "../../provider/pulumi/schema/schema.ts";
import type { PropertySpecs } from "../../provider/pulumi/schema/type.ts";
import { dynamicAdapter, pluginAdapter } from "./adapter.ts";
import { moduleText } from "./class.ts";
import { enumText, interfaceText, reachableTypes, typeName } from "./type.ts";

/**
 * Generates the TypeScript classes of both adapters from the schema of the package. The adapters share all types, so that
 * a program can change the adapter by changing its import.
 */
export function generateSdk(
  spec: PackageSpec = packageSchema(manifest.version),
): { readonly file: string; readonly text: string }[] {
  const types = typesText(spec);
  const typeNames = [...types.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = ""]) => name);
  const files = {
    types,
    pulumi: moduleText(spec, pluginAdapter, typeNames),
    dynamic: moduleText(spec, dynamicAdapter, typeNames),
    p: handlersText(spec),
  };
  const head = "// Written by the build from the definitions.\n";
  return Object.entries(files).map(([name, text]) => ({ file: `generated/${name}.ts`, text: head + text }));
}

/** Returns the text of the module that loads a stack's dynamic providers, with one export per resource. */
const handlersText = (spec: PackageSpec): string =>
  [
    'import { handlers } from "../provider/dynamic/dynamic.ts";\n',
    ...Object.keys(spec.resources).map(
      (token) => `export const ${typeName(token)} = handlers.${typeName(token)};`,
    ),
    "",
  ].join("\n");

function typesText(spec: PackageSpec): string {
  const resources = Object.values(spec.resources);
  const functions = Object.values(spec.functions);
  const inputs = [
    ...resources.map((of) => of.inputProperties),
    ...functions.map((of) => of.inputs.properties),
  ];
  const outputs = [...resources.map((of) => of.properties), ...functions.map((of) => of.outputs.properties)];
  const nested = (from: readonly PropertySpecs[], mode: "args" | "result") =>
    [...reachableTypes(from, spec.types)].flatMap((token) => {
      const named = spec.types[token];
      if (named === undefined || "enum" in named) return [];
      const name = `${typeName(token)}${mode === "args" ? "Args" : ""}`;
      return interfaceText(name, named, mode, named.description);
    });
  const enumerations = Object.entries(spec.types).flatMap(([token, named]) =>
    "enum" in named ? enumText(typeName(token), named) : [],
  );
  return [
    'import type * as pulumi from "@pulumi/pulumi";\n',
    ...Object.entries(spec.resources).map(([token, of]) => resourceTypes(typeName(token), of)),
    ...Object.entries(spec.functions).map(([token, of]) => functionTypes(typeName(token), of)),
    ...nested(inputs, "args"),
    ...nested(outputs, "result"),
    ...enumerations,
  ].join("\n");
}

const resourceTypes = (name: string, of: ResourceSpec): string =>
  [
    interfaceText(
      `${name}Args`,
      { properties: of.inputProperties, required: of.requiredInputs },
      "args",
      `Inputs of the resource ${name}.`,
    ),
    interfaceText(
      `${name}State`,
      { properties: of.properties, required: [] },
      "state",
      `Outputs of ${name} that are known before \`${name}.get\` reads the object.`,
    ),
  ].join("\n");

function functionTypes(token: string, { inputs, outputs }: FunctionSpec): string {
  const name = capital(token);
  return [
    interfaceText(`${name}Args`, inputs, "plain", `Arguments of \`${token}\`.`),
    interfaceText(`${name}OutputArgs`, inputs, "args", `Arguments of \`${token}Output\`.`),
    interfaceText(`${name}Result`, outputs, "result", `Result of \`${token}\`.`),
  ].join("\n");
}
