import type { Values } from "../../../provider/core/value.ts";
import type { Plan } from "../../../provider/engine/plan.ts";
import {
  deployObject,
  destroyObject,
  type Failure,
  PlanError,
  type Run,
  readObject,
} from "../fake-engine.ts";
import { walk } from "../graph.ts";
import { type Item, needsOf } from "../item.ts";
import { resolved, type StoredObject } from "../state.ts";
import { previewAll } from "./preview.ts";

/** Runs of a fake Pulumi: registers the resources of the program, then deletes what it no longer has. */

/** Reads the objects of the state, all at once, and compares each with its inputs; returns the errors. */
export async function refreshPulumi(run: Run): Promise<Failure[]> {
  const failures: Failure[] = [];
  const { kept, replaced } = run.state;
  const objects = [...kept.values(), ...replaced].filter(({ isPending }) => isPending !== true);
  const nodes = objects.map((one, at) => ({
    key: String(at),
    after: [],
    run: async () => {
      const read = await readObject(run, failures, one);
      if (read?.stored !== undefined)
        run.provider.plan(one.resource, read.stored.state, resolved(one.inputs ?? {}, idOf(one)), false, {
          urn: one.address,
          isComparison: true,
        });
      return read !== undefined;
    },
  }));
  await walk(nodes, run.parallelism, () => canContinue(run, failures));
  removeMissingNeeds(run.state);
  return failures;
}

/** Removes the addresses that left the state from the needs of the others. */
function removeMissingNeeds({ kept, replaced }: Run["state"]): void {
  const remaining = (one: StoredObject): StoredObject => ({
    ...one,
    needs: one.needs.filter((need) => kept.has(need)),
  });
  for (const [address, one] of kept) kept.set(address, remaining(one));
  for (const one of [...replaced]) {
    replaced.delete(one);
    replaced.add(remaining(one));
  }
}

/** Refreshes if the run says so, previews, and updates; returns the errors. */
export async function applyPulumi(run: Run): Promise<Failure[]> {
  const failures: Failure[] = [];
  const { kept } = run.state;
  if (run.refresh) failures.push(...(await refreshPulumi(run)));
  if (!canContinue(run, failures)) return failures;
  if (run.previews) {
    for (const { address, plan } of previewAll(run))
      if ((plan?.problems.length ?? 0) > 0)
        failures.push({ address, verb: "update", error: new PlanError("", plan?.problems) });
    if (failures.length > 0) return failures;
  }
  const update: Update = { run, failures, old: new Map(kept), registered: new Set(), deleted: new Set() };
  const nodes = run.stack.map((item) => ({
    key: item.address,
    after: needsOf(item),
    run: () => register(update, item),
  }));
  await walk(nodes, run.parallelism, () => canContinue(run, failures));
  if (canContinue(run, failures)) await deleteRest(update);
  return failures;
}

/** Returns false after a stop, a kill or a failure: Pulumi then starts nothing more. */
const canContinue = ({ stop, process }: Run, failures: readonly Failure[]): boolean =>
  !stop.signal.aborted && process.alive() && failures.length === 0;

/** Running update. */
interface Update {
  readonly run: Run;
  readonly failures: Failure[];
  /** State before the update. */
  readonly old: ReadonlyMap<string, StoredObject>;
  /** Addresses whose resource was compared already. */
  readonly registered: Set<string>;
  /** Addresses of dependents that were deleted before another object was replaced. */
  readonly deleted: Set<string>;
}

/** Compares a resource of the program with the state and makes the change. Returns false if that failed. */
async function register(update: Update, item: Item): Promise<boolean> {
  const { run, failures, registered, deleted } = update;
  const { provider, state } = run;
  const { kept } = state;
  const { address, resource: name } = item;
  const before = kept.get(address);
  const inputs = checked(run, item, before !== undefined && !deleted.has(address));
  registered.add(address);
  const needs = needsOf(item);
  const neededIds = Object.fromEntries(needs.map((need) => [need, idIn(kept)(need)]));
  const deploy = (prior: StoredObject | undefined, plan?: Plan) => {
    const deployment = { item, inputs, prior: prior?.state, planned: undefined, plan, marks: { neededIds } };
    return deployObject(run, failures, deployment);
  };
  if (before === undefined) return deploy(undefined);
  if (deleted.has(address)) {
    deleted.delete(address);
    return deploy(undefined);
  }
  // The operator asked for a replacement: `pulumi up --replace`.
  const isReplaced = before.isPending || before.tainted;
  const plan = provider.plan(name, before.tainted ? undefined : before.state, inputs, false, {
    urn: address,
  });
  if (plan.problems.length > 0) {
    failures.push({ address, verb: "update", error: new PlanError("", plan.problems) });
    return false;
  }
  if (plan.action !== "replace" && !isReplaced) {
    if (plan.action === "update" || before.unfinished) return deploy(before, plan);
    kept.set(address, { ...before, needs, neededIds, inputs: item.inputs });
    return true;
  }
  provider.check(name, resolved(item.inputs, idIn(kept)), false);
  if (provider.deletesFirst(name, plan.values, before.state)) {
    const made = await deleteBeforeReplace(update, before);
    return made && deploy(undefined);
  }
  const isDone = await deploy(undefined);
  const made = kept.get(address);
  if (made !== before) state.replaced.add({ ...before, isPending: false });
  return isDone;
}

