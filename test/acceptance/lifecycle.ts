import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { snakeCase } from "../../provider/core/name.ts";
import { type Resource, scopeFields } from "../../provider/definition/resource.ts";
import { type Item, isRef, type Stack, type Written, type WrittenValue } from "../adapter/adapter.ts";
import { importsOf, lifecycleCases } from "../adapter/lifecycle/lifecycle.ts";
import { resource as definition } from "../support/cloud.ts";
import type { Case, Step } from "./case.ts";
import { providerBlock, resourceBlocks } from "./configuration.ts";
import { addressOf, type Imported, importSteps, querySteps, reference, refusalOf } from "./importation.ts";

/** Cases of the lifecycles in `test/kind/`. */

/** Returns the names of the objects to which a value refers. */
const refsIn = (value: WrittenValue): string[] => {
  if (isRef(value)) return [value.ref];
  if (Array.isArray(value)) return value.flatMap(refsIn);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(refsIn) : [];
};

const network: Item = { name: "network", resource: "vpc", inputs: { name: "around" } };

/** Returns the objects of a lifecycle: the resource, its dependencies, and the network if one of them refers to it. */
export function stackOf(kind: string, dependencies: Stack, inputs: Written): Stack {
  const stack = [...dependencies, { name: kind, resource: kind, inputs }];
  return stack.some(({ inputs }) => Object.values(inputs).flatMap(refsIn).includes(network.name))
    ? [network, ...stack]
    : stack;
}

/** Variables of the lists, which a query reads from the configuration. */
const variableBlocks = (resource: Resource): string =>
  Object.keys(scopeFields(resource))
    .filter((name) => name !== "region")
    .map((name) => `variable "${snakeCase(name)}" {\n  type    = string\n  default = ""\n}\n`)
    .join("");

export const lifecycleEmulator: EmulatorOptions = {
  taskMs: 20,
  assume: { podRead: "pod", sessionAttempts: 10_000 },
};

/**
 * Returns the steps that remove the last object of a stack from the state and import it by an apply, which sends nothing; none for
 * an object that cannot be imported.
 */
function againSteps(head: string, stack: Stack, { resource, address, id }: Imported): Step[] {
  if (refusalOf(resource, true) !== undefined) return [];
  const removed = `removed {\n  from = ${address}\n  lifecycle {\n    destroy = false\n  }\n}\n`;
  const variable = 'variable "import_id" {\n  type = string\n}\n';
  const block = `import {\n  to = ${address}\n  id = var.import_id\n}\n`;
  return [
    { config: head + resourceBlocks(stack.slice(0, -1)) + removed, forgets: true, sendsNothing: true },
    {
      config: head + resourceBlocks(stack) + variable + block,
      variables: { import_id: id },
      sendsNothing: true,
    },
  ];
}

/** Cases of the lifecycles: create, refresh, imports, query, update or replace. */
export const lifecycles: readonly Case[] = lifecycleCases.map(
  ({ resource: kind, dependencies = [], inputs, update, replace }) => ({
    name: `lifecycle/${kind}`,
    emulator: lifecycleEmulator,
    imported: { isRefused: refusalOf(definition(kind), true) !== undefined },
    steps(url, features, changed) {
      const resource = definition(kind);
      const head = providerBlock(url) + variableBlocks(resource);
      const first = stackOf(kind, dependencies, inputs);
      const next = stackOf(kind, dependencies, update ?? replace);
      const templates = Object.fromEntries(
        first.map((item) => [item.name, reference(addressOf(item), "id")]),
      );
      const own = { name: kind, resource: kind, inputs };
      const [target] = importsOf([own], templates, templates.network ?? "");
      const imported: Imported = { resource, address: addressOf(own), id: target?.id ?? "" };
      return [
        {
          config: head + resourceBlocks(first),
          planned: Object.fromEntries(first.map((item) => [addressOf(item), "create"])),
        },
        { refresh: true },
        ...importSteps(imported, refusalOf(resource, true), features, changed),
        ...querySteps(imported, features),
        ...againSteps(head, first, imported),
        {
          config: head + resourceBlocks(next),
          planned: { [addressOf(own)]: update === null ? "replace" : "update" },
        },
        { refresh: true },
      ];
    },
  }),
);
