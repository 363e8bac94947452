import type { Value } from "../../provider/core/value.ts";
import { withoutIndices } from "../model/address.ts";
import type { Change } from "../model/change.ts";
import type { Invocation } from "../model/plan.ts";
import { isObject, type Json, objectOf, objectsOf, stringOf, stringsOf } from "./json.ts";

/** References between resources in the configuration part of a Terraform plan. */

/** Module of the configuration, with the call that passes its inputs. */
interface Module {
  readonly path: string;
  readonly parent: Module | undefined;
  readonly call: Json;
  readonly node: Json;
}

function* modulesIn(node: Json, path = "", parent?: Module, call: Json = {}): Generator<Module> {
  const module: Module = { path, parent, call, node };
  yield module;
  for (const [name, inner] of Object.entries(objectOf(node.module_calls)))
    if (isObject(inner)) yield* modulesIn(objectOf(inner.module), `${path}module.${name}.`, module, inner);
}

/** Returns all references in an expression tree. */
function referencesIn(tree: unknown): string[] {
  if (Array.isArray(tree)) return tree.flatMap(referencesIn);
  if (!isObject(tree)) return [];
  return Object.entries(tree).flatMap(([key, value]) =>
    key === "references" ? [...stringsOf(value)] : key === "constant_value" ? [] : referencesIn(value),
  );
}

/**
 * Returns a function from an address to the addresses, without indices, of the resources that its configuration refers
 * to, directly or through variables and outputs of modules.
 */
export function dependenciesOf(configuration: Json): (address: string) => readonly string[] {
  const modules = new Map(
    [...modulesIn(objectOf(configuration.root_module))].map((module) => [module.path, module]),
  );
  const found = new Map<string, readonly string[]>();
  for (const module of modules.values())
    for (const row of objectsOf(module.node.resources)) {
      const trees = [row.expressions, row.count_expression, row.for_each_expression];
      const references = [...trees.flatMap(referencesIn), ...stringsOf(row.depends_on)];
      const own = `${module.path}${stringOf(row.address)}`;
      const targets = references.flatMap((reference) => resolve(modules, module, reference, new Set()));
      found.set(own, [...new Set(targets)].filter((target) => target !== own).toSorted());
    }
  return (address) => found.get(withoutIndices(address)) ?? [];
}

function resolve(
  modules: ReadonlyMap<string, Module>,
  module: Module,
  reference: string,
  seen: Set<string>,
): string[] {
  const key = `${module.path}|${reference}`;
  if (seen.has(key)) return [];
  seen.add(key);
  const [first = "", second = "", third = ""] = withoutIndices(reference).split(".");
  const through = (from: Module | undefined, tree: unknown): string[] =>
    from === undefined ? [] : referencesIn(tree).flatMap((inner) => resolve(modules, from, inner, seen));
  switch (first) {
    case "var":
      return through(module.parent, objectOf(module.call.expressions)[second]);
    case "module": {
      const inner = modules.get(`${module.path}module.${second}.`);
      const outputs = objectOf(inner?.node.outputs);
      return third === ""
        ? Object.values(outputs).flatMap((output) => through(inner, output))
        : through(inner, outputs[third]);
    }
    case "local":
    case "each":
    case "count":
    case "path":
    case "terraform":
    case "tofu":
    case "self":
      return [];
    case "data":
      return third === "" ? [] : [`${module.path}data.${second}.${third}`];
    default:
      return second === "" ? [] : [`${module.path}${first}.${second}`];
  }
}

/** Returns the provisioners of objects that a plan creates or destroys: commands that an apply runs in addition. */
export function provisionersOf(configuration: Json, changes: readonly Change[]): Invocation[] {
  const byAddress = new Map<string, Json[]>();
  for (const module of modulesIn(objectOf(configuration.root_module)))
    for (const row of objectsOf(module.node.resources)) {
      const own = objectsOf(row.provisioners);
      if (own.length > 0) byAddress.set(`${module.path}${stringOf(row.address)}`, [...own]);
    }
  if (byAddress.size === 0) return [];
  return changes
    .filter(({ action }) => action === "create" || action === "replace" || action === "delete")
    .flatMap(({ address }) =>
      (byAddress.get(withoutIndices(address)) ?? []).map((provisioner) => ({
        address,
        type: `provisioner ${stringOf(provisioner.type) ?? "of an unknown type"}`,
        triggeredBy: address,
        values: provisioner as Value,
      })),
    );
}
