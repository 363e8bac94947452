import type { Plan } from "../../../provider/engine/plan.ts";
import {
  CycleError,
  deployObject,
  destroyObject,
  type Failure,
  PlanError,
  type Run,
  readObject,
} from "../fake-engine.ts";
import { type Node, walk } from "../graph.ts";
import { type Item, needsOf } from "../item.ts";
import { replanInconsistency, resolved, type StoredObject } from "../state.ts";

/** Runs of a fake Terraform or OpenTofu: reads and plans in one walk, then changes in another one. */

/** Planned change of one object. */
interface Change {
  readonly action: "none" | "create" | "update" | "replace" | "delete";
  readonly item: Item | undefined;
  readonly kept: StoredObject | undefined;
  readonly plan: Plan | undefined;
  /** True for a replacement that is created before the old object is deleted. */
  readonly createsFirst: boolean;
  /** Ids in the private data of the plan. */
  readonly managed?: readonly string[];
}

/** Reads the objects of the state; a failed read leaves the whole state as it was. */
export async function refreshTerraform(run: Run): Promise<Failure[]> {
  const { failures } = await planAll(run, false);
  return failures;
}

/** Reads, plans and applies; returns the errors. */
export async function applyTerraform(run: Run): Promise<Failure[]> {
  const { failures, changes } = await planAll(run, true);
  if (failures.length > 0 || !canContinue(run)) return failures;
  run.provider.beginApply();
  const orderBy = (rules: Rules) => orderOf(run, changes, failures, rules);
  const { isOpenTofu, visits } = run;
  const first = orderBy({ isOpenTofu: isOpenTofu ?? true, visits: visits ?? deletesFirst });
  // A later run of Terraform visits the changes in another order, and finds one without a cycle.
  const isRepeated = isOpenTofu !== true && visits === undefined;
  const nodes = first ?? (isRepeated ? orderBy({ isOpenTofu: false, visits: repeated }) : undefined);
  if (nodes === undefined)
    return [...changes.keys()].slice(0, 1).map((address) => ({
      address,
      verb: "update",
      error: new CycleError("Cycle"),
    }));
  await walk(nodes, run.parallelism, () => canContinue(run));
  return failures;
}

const canContinue = ({ stop, process }: Run): boolean => !stop.signal.aborted && process.alive();

/** Returns the addresses that an item needs, directly or indirectly, according to the stack. */
function closureOf(run: Run, item: Item): string[] {
  const found = new Set<string>();
  const visit = (one: Item) => {
    for (const need of needsOf(one)) {
      if (found.has(need)) continue;
      found.add(need);
      const next = run.stack.find(({ address }) => address === need);
      if (next !== undefined) visit(next);
    }
  };
  visit(item);
  return [...found];
}

/**
 * Returns the addresses that are created before they are deleted: Terraform extends `create_before_destroy` to all that
 * an object needs.
 */
function firstCreated(run: Run): Set<string> {
  const first = run.stack.filter(({ resource }) => run.provider.createsFirst(resource));
  return new Set(first.flatMap((item) => [item.address, ...closureOf(run, item)]));
}

/**
 * Reads the objects of the state, unless the run does not refresh, and with `plans` plans their changes. A failure
 * leaves the state as it was.
 */
