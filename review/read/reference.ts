import type { Value } from "../../provider/core/value.ts";
import { withoutIndices } from "../model/address.ts";
import type { Change, Origin } from "../model/change.ts";
import type { Invocation } from "../model/plan.ts";
import { isObject, type Json, objectOf, objectsOf, stringOf, stringsOf } from "./json.ts";

/** References between resources in the configuration part of a Terraform plan. */

/** Module of the configuration, with the call that passes its inputs. */
export interface Module {
  readonly path: string;
  readonly parent: Module | undefined;
  readonly call: Json;
  readonly node: Json;
}

/** Returns the modules of a configuration, each after the one that calls it. */
export function* modulesIn(node: Json, path = "", parent?: Module, call: Json = {}): Generator<Module> {
  const module: Module = { path, parent, call, node };
  yield module;
  for (const [name, inner] of Object.entries(objectOf(node.module_calls)))
    if (isObject(inner)) yield* modulesIn(objectOf(inner.module), `${path}module.${name}.`, module, inner);
}

/** Returns all references in an expression tree. */
export function referencesIn(tree: unknown): string[] {
  if (Array.isArray(tree)) return tree.flatMap(referencesIn);
  if (!isObject(tree)) return [];
  return Object.entries(tree).flatMap(([key, value]) =>
    key === "references" ? [...stringsOf(value)] : key === "constant_value" ? [] : referencesIn(value),
  );
}

/** References of the resources in a configuration, by their addresses. */
export interface References {
  /** Returns the resources, without indices, to which a resource refers, directly or through variables and outputs. */
  dependsOn(address: string): readonly string[];
  /**
   * Returns the origins of an attribute, none if it is not configured; undefined if the configuration does not show all of them.
   */
  originsOf(address: string, attribute: string): readonly Origin[] | undefined;
}

/** Returns the references in the configuration part of a plan. */
export function referencesOf(configuration: Json): References {
  const modules = new Map(
    [...modulesIn(objectOf(configuration.root_module))].map((module) => [module.path, module]),
  );
  const rows = new Map<string, { readonly module: Module; readonly row: Json }>();
  const found = new Map<string, readonly string[]>();
  for (const module of modules.values())
    for (const row of objectsOf(module.node.resources)) {
      const trees = [row.expressions, row.count_expression, row.for_each_expression];
      const references = [...trees.flatMap(referencesIn), ...stringsOf(row.depends_on)];
      const own = `${module.path}${stringOf(row.address)}`;
      const targets = references.flatMap((reference) => resolve(modules, module, reference, new Set()));
      found.set(own, [...new Set(targets)].filter((target) => target !== own).toSorted());
      rows.set(own, { module, row });
    }
  return {
    dependsOn: (address) => found.get(withoutIndices(address)) ?? [],
    originsOf(address, attribute) {
      const { module, row } = rows.get(withoutIndices(address)) ?? {};
      return module === undefined || row === undefined
        ? undefined
        : origins(modules, module, row, objectOf(row.expressions)[attribute], new Set());
    },
  };
}

/** Returns the origins of an expression; undefined if a reference leads to a value that the configuration does not show. */
function origins(
  modules: ReadonlyMap<string, Module>,
  module: Module,
  row: Json,
  tree: unknown,
  seen: Set<string>,
): Origin[] | undefined {
  const all: Origin[] = [];
  const add = (more: Origin[] | undefined): boolean => {
    all.push(...(more ?? []));
    return more !== undefined;
  };
  const references = referencesIn(tree);
  // The list has each reference with its attribute, and again without it.
  const whole = references.filter(
    (one) =>
      !references.some(
        (other) => other !== one && /^[.[]/.test(other.slice(one.length)) && other.startsWith(one),
      ),
  );
  for (const reference of whole) {
    const key = `${module.path}|${reference}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const [first = "", second = "", third = "", fourth] = withoutIndices(reference).split(".");
    const isShown = ((): boolean => {
      switch (first) {
        case "count":
        case "path":
        case "terraform":
        case "tofu":
          return true;
        case "each":
          return add(origins(modules, module, row, row.for_each_expression, seen));
        case "var":
          // Variables of the root module are known when a plan is made.
          return (
            module.parent === undefined ||
            add(origins(modules, module.parent, {}, objectOf(module.call.expressions)[second], seen))
          );
        case "module": {
          const inner = modules.get(`${module.path}module.${second}.`);
          const output = objectOf(inner?.node.outputs)[third];
          return (
            inner !== undefined && output !== undefined && add(origins(modules, inner, {}, output, seen))
          );
        }
        case "data":
          return add([{ address: `${module.path}data.${second}.${third}`, attribute: fourth }]);
        case "local":
        case "self":
          return false;
        default:
          return (
            second !== "" &&
            add([{ address: `${module.path}${first}.${second}`, attribute: third || undefined }])
          );
      }
    })();
    if (!isShown) return undefined;
  }
  return all;
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
        kind: "command" as const,
        address,
        type: `provisioner ${stringOf(provisioner.type) ?? "of an unknown type"}`,
        triggeredBy: address,
        values: provisioner as Value,
        // The text around a reference is in no part of the plan.
        ...(referencesIn(provisioner.expressions).length > 0 ? { isPartial: true as const } : {}),
      })),
    );
}
