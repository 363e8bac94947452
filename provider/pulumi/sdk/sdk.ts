import manifest from "../../../package.json" with { type: "json" };
import type { FunctionSpec, PackageSpec, ResourceSpec } from "../schema/schema.ts";
import { packageSchema } from "../schema/schema.ts";
import { dynamicFace, faceText, handlersText, pluginFace } from "./class.ts";
import { interfaceText, reached, typeName } from "./type.ts";

/**
 * The TypeScript classes of both faces, written from the schema of the package. They share every type, so that a
 * program moves from one face to the other by its import alone.
 */
export function generateSdk(
  spec: PackageSpec = packageSchema(manifest.version),
): { readonly file: string; readonly text: string }[] {
  const types = typesText(spec);
  const typeNames = [...types.matchAll(/^export interface (\w+)/gm)].map(([, name = ""]) => name);
  const files = {
    types,
    pulumi: faceText(spec, pluginFace, typeNames),
    dynamic: faceText(spec, dynamicFace, typeNames),
    p: handlersText(spec),
  };
  const head = "// Written by the build from the definitions.\n";
  return Object.entries(files).map(([name, text]) => ({ file: `generated/${name}.ts`, text: head + text }));
}

function typesText(spec: PackageSpec): string {
  const made = Object.values(spec.resources);
  const asked = Object.values(spec.functions);
  const written = [...made.map((of) => of.inputProperties), ...asked.map((of) => of.inputs.properties)];
  const told = [...made.map((of) => of.properties), ...asked.map((of) => of.outputs.properties)];
  const nested = (from: typeof written, mode: "args" | "result") =>
    [...reached(from, spec.types)].map((token) => {
      const { properties = {}, required = [] } = spec.types[token] ?? {};
      return interfaceText(`${typeName(token)}${mode === "args" ? "Args" : ""}`, properties, required, mode);
    });
  return [
    'import type * as pulumi from "@pulumi/pulumi";\n',
    ...Object.entries(spec.resources).map(([token, of]) => resourceTypes(typeName(token), of)),
    ...Object.entries(spec.functions).map(([token, of]) => functionTypes(typeName(token), of)),
    ...nested(written, "args"),
    ...nested(told, "result"),
  ].join("\n");
}

const resourceTypes = (name: string, of: ResourceSpec): string =>
  [
    interfaceText(
      `${name}Args`,
      of.inputProperties,
      of.requiredInputs,
      "args",
      `What a ${name} is made from.`,
    ),
    interfaceText(`${name}State`, of.properties, [], "state", `What is known of a ${name} beforehand.`),
  ].join("\n");

function functionTypes(token: string, { inputs, outputs }: FunctionSpec): string {
  const name = token.charAt(0).toUpperCase() + token.slice(1);
  return [
    interfaceText(`${name}Args`, inputs.properties, inputs.required, "plain"),
    interfaceText(`${name}OutputArgs`, inputs.properties, inputs.required, "args"),
    interfaceText(`${name}Result`, outputs.properties, outputs.required, "result"),
  ].join("\n");
}