async function planAll(
  run: Run,
  plans: boolean,
): Promise<{ failures: Failure[]; changes: Map<string, Change> }> {
  const { state, stack, provider } = run;
  const { kept, replaced } = state;
  const before = { kept: new Map(kept), replaced: new Set(replaced) };
  const failures: Failure[] = [];
  const changes = new Map<string, Change>();
  const reads = run.refresh || !plans;
  const first = firstCreated(run);
  const idOf = (address: string) => {
    const action = changes.get(address)?.action;
    return action === "create" || action === "replace" ? undefined : kept.get(address)?.state.id;
  };

  async function planItem(item: Item): Promise<boolean> {
    const { address, resource: name } = item;
    const old = kept.get(address);
    if (old !== undefined && reads && !(await readObject(run, failures, old))) return false;
    const current = kept.get(address);
    const createsFirst = first.has(address);
    const needs = closureOf(run, item);
    if (!plans) return true;
    const { inputs, problems } = provider.check(name, resolved(item.inputs, idOf));
    if (problems.length > 0) throw new PlanError(`${address}: `, problems);
    const plan = provider.plan(name, current?.tainted ? undefined : current?.state, inputs);
    if (plan.problems.length > 0) {
      failures.push({ address, verb: "update", error: new PlanError("", plan.problems) });
      return false;
    }
    const action = current?.tainted ? "replace" : plan.action;
    if (plan.action === "replace") provider.plan(name, undefined, inputs, true, { isPreview: true });
    const merged = reads ? [...new Set([...needs, ...(current?.needs ?? [])])] : current?.needs;
    const stored = current && { ...current, createsFirst, needs: action === "none" ? needs : (merged ?? []) };
    if (stored !== undefined) kept.set(address, stored);
    const managed = current?.tainted ? provider.managed(name) : [];
    changes.set(address, { action, item, kept: stored, plan, createsFirst, managed });
    return true;
  }

  const isDeletable = ({ address, resource: name, state: prior }: StoredObject): boolean => {
    const problems = provider.planDelete(name, prior);
    if (problems.length > 0) failures.push({ address, verb: "delete", error: new PlanError("", problems) });
    return problems.length === 0;
  };
  const wanted = new Set(stack.map(({ address }) => address));
  const orphans = [...kept.values()].filter(({ address }) => !wanted.has(address));
  const planOrphan = async (old: StoredObject): Promise<boolean> => {
    if (reads && !(await readObject(run, failures, old))) return false;
    const current = kept.get(old.address);
    if (current === undefined || !plans) return true;
    if (!isDeletable(current)) return false;
    const change = { item: undefined, kept: current, plan: undefined, createsFirst: false };
    changes.set(old.address, { action: "delete", ...change });
    return true;
  };
  const planReplaced = async (old: StoredObject): Promise<boolean> => {
    const current = reads ? await readObject(run, failures, old) : { stored: old };
    if (current?.stored !== undefined && plans) return isDeletable(current.stored);
    return current !== undefined;
  };
  const deletes = [
    ...orphans.map((old) => ({ key: old.address, old, needs: old.needs, run: () => planOrphan(old) })),
    ...[...replaced].map((old, at) => {
      const needs = kept.get(old.address)?.needs ?? [];
      return { key: `replaced ${at}`, old, needs, run: () => planReplaced(old) };
    }),
  ];
  // Terraform plans the delete of an object after those that need it, OpenTofu in any order.
  const users = ({ address }: StoredObject) =>
    run.isOpenTofu ? [] : deletes.filter(({ needs }) => needs.includes(address)).map(({ key }) => key);
  await walk(
    [
      ...stack.map((item) => ({
        key: item.address,
        after: needsOf(item).filter((need) => wanted.has(need)),
        run: () => planItem(item),
      })),
      ...deletes.map(({ key, old, run: work }) => ({ key, after: users(old), run: work })),
    ],
    run.parallelism,
    () => canContinue(run),
  );
  if (failures.length > 0 || !canContinue(run)) {
    kept.clear();
    for (const [address, one] of before.kept) kept.set(address, one);
    replaced.clear();
    for (const one of before.replaced) replaced.add(one);
  }
  return { failures, changes };
}

/**
 * Vertex of the graph of an apply: the create or update of an object, a delete, or a resource of the configuration, which
 * does nothing itself.
 */
interface Vertex {
  readonly key: string;
  readonly address: string;
  readonly kind: "make" | "drop" | "resource";
  /** Set if a vertex, or one that depends on it, is created before it is deleted. */
  createsFirst: boolean;
  /** Addresses that the object needs, by the state or else by the stack. */
  readonly needs: readonly string[];
  readonly after: Set<Vertex>;
  readonly run: () => Promise<boolean>;
}

