import { emptyRecord, isMarked, secret, type Value } from "../../provider/core/value.ts";
import type { ProviderUse } from "../model/plan.ts";
import { hideSecrets } from "../model/secret-shape.ts";
import { objectsIn } from "./consistency.ts";
import { isObject, type Json, objectOf, stringOf, stringsOf } from "./json.ts";
import { type Module, modulesIn, referencesIn } from "./reference.ts";
import { fromTerraform } from "./value.ts";

/** Configurations of providers, and sensitive values outside of objects, in a Terraform plan. */

/** Returns the configurations of the providers, with the values of the variables that they use. */
export function providersOf(json: Json): ProviderUse[] {
  const modules = modulesByPath(json);
  return Object.values(objectOf(objectOf(json.configuration).provider_config)).flatMap((row) => {
    if (!isObject(row)) return [];
    const path = stringOf(row.module_address);
    const module = modules.get(path === undefined ? "" : `${path}.`);
    const { name = "", alias, full_name: source, version_constraint: version, expressions } = row;
    const settings = settingsIn(json, module, objectOf(expressions));
    return {
      name: [path, String(name), stringOf(alias)].filter((part) => part !== undefined).join("."),
      source: stringOf(source) ?? String(name),
      values: {
        version: stringOf(version) ?? null,
        settings: hideSecrets({ settings }, true).values.settings ?? null,
      },
      ...(referencesIn(expressions).length > 0 ? { isPartial: true as const } : {}),
    };
  });
}

const modulesByPath = (json: Json): ReadonlyMap<string, Module> =>
  new Map(
    [...modulesIn(objectOf(objectOf(json.configuration).root_module))].map((module) => [module.path, module]),
  );

/** Returns the values of an expression tree: constants, and of references the values of variables. */
function settingsIn(json: Json, module: Module | undefined, tree: unknown): Value {
  if (Array.isArray(tree)) return tree.map((part) => settingsIn(json, module, part));
  if (!isObject(tree)) return (tree ?? null) as Value;
  if ("constant_value" in tree) return fromTerraform(tree.constant_value, {});
  if (Array.isArray(tree.references)) {
    const values = emptyRecord();
    for (const reference of stringsOf(tree.references).toSorted())
      values[reference] = variableIn(json, module, reference) ?? null;
    return values;
  }
  const settings = emptyRecord();
  for (const [name, part] of Object.entries(tree)) settings[name] = settingsIn(json, module, part);
  return settings;
}

/** Returns the value of `var.NAME` in a module; undefined for another reference. */
function variableIn(json: Json, module: Module | undefined, reference: string): Value | undefined {
  const name = /^var\.([^.[]+)/.exec(reference)?.[1];
  if (name === undefined || module === undefined) return undefined;
  const value =
    module.parent === undefined
      ? fromTerraform(objectOf(objectOf(json.variables)[name]).value, {})
      : settingsIn(json, module.parent, objectOf(module.call.expressions)[name]);
  return isSensitive(module, name) ? secret(value) : value;
}

const isSensitive = ({ node }: Module, variable: string): boolean =>
  objectOf(objectOf(node.variables)[variable]).sensitive === true;

/** Returns the values of sensitive variables, and of sensitive attributes of data sources. */
export function sensitiveOf(json: Json): Value[] {
  const modules = [...modulesByPath(json).values()];
  const variables = modules.flatMap((module) =>
    Object.keys(objectOf(module.node.variables))
      .filter((name) => isSensitive(module, name))
      .map((name) => variableIn(json, module, `var.${name}`) ?? null),
  );
  const prior = objectsIn(objectOf(objectOf(objectOf(json.prior_state).values).root_module));
  const read = prior
    .filter(({ mode }) => mode === "data")
    .map(({ values, sensitive_values: sensitive }) => fromTerraform(values, { sensitive }));
  return [...variables, ...read].filter(isMarked);
}
