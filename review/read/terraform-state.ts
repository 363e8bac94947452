import { isObject, type Json, listOf, objectOf, objectsOf, stringOf } from "./json.ts";

/** Reads the objects of a state of Terraform or OpenTofu: a state file of version 4, or the output of `show -json`. */

/** Returns true for a state file or the output of `show -json`. */
export const isTerraformState = (json: Json): boolean =>
  ("version" in json && "resources" in json && "terraform_version" in json) ||
  (typeof json.format_version === "string" && Object.keys(json).every((name) => partsOfShow.has(name)));

/** Members of the output of `show -json` for a state; that of an empty state has only a version. */
const partsOfShow = new Set(["format_version", "terraform_version", "values", "checks"]);

/** Managed object as both forms contain it. */
export interface StateRow {
  /** Address without the key of a deposed object. */
  readonly address: string;
  readonly type: string;
  /** Source of its provider. */
  readonly source: string;
  /** Key of a deposed object. */
  readonly deposed: string | undefined;
  readonly isTainted: boolean;
  readonly attributes: unknown;
  /** Element of the state, for members that only one of the forms has. */
  readonly json: Json;
}

/** Returns the managed objects of a state. */
export const rowsOfState = (json: Json): StateRow[] =>
  "resources" in json ? rowsOfFile(json) : rowsOfModule(objectOf(objectOf(json.values).root_module));

const managedIn = (resources: unknown): readonly Json[] =>
  objectsOf(resources).filter(({ mode }) => mode === "managed");

const rowsOfFile = ({ resources }: Json): StateRow[] =>
  managedIn(resources).flatMap(({ module, type, name, provider, instances }) => {
    const [, source = String(provider)] = /provider\["([^"]+)"\]/.exec(String(provider)) ?? [];
    return objectsOf(instances).map((instance): StateRow => {
      const key = instance.index_key;
      const index = key === undefined ? "" : `[${JSON.stringify(key)}]`;
      return {
        address: `${module === undefined ? "" : `${String(module)}.`}${String(type)}.${String(name)}${index}`,
        type: String(type),
        source,
        deposed: stringOf(instance.deposed),
        isTainted: instance.status === "tainted",
        attributes: instance.attributes,
        json: instance,
      };
    });
  });

const rowsOfModule = (module: Json): StateRow[] => [
  ...managedIn(module.resources).map(
    (row): StateRow => ({
      address: String(row.address),
      type: String(row.type),
      source: String(row.provider_name),
      deposed: stringOf(row.deposed_key),
      isTainted: row.tainted === true,
      attributes: row.values,
      json: row,
    }),
  ),
  ...objectsOf(module.child_modules).flatMap(rowsOfModule),
];

/** Returns the sensitive texts of an object. */
export function* sensitiveTexts({ attributes, json }: StateRow): Generator<string> {
  yield* markedTexts(attributes, json.sensitive_values);
  for (const path of listOf(json.sensitive_attributes)) yield* textsIn(valueAt(attributes, path));
}

function* markedTexts(value: unknown, mark: unknown): Generator<string> {
  if (mark === true) yield* textsIn(value);
  else if (Array.isArray(value) && Array.isArray(mark))
    for (const [index, item] of value.entries()) yield* markedTexts(item, mark[index]);
  else if (isObject(value) && isObject(mark))
    for (const [name, part] of Object.entries(value)) yield* markedTexts(part, mark[name]);
}

/** Returns the sensitive texts of the outputs of a state. */
export const sensitiveOutputs = (json: Json): string[] =>
  objectsOf(Object.values(objectOf(json.outputs ?? objectOf(json.values).outputs))).flatMap(
    ({ sensitive, value }) => (sensitive === true ? [...textsIn(value)] : []),
  );

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) yield* textsIn(part);
}

/** Returns the value at a path of a state file. */
const valueAt = (value: unknown, path: unknown): unknown =>
  objectsOf(path).reduce((part: unknown, { value: step }) => {
    // The key of a map is an object with its type.
    const key = isObject(step) ? step.value : step;
    return typeof part === "object" && part !== null && Object.hasOwn(part, String(key))
      ? (part as Json)[String(key)]
      : undefined;
  }, value);
