import { registerHooks } from "node:module";
import type { Stack } from "../../test/adapter/adapter.ts";
import type { Change } from "../../test/adapter/full-stack/stack.ts";

/** The stack that is compared, and all else that the comparison takes from the tests: nothing but this file imports from there. */

export { isRef, type Stack } from "../../test/adapter/adapter.ts";
export { storageSettings } from "../../test/support/storage-setting.ts";

/** The stack with every resource, as it is created and as it is changed. Taken from the tests of this checkout. */
export interface Stages {
  readonly created: Stack;
  readonly updated: Stack;
}

/** Names that modules of tests import from the runner, which refuses to be loaded outside of it. They call none of them when loaded. */
const runner = "export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test;";

export async function loadStages(): Promise<Stages> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "@jest/globals"
        ? { url: `data:text/javascript,${encodeURIComponent(runner)}`, shortCircuit: true }
        : next(specifier, context),
  });
  try {
    const { shop, changes } = await import("../../test/adapter/full-stack/stack.ts");
    const [change] = Object.values<Change>(changes);
    if (change === undefined) throw new Error("the full stack has no changes");
    return { created: shop, updated: changed(shop, change) };
  } finally {
    hooks.deregister();
  }
}

const changed = (stack: Stack, { updated, replaced }: Change): Stack =>
  stack.map(({ name, resource, inputs }) => ({
    name,
    resource,
    inputs: { ...inputs, ...updated[name], ...replaced[name] },
  }));