/** Returns a function from an address to its id in the inputs of a stored object; undefined for a replaced object. */
const idOf =
  ({ neededIds = {} }: StoredObject, replaced: ReadonlySet<string> = new Set()) =>
  (address: string): string | undefined =>
    replaced.has(address) ? undefined : neededIds[address];

const idIn =
  (kept: ReadonlyMap<string, StoredObject>) =>
  (address: string): string | undefined =>
    kept.get(address)?.state.id;

function checked({ provider, state }: Run, item: Item, hasPrior: boolean): Values {
  const { inputs, problems } = provider.check(
    item.resource,
    resolved(item.inputs, idIn(state.kept)),
    hasPrior,
  );
  if (problems.length > 0) throw new PlanError(`${item.address}: `, problems);
  return inputs;
}

/** Returns the objects in an order in which each comes after those that it needs. */
function inOrder(objects: ReadonlyMap<string, StoredObject>): StoredObject[] {
  const ordered = new Set<StoredObject>();
  const visit = (one: StoredObject | undefined) => {
    if (one === undefined || ordered.has(one)) return;
    for (const need of one.needs) visit(objects.get(need));
    ordered.add(one);
  };
  for (const one of objects.values()) visit(one);
  return [...ordered];
}

/**
 * Deletes an object before its replacement, and before that the dependents that its new id would replace. The state has
 * all of them as pending until they are created again. Returns false if a delete failed.
 */
async function deleteBeforeReplace(update: Update, root: StoredObject): Promise<boolean> {
  const { run, failures, old, registered, deleted } = update;
  const { kept } = run.state;
  const replaced = new Set([root.address]);
  const dependents: StoredObject[] = [];
  for (const one of inOrder(old)) {
    // Pulumi ignores a dependent that another replacement deletes, and does not wait for that delete.
    if (registered.has(one.address) || deleted.has(one.address)) continue;
    if (!one.needs.some((need) => replaced.has(need))) continue;
    const inputs = resolved(one.inputs ?? {}, idOf(one, replaced));
    const plan = run.provider.plan(one.resource, one.state, inputs, false, {
      urn: one.address,
      isComparison: true,
    });
    if (plan.action !== "replace") continue;
    replaced.add(one.address);
    dependents.unshift(one);
  }
  for (const { address } of dependents) deleted.add(address);
  for (const one of [...dependents, root]) {
    if (one === root && one.isPending) continue;
    if (!(await destroyObject(run, failures, one))) return false;
    kept.set(one.address, { ...one, isPending: true });
    if (!canContinue(run, failures)) return false;
  }
  return true;
}

/** Deletes the objects that the program no longer has, and replaced ones: dependents first, in rounds. */
async function deleteRest({ run, failures }: Update): Promise<void> {
  const { kept, replaced } = run.state;
  const wanted = new Set(run.stack.map(({ address }) => address));
  for (const { address, isPending } of [...kept.values()])
    if (!wanted.has(address) && isPending) kept.delete(address);
  const left = new Set([...[...kept.values()].filter(({ address }) => !wanted.has(address)), ...replaced]);
  const rounds: StoredObject[][] = [];
  while (left.size > 0) {
    const round = [...left].filter(({ needs }) => ![...left].some(({ address }) => needs.includes(address)));
    if (round.length === 0) throw new Error("the objects of the state need each other");
    for (const one of round) left.delete(one);
    rounds.unshift(round);
  }
  for (const round of rounds) {
    if (!canContinue(run, failures)) return;
    const nodes = round.map((one, at) => ({
      key: String(at),
      after: [],
      run: () => destroyObject(run, failures, one),
    }));
    await walk(nodes, run.parallelism, () => canContinue(run, failures));
  }
}