/**
 * Returns the changes in their order; undefined if it has a cycle. The rules are those of the engines: an object is
 * created after its needs, and deleted after all that needs it is deleted; it is created or updated after the delete of
 * what the state says that it needs. For objects that are created first, the last rule is reversed.
 */
function orderOf(
  run: Run,
  changes: ReadonlyMap<string, Change>,
  failures: Failure[],
  rules: Rules,
): Node[] | undefined {
  const { kept, replaced } = run.state;
  const vertices: Vertex[] = [];
  const add = (
    key: string,
    kind: Vertex["kind"],
    address: string,
    createsFirst: boolean,
    needs: readonly string[],
    work: () => Promise<boolean>,
  ): void => {
    vertices.push({ key: `${kind} ${key}`, kind, address, createsFirst, needs, after: new Set(), run: work });
  };
  for (const [old, at] of [...replaced].map((old, at) => [old, at] as const))
    add(`replaced ${at}`, "drop", old.address, true, kept.get(old.address)?.needs ?? [], async () => {
      run.provider.planDelete(old.resource, old.state, true);
      return destroyObject(run, failures, old);
    });
  for (const [address, { action, item, kept: old, plan, createsFirst, managed }] of changes) {
    const needs = old?.needs ?? (item === undefined ? [] : closureOf(run, item));
    const replaces = action === "replace";
    if (item !== undefined && action !== "none")
      add(address, "make", address, run.provider.createsFirst(item.resource), needs, () =>
        deploy(run, failures, { item, action, kept: old, plan, createsFirst }, vertices),
      );
    if (old === undefined || !(replaces || action === "delete")) continue;
    const isFirst = replaces ? createsFirst : old.createsFirst === true;
    add(address, "drop", address, isFirst, needs, async () => {
      // Planned to be deleted first, and created first after all: Terraform does not delete the object in this run.
      if (replaces && !createsFirst && vertexOf(vertices, "drop", address)?.createsFirst) return true;
      if (replaces && createsFirst) run.provider.planDelete(old.resource, old.state, true);
      return destroyObject(run, failures, old, managed);
    });
  }
  for (const { address, resource } of run.stack)
    add(
      address,
      "resource",
      address,
      !run.isOpenTofu && run.provider.createsFirst(resource),
      [],
      async () => true,
    );
  const makes = vertices.filter(({ kind }) => kind === "make");
  const drops = vertices.filter(({ kind }) => kind === "drop");
  const at = (among: readonly Vertex[], address: string) => among.filter((one) => one.address === address);
  const isMadeOf = (address: string) => (one: Vertex) => one.kind !== "drop" && one.address === address;
  for (const item of run.stack)
    for (const one of vertices.filter(isMadeOf(item.address))) {
      for (const need of needsOf(item))
        for (const other of vertices.filter(isMadeOf(need))) one.after.add(other);
      const own = vertexOf(vertices, "resource", item.address);
      if (one.kind === "make" && own !== undefined) one.after.add(own);
    }
  for (const make of makes)
    for (const address of [make.address, ...make.needs])
      for (const drop of at(drops, address)) make.after.add(drop);
  for (const drop of drops)
    for (const need of drop.needs) {
      for (const other of [...at(drops, need), ...at(makes, need)]) if (other !== drop) other.after.add(drop);
    }
  spreadCreatesFirst(rules, vertices);
  for (const drop of drops.filter(({ createsFirst }) => createsFirst))
    for (const make of makes) if (make.after.delete(drop)) drop.after.add(make);
  if (hasCycle(vertices)) return undefined;
  return vertices.map(({ key, after, run: work }) => ({
    key,
    after: [...after].map((one) => one.key),
    run: work,
  }));
}

