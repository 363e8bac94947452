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
  /** Returns the key of the provider configuration of a resource, within its module. */
  providerOf(address: string): string | undefined;
  /** Returns the names of the configured attributes of a resource. */
  configuredOf(address: string): readonly string[];
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
      const address = `${module.path}${stringOf(row.address)}`;
      const references = [
        ...[row.expressions, row.count_expression, row.for_each_expression].flatMap(referencesIn),
        ...stringsOf(row.depends_on),
      ];
      const walk = walkOf(modules);
      for (const reference of references) walk.follow(module, row, reference);
      const targets = walk.origins.map((origin) => origin.address);
      found.set(address, [...new Set(targets)].filter((target) => target !== address).toSorted());
      rows.set(address, { module, row });
    }
  return {
    dependsOn: (address) => found.get(withoutIndices(address)) ?? [],
    originsOf(address, attribute) {
      const { module, row } = rows.get(withoutIndices(address)) ?? {};
      if (module === undefined || row === undefined) return undefined;
      const walk = walkOf(modules);
      walk.followAll(module, row, objectOf(row.expressions)[attribute]);
      return walk.isWhole() ? walk.origins : undefined;
    },
    providerOf: (address) => stringOf(rows.get(withoutIndices(address))?.row.provider_config_key),
    configuredOf: (address) => Object.keys(objectOf(rows.get(withoutIndices(address))?.row.expressions)),
  };
}

/** Walk from the references of a resource to the objects that determine them, through variables and outputs of modules. */
function walkOf(modules: ReadonlyMap<string, Module>) {
  const origins: Origin[] = [];
  const known = new Set<string>();
  let isWhole = true;

  /** Follows the references of an expression in a block of a module: a resource, or the call of another module. */
  function followAll(module: Module | undefined, block: Json, tree: unknown): void {
    const references = referencesIn(tree);
    // The list has each reference with its attribute, and again without it.
    const isPrefix = (one: string): boolean =>
      references.some((other) => other.startsWith(one) && /^[.[]/.test(other.slice(one.length)));
    if (module !== undefined)
      for (const reference of references) if (!isPrefix(reference)) follow(module, block, reference);
  }

  function follow(module: Module, block: Json, reference: string): void {
    const key = `${module.path}|${reference}`;
    if (known.has(key)) return;
    known.add(key);
    const [first = "", second = "", third = "", fourth] = withoutIndices(reference).split(".");
    switch (first) {
      case "count":
      case "path":
      case "terraform":
      case "tofu":
        return;
      case "each":
        followAll(module, block, block.for_each_expression);
        return;
      case "var":
        // Variables of the root module are known when a plan is made.
        followAll(module.parent, module.call, objectOf(module.call.expressions)[second]);
        return;
      case "module": {
        const inner = modules.get(`${module.path}module.${second}.`);
        const outputs = objectOf(inner?.node.outputs);
        if (third !== "" && outputs[third] === undefined) isWhole = false;
        for (const output of third === "" ? Object.values(outputs) : [outputs[third]])
          followAll(inner, {}, output);
        return;
      }
      case "data":
        if (third !== "")
          origins.push({ address: `${module.path}data.${second}.${third}`, attribute: fourth });
        return;
      case "local":
      case "self":
        isWhole = false;
        return;
      default:
        if (second === "") isWhole = false;
        else origins.push({ address: `${module.path}${first}.${second}`, attribute: third || undefined });
    }
  }
  return { origins, isWhole: () => isWhole, follow, followAll };
}

/** Returns a tree with its references sorted: engines write them in any order. */
function sortedReferences(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(sortedReferences);
  if (!isObject(tree)) return tree;
  return Object.fromEntries(
    Object.entries(tree).map(([name, part]) => [
      name,
      name === "references" ? stringsOf(part).toSorted() : sortedReferences(part),
    ]),
  );
}

/** Returns the provisioners of objects that a plan creates or destroys: commands that an apply runs in addition. */
export function provisionersOf(configuration: Json, changes: readonly Change[]): Invocation[] {
  const byAddress = new Map<string, Json[]>();
  for (const module of modulesIn(objectOf(configuration.root_module)))
    for (const row of objectsOf(module.node.resources)) {
      const provisioners = objectsOf(row.provisioners);
      if (provisioners.length > 0) byAddress.set(`${module.path}${stringOf(row.address)}`, [...provisioners]);
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
        values: sortedReferences(provisioner) as Value,
        // Neither the text around a reference nor when the command runs is in any part of the plan.
        isPartial: true as const,
      })),
    );
}
