import { explain, InputError } from "../../provider/core/error.ts";
import { DiagnosticError, storedState } from "../../provider/terraform/terraform.ts";
import { isOwnSource, isOwnType, resourceOfTerraform } from "../../review/model/kind.ts";
import {
  isObject,
  type Json,
  malformed,
  objectOf,
  objectsOf,
  stringOf,
  stringsOf,
} from "../../review/read/json.ts";
import { UnreadableError } from "../../review/read/read.ts";
import { rowsOfState, type StateRow } from "../../review/read/terraform-state.ts";
import { isIdentified, type Recorded, type StateFile } from "./recorded.ts";

/** Reads states of Terraform and OpenTofu: state files of version 4, and the output of `show -json`. */

export function terraformState(json: Json): StateFile {
  const isFile = "resources" in json;
  if (isFile && json.version !== 4)
    throw new UnreadableError(
      `is a state of version ${String(json.version)}; this version reads version 4: run terraform state pull with a newer version of the engine`,
    );
  const isShown = /^1(\.|$)/.test(stringOf(json.format_version) ?? "");
  if (!isFile && !isShown)
    throw new UnreadableError(
      `has the format version ${String(json.format_version)}; this version reads 1.x`,
    );
  const read = rowsOfState(json)
    .filter(({ type }) => isOwnType(type))
    .map(recordedOf);
  return {
    engine: "terraform",
    engineVersion: stringOf(json.terraform_version),
    serial: typeof json.serial === "number" ? json.serial : undefined,
    lineage: stringOf(json.lineage),
    objects: read.flatMap((one) => ("address" in one ? [one] : [])),
    gaps: [
      ...(isFile ? malformedInFile(json) : malformedInModule(objectOf(objectOf(json.values).root_module))),
      ...read.flatMap((one) => ("gap" in one ? [one.gap] : [])),
    ],
  };
}

/** Returns the parts of a state file in which objects may be that this version does not find. */
const malformedInFile = (json: Json): string[] => [
  ...required(json, "resources"),
  ...unclear(json.resources),
  ...managedIn(json.resources).flatMap((resource) => required(resource, "instances")),
];

const required = (json: Json, name: string): string[] =>
  Array.isArray(json[name]) ? malformed(json, name) : [`${name} is not a list of objects`];

/** Returns the rows that may be objects of this package's types and are not marked as such. */
const unclear = (resources: unknown): string[] =>
  objectsOf(resources)
    .filter(({ mode, type }) => mode !== "data" && isOwnType(String(type).toLowerCase()))
    .filter(({ mode, type }) => mode !== "managed" || !isOwnType(String(type)))
    .map(({ type, name }) => `${String(type)}.${String(name)} is neither an object nor a data source`);

/** Returns the parts of a module in which objects may be that this version does not find. */
const malformedInModule = (module: Json): string[] => [
  ...malformed(module, "resources"),
  ...unclear(module.resources),
  ...malformed(module, "child_modules"),
  ...objectsOf(module.child_modules).flatMap(malformedInModule),
];

const managedIn = (resources: unknown): readonly Json[] =>
  objectsOf(resources).filter(({ mode, type }) => mode === "managed" && isOwnType(String(type)));

/** Returns the object of a row, or the reason why it cannot be read. */
function recordedOf(row: StateRow): Recorded | { readonly gap: string } {
  const { type, source, attributes, deposed, json } = row;
  const address = deposed === undefined ? row.address : `${row.address} (deposed ${deposed})`;
  const version = Number(json.schema_version ?? 0);
  const bytes = stringOf(json.private);
  const dependsOn = stringsOf(json.dependencies ?? json.depends_on);
  const resource = resourceOfTerraform(type);
  if (resource === undefined) return { gap: `${address} has a type that this version does not have` };
  if (!isOwnSource(source)) return { gap: `${address} belongs to another provider, ${source}` };
  if (!isObject(attributes)) return { gap: `${address} has no attributes` };
  try {
    const state = storedState(resource, {
      version,
      attributes,
      private: bytes === undefined ? undefined : Buffer.from(bytes, "base64"),
    });
    if (!isIdentified(state)) return { gap: `${address} has no id` };
    return {
      address,
      resource,
      state,
      dependsOn,
      ...(deposed !== undefined && { isDeposed: true as const }),
    };
  } catch (error) {
    if (error instanceof InputError) return { gap: `${address} cannot be read: ${explain(error).detail}` };
    if (error instanceof DiagnosticError) return { gap: `${address} cannot be read: ${error.summary}` };
    throw error;
  }
}
