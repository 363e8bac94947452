import { beforeAll, describe, expect, test } from "@jest/globals";
import { openSite } from "../../support/engine/open-site.ts";
import { leftover } from "../../support/leftover.ts";
import { type Adapter, isRef, type Planned, type Stack, type Workspace } from "../adapter.ts";
import { environment, importable, importsOf } from "../lifecycle/lifecycle.ts";
import { type Change, changes, fullStack } from "./stack.ts";

/** Returns the stack with these inputs changed. */
const changed = (stack: Stack, { updated, replaced }: Change): Stack =>
  stack.map(({ name, resource, inputs }) => ({
    name,
    resource,
    inputs: { ...inputs, ...updated[name], ...replaced[name] },
  }));

/** Returns the names of the objects that a value refers to, at any depth. */
const refersTo = (value: unknown): string[] => {
  if (isRef(value)) return [value.ref];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(refersTo) : [];
};

/** Returns these names and those of all direct and indirect dependents. */
export function withDependents(stack: Stack, names: readonly string[]): string[] {
  const found = stack.filter(
    ({ name, inputs }) => names.includes(name) || refersTo(inputs).some((ref) => names.includes(ref)),
  );
  return found.length === names.length
    ? [...names]
    : withDependents(
        stack,
        found.map(({ name }) => name),
      );
}

/** Returns the expected plan of a change. */
const plannedOf = (stack: Stack, { updated, replaced }: Change): Planned => {
  const again = withDependents(stack, Object.keys(replaced));
  return Object.fromEntries([
    ...Object.keys(updated).map((name) => [name, "update"]),
    ...again.map((name) => [name, "replace"]),
  ]);
};

/** Creates the full stack, makes all its changes and destroys it, through one adapter with the real engine. */
export function testFullStack(adapter: Adapter) {
  describe(`one stack with every resource through ${adapter.name}`, () => {
    // Pods are readable here, so that they can be imported and their deletion is visible.
    const site = openSite({ assume: { podRead: "pod", sessionAttempts: 10_000 } }, { isContinued: true });
    const { emulator } = site;
    let workspace: Workspace;
    let stack = fullStack;
    let ids: Readonly<Record<string, string>> = {};

    beforeAll(async () => {
      workspace = await adapter.open(site.path, environment(site.url));
    });

    async function applied(next: Stack, planned: Planned) {
      stack = next;
      await workspace.write(stack);
      expect(await workspace.plan()).toEqual(planned);
      const { ok, output } = await workspace.apply();
      if (!ok) throw new Error(output);
      ids = await workspace.ids();
      expect(Object.keys(ids).sort()).toEqual(stack.map(({ name }) => name).sort());
      expect(await workspace.plan()).toEqual({});
    }

    test("is created", () =>
      applied(fullStack, Object.fromEntries(fullStack.map(({ name }) => [name, "create"]))));

    test.each(Object.entries(changes))("changes %s", async (_, change) => {
      const [before, planned] = [ids, plannedOf(stack, change)];
      await applied(changed(stack, change), planned);
      const unchanged = stack.map(({ name }) => name).filter((name) => planned[name] !== "replace");
      for (const name of unchanged) expect([name, ids[name]]).toEqual([name, before[name]]);
    });

    if (adapter.impossible.import === undefined)
      test("is imported without a change in the cloud", async () => {
        const before = emulator.inventory.list();
        const again = await adapter.open(await site.folder(), environment(site.url));
        const known = importable(stack);
        await again.write(known);
        const { ok, output } = await again.import(importsOf(known, ids, ids.network ?? ""));
        if (!ok) throw new Error(output);
        expect(await again.ids()).toEqual(Object.fromEntries(known.map(({ name }) => [name, ids[name]])));
        // Values that the API does not return are only recorded in the state, without a request.
        if (!adapter.importsByApply) {
          expect(new Set(Object.values(await again.plan()))).toEqual(new Set(["update"]));
          expect((await again.apply()).ok).toBe(true);
        }
        expect(await again.plan()).toEqual({});
        expect(emulator.inventory.list()).toEqual(before);
      });

    test("is destroyed completely", async () => {
      const { ok, output } = await workspace.destroy();
      if (!ok) throw new Error(output);
      // No route deletes a port; these were deleted with their subnets.
      expect(output).toContain("No request deleted");
      expect(leftover(emulator)).toEqual([]);
    });
  });
}