type Vertices = readonly Vertex[];

/**
 * Marks each vertex that a vertex marked as created first depends on. Terraform also marks what depends directly on the
 * delete of an object that was created first; OpenTofu marks no delete. The engines visit each vertex once, and in
 * Terraform the result depends on the order.
 */
function spreadCreatesFirst({ isOpenTofu, visits }: Rules, vertices: Vertices): void {
  const isMarked = (vertex: Vertex): boolean =>
    vertices.some((other) => other.createsFirst && ancestorsOf(other).has(vertex)) ||
    (!isOpenTofu && [...vertex.after].some(({ kind, createsFirst }) => kind === "drop" && createsFirst));
  for (const vertex of visits(vertices.filter(({ kind }) => !isOpenTofu || kind === "make")))
    vertex.createsFirst ||= isMarked(vertex);
}

type Visits = (vertices: Vertices) => Vertices;

/** Engine whose rules order the changes, and the order in which it visits them. */
interface Rules {
  readonly isOpenTofu: boolean;
  readonly visits: Visits;
}

/** Order in which Terraform finds most orders of changes: deletes first. */
const deletesFirst: Visits = (vertices) =>
  vertices.toSorted((a, b) => Number(b.kind === "drop") - Number(a.kind === "drop"));

/** Order that repeats the visits, which marks whatever some order marks. */
const repeated: Visits = (vertices) => vertices.flatMap(() => vertices);

const vertexOf = (vertices: readonly Vertex[], kind: Vertex["kind"], address: string): Vertex | undefined =>
  vertices.find(({ key }) => key === `${kind} ${address}`);

/** Returns every vertex that runs before this one. */
function ancestorsOf(vertex: Vertex, found: Set<Vertex> = new Set()): Set<Vertex> {
  for (const other of vertex.after) {
    if (found.has(other)) continue;
    found.add(other);
    ancestorsOf(other, found);
  }
  return found;
}

const hasCycle = (vertices: readonly Vertex[]): boolean =>
  vertices.some((vertex) => ancestorsOf(vertex).has(vertex));

/** Plans the change again with the ids that are known now, and makes it. */
async function deploy(
  run: Run,
  failures: Failure[],
  { item, action, kept: old, plan, createsFirst }: Change & { readonly item: Item },
  vertices: readonly Vertex[],
): Promise<boolean> {
  const { state, provider } = run;
  const { address, resource: name } = item;
  const isMarked = vertexOf(vertices, "make", address)?.createsFirst === true;
  const prior = action === "update" ? state.kept.get(address)?.state : undefined;
  const isCurrent = old !== undefined && action === "replace" && state.kept.get(address) === old;
  const isDeposed = isCurrent && (createsFirst || isMarked);
  if (isDeposed) {
    state.kept.delete(address);
    state.replaced.add(old);
  }
  const { inputs } = provider.check(
    name,
    resolved(item.inputs, (other) => state.kept.get(other)?.state.id),
  );
  // Terraform 1.16 can create an object before the delete that was planned first: the old one leaves the state.
  const isLost = isCurrent && !isDeposed && !old.tainted;
  if (isLost) provider.plan(name, old.state, inputs);
  const again = provider.plan(name, prior, inputs, isLost);
  const broken = plan && replanInconsistency(plan.values, again.values);
  if (broken !== undefined) throw new PlanError(`${address}: planned twice, with two results: ${broken}`);
  if (!canContinue(run)) return false;
  const marks = { createsFirst: isMarked, needs: closureOf(run, item) };
  const sent = prior === undefined ? inputs : provider.updateInputs(name, again.values, inputs);
  const deployment = { item, inputs: sent, prior, planned: plan?.values, plan: again, marks };
  const isDone = await deployObject(run, failures, deployment);
  if (isDeposed && !isDone && !state.kept.has(address)) {
    state.replaced.delete(old);
    state.kept.set(address, old);
  }
  return isDone;
}
