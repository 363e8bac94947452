import { expect, test } from "@jest/globals";
import { cloud, makeSite, makeTemplate, textAt } from "../../emulator/client.ts";
import { createDraw } from "../draw.ts";
import type { Run } from "../fake-engine.ts";
import { createGroundTruth } from "../ground-truth.ts";
import { createReport } from "../report.ts";
import { createLeakFinder } from "../secret.ts";
import { emptyState, type StoredObject } from "../state.ts";
import { createWorld } from "../world.ts";
import { createChecker } from "./checker.ts";

/**
 * Creates an emulator with a template, and its checker. `make` creates a batch and returns it as a state has it; `remove`
 * deletes all instances but the first `left`; `removed` is a read that removes the batch from the state.
 */
async function scene() {
  const emulator = cloud({ assume: { batchIdIsJob: false } });
  const site = await makeSite(emulator);
  const template_krn = await makeTemplate(emulator, site);
  const world = { ...createWorld(createDraw("seed")), now: emulator.clock.now };
  const report = createReport(world, "shared");
  const truth = createGroundTruth(emulator, report, "shared", world.now);
  const lag = { listingLagMs: 0, taskMs: 1000 };
  const checker = createChecker(world, truth, report, createLeakFinder(), "shared", lag);
  const instances = () => emulator.inventory.list().filter(({ kind }) => kind === "instance");
  return {
    async make(): Promise<StoredObject> {
      const body = { template_krn, count: 2, instanceName: "web" };
      const made = await emulator.call("POST /vm/v1/batch-vm-create", { body });
      await emulator.clock.advance(1000);
      const values = { vpcId: site.vpc, name: "web" };
      const state = { id: textAt(made.body, "job_id"), task: undefined, values, unread: [] };
      return { address: "instance-batch.1", resource: "instance-batch", state, needs: [] };
    },
    remove(left = 0) {
      for (const { krn } of instances().slice(left)) emulator.inventory.remove(krn);
    },
    removed: (stored: StoredObject) => checker.removed({ state: emptyState() } as Run, stored, "a read"),
    violations: () => report.violations.map(({ invariant }) => invariant),
  };
}

test("a batch that leaves an older state again is not confused with the later batch of its name", async () => {
  const { make, remove, removed, violations } = await scene();
  const first = await make();
  remove();
  removed(first);
  await make();
  removed(first);
  expect(violations()).toEqual([]);
});

test("a batch that leaves the state while instances of it exist is a violation, the first time and later", async () => {
  const { make, remove, removed, violations } = await scene();
  const first = await make();
  remove(1);
  removed(first);
  expect(violations()).toEqual(["I4"]);
  removed(first);
  expect(violations()).toEqual(["I4", "I4"]);
});

test("the later batch of the name is a separate violation if it leaves the state", async () => {
  const { make, remove, removed, violations } = await scene();
  const first = await make();
  remove();
  removed(first);
  removed(await make());
  expect(violations()).toEqual(["I4"]);
});
