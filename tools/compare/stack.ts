import { registerHooks } from "node:module";
import type { Stack } from "../../test/adapter/adapter.ts";
import type { Change } from "../../test/adapter/full-stack/stack.ts";

/**
 * Stack that is compared, and everything else that the comparison imports from the tests. No other file of the comparison
 * imports from the tests.
 */

export { isRef, type Stack } from "../../test/adapter/adapter.ts";
export { storageSettings } from "../../test/support/storage-setting.ts";

/** Stack with every resource, before and after its change. It comes from the tests of this checkout. */
export interface Stages {
  readonly created: Stack;
  readonly updated: Stack;
}

/**
 * Stub of the test runner, which cannot be imported outside of a test run. It exports the names that modules of the
 * tests import; none of them is called while the modules are loaded.
 */
const runner = "export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test;";

export async function loadStages(): Promise<Stages> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "@jest/globals"
        ? { url: `data:text/javascript,${encodeURIComponent(runner)}`, shortCircuit: true }
        : next(specifier, context),
  });
  try {
    const { fullStack, changes } = await import("../../test/adapter/full-stack/stack.ts");
    const [change] = Object.values<Change>(changes);
    if (change === undefined) throw new Error("the full stack has no changes");
    return { created: fullStack, updated: changed(fullStack, change) };
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
