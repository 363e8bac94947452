import { type Explanation, OperationError } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { UNKNOWN, type Values } from "../../provider/core/value.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { engine as core } from "../../provider/engine/engine.ts";
import { type Call, graceMs, type Verb } from "../../provider/engine/operation.ts";
import type { Plan } from "../../provider/engine/plan.ts";
import type { Session } from "../../provider/engine/session.ts";
import { statusOf } from "../../provider/engine/state/status.ts";
import { resource } from "../support/cloud.ts";
import { type Change, orderOf, PlanError, planStack } from "./engine.ts";
import { walk } from "./graph.ts";
import { type Item, needsOf } from "./item.ts";
import type { Row } from "./kind.ts";
import { isSameObject, keep, resolved, type State, type StoredObject } from "./state.ts";
import { KilledError, type Process } from "./world.ts";

/**
 * Checks the results of the provider against what the user saw and the objects in the emulator. Never calls the
 * provider.
 */
export interface Checker {
  /** Called when an operation begins; returns the function to call with the text of its result when it ends. */
  begins(run: Run, address: string, verb: Verb): (end: string) => void;
  /** Checks a text that is shown or stored (I5). */
  shows(text: string): void;
  warns(warning: Explanation): void;
  /** Checks an error and returns its text. */
  fails(run: Run, address: string, error: unknown): string;
  refreshed(kept: StoredObject, state: ResourceState): void;
  /**
   * `planned` is undefined if the engine does not compare the result with the plan. `undeclared` are the computed fields
   * that the plan of an update made unknown without a declaration (I17).
   */
  made(
    run: Run,
    item: Item,
    planned: Values | undefined,
    state: ResourceState,
    undeclared: readonly string[],
  ): void;
  /** Called when a create or an update failed (I3). */
  failed(
    run: Run,
    item: Item,
    failures: readonly Failure[],
    idOf: (address: string) => string | undefined,
  ): void;
  /** Called when a killed engine continues with an older state: notes the created objects that are in `before` only. */
  lost(before: State, after: State): void;
  /** Returns true if no process could know of this object any more. Each lost object excuses one. */
  excuses(row: Row): boolean;
  /** Returns true if an error or a warning named an object that is not in the state, or a second one. */
  isNamed(row: Row): boolean;
  /** Called when the engine removes an object from the state (I4). */
  removed(run: Run, kept: StoredObject, by: string): void;
}

/**
 * One run of a fake engine: it handles the responses of the provider as Terraform and Pulumi do
 * (docs/reliability.md#1.2), without their protocols.
 */
export interface Run {
  readonly engine: "terraform" | "pulumi";
  readonly session: Session;
  readonly process: Process;
  readonly checker: Checker;
  readonly state: State;
  readonly stack: readonly Item[];
  readonly parallelism: number;
  readonly refresh: boolean;
  readonly timeout: number | undefined;
  readonly stop: AbortController;
  /** Items whose create is in progress. */
  readonly creating: Set<Item>;
}

/** Error that the user saw. */
export interface Failure {
  readonly address: string;
  readonly verb: Verb;
  readonly error: unknown;
}

/** Reads every object of the state and updates the state; returns the errors. */
export async function refresh(run: Run): Promise<Failure[]> {
  const failures: Failure[] = [];
  const { kept } = run.state;
  const read = async (one: StoredObject): Promise<boolean> => {
    const definition = resource(one.resource);
    const refreshed = await perform(run, failures, one.address, "read", (call) =>
      core.read(run.session, definition, one.state, call),
    );
    if (refreshed === undefined) return false;
    if (refreshed.result === undefined) {
      run.checker.removed(run, one, "a read");
      kept.delete(one.address);
      return true;
    }
    run.checker.refreshed(one, refreshed.result);
    const { at } = statusOf(definition, refreshed.result.values);
    const unfinished = at === "pending" || at === "failed" || refreshed.result.failed !== undefined;
    kept.set(one.address, {
      ...one,
      state: stored(run, refreshed.result),
      unfinished: run.engine === "pulumi" && unfinished,
    });
    return true;
  };
  const nodes = [...kept.values()].map((one) => ({
    key: one.address,
    after: one.needs.filter((need) => kept.has(need)),
    run: () => read(one),
  }));
  await walk(nodes, run.parallelism, () => !run.stop.signal.aborted && run.process.alive());
  return failures;
}

/** Returns the planned changes; sends nothing. Throws `PlanError`. */
export const plan = (run: Run): Change[] =>
  planStack(run.engine, run.stack, run.state, run.session).filter(({ action }) => action !== "none");

/** Applies the stack as far as possible; returns the errors. Throws `PlanError`. */
export async function apply(run: Run): Promise<Failure[]> {
  const failures: Failure[] = [];
  if (run.refresh) {
    failures.push(...(await refresh(run)));
    if (failures.length > 0) return failures;
  }
  const changes = planStack(run.engine, run.stack, run.state, run.session);
  const refused = changes.filter(({ plan }) => (plan?.problems.length ?? 0) > 0);
  if (refused.length > 0)
    return refused.map(({ address, plan }) => ({
      address,
      verb: "update",
      error: new PlanError(JSON.stringify(plan?.problems)),
    }));
  const steps = {
    deploy: (change: Change & { readonly item: Item }) => deploy(run, failures, change),
    destroy: (one: StoredObject) => destroy(run, failures, one),
  };
  // Pulumi starts nothing after a failure; Terraform continues with changes that do not depend on it.
  const goesOn = () =>
    !run.stop.signal.aborted && run.process.alive() && (run.engine === "terraform" || failures.length === 0);
  await walk(orderOf(run.engine, changes, run.state, steps), run.parallelism, goesOn);
  return failures;
}

async function deploy(
  run: Run,
  failures: Failure[],
  { address, action, item, kept, plan }: Change & { readonly item: Item },
): Promise<boolean> {
  const { state, session, checker } = run;
  const definition = resource(item.resource);
  const idOf = (other: string) => state.kept.get(other)?.state.id;
  const { inputs } = core.check(definition, resolved(item.inputs, idOf));
  const verb = action === "update" ? "update" : "create";
  if (verb === "create") run.creating.add(item);
  const made = await perform(run, failures, address, verb, (call) =>
    kept !== undefined && verb === "update"
      ? core.update(session, definition, kept.state, inputs, call)
      : core.create(session, definition, inputs, call),
  );
  run.creating.delete(item);
  const before = state.kept.get(address);
  if (made !== undefined) {
    // Pulumi accepts the result without comparing it with the preview.
    const undeclared = verb === "update" && plan !== undefined ? undeclaredUnknowns(definition, plan) : [];
    checker.made(run, item, run.engine === "terraform" ? plan?.values : undefined, made.result, undeclared);
    if (action === "replace" && before !== undefined) state.replaced.add(before);
    state.kept.set(address, keep(item, stored(run, made.result)));
    return true;
  }
  const held = stateOf(run, failures, address);
  if (held !== undefined) {
    if (action === "replace" && before !== undefined) state.replaced.add(before);
    const marks = run.engine === "pulumi" ? { unfinished: true } : { tainted: verb === "create" };
    state.kept.set(address, { ...keep(item, held, marks), needs: needsOf(item) });
  }
  checker.failed(run, item, failures, idOf);
  return false;
}

async function destroy(run: Run, failures: Failure[], one: StoredObject): Promise<boolean> {
  const { state, session, checker } = run;
  const done = await perform(run, failures, one.address, "delete", (call) =>
    core.delete(session, resource(one.resource), one.state, call),
  );
  if (done === undefined) return false;
  // An object that its replacement adopted is kept.
  const takenOver = [...state.kept.values()].some((other) => other !== one && isSameObject(other, one));
  if (one.state.id === undefined || !takenOver) checker.removed(run, one, "a delete");
  const old = [...state.replaced].find((other) => isSameObject(other, one));
  const kept = state.kept.get(one.address);
  if (old !== undefined) state.replaced.delete(old);
  else if (kept !== undefined && isSameObject(kept, one)) state.kept.delete(one.address);
  return true;
}

/** Imports an object into the state, as the import command does; returns the errors. */
export async function importObject(run: Run, item: Item, id: string): Promise<Failure[]> {
  const failures: Failure[] = [];
  const taken = await perform(run, failures, item.address, "import", (call) =>
    core.import(run.session, resource(item.resource), id, call),
  );
  if (taken !== undefined) run.state.kept.set(item.address, keep(item, stored(run, taken.result)));
  return failures;
}

/** Returns the computed fields that a plan makes unknown although no changed input is declared to change them. */
function undeclaredUnknowns({ fields }: Resource, { values, changes }: Plan): string[] {
  const changed = changes.map(({ path }) => String(path[0]));
  return Object.entries(fields).flatMap(([name, field]) =>
    field.kind === "computed" &&
    values[name] === UNKNOWN &&
    !field.options.changesWith?.some((input) => changed.includes(input))
      ? [name]
      : [],
  );
}

/** Returns the state that a failed operation leaves; Pulumi saves none without an id. */
function stateOf(run: Run, failures: readonly Failure[], address: string): ResourceState | undefined {
  const error = failures.findLast((failure) => failure.address === address)?.error;
  const held = error instanceof OperationError ? error.state : undefined;
  const isRejected = run.engine === "pulumi" ? held?.id === undefined : held?.foundBySearch === true;
  if (held === undefined || isRejected) return undefined;
  return stored(run, held);
}

/** Returns the state as the engine saves it: Terraform marks the object as tainted instead of saving the error. */
function stored({ engine }: Run, { failed, ...held }: ResourceState): ResourceState {
  return engine === "pulumi" && failed !== undefined ? { ...held, failed } : held;
}

/** Calls the provider once. Returns undefined and records the failure if the call fails. */
async function perform<T>(
  run: Run,
  failures: Failure[],
  address: string,
  verb: Verb,
  work: (call: Call) => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  const { checker, process, stop, timeout } = run;
  const end = checker.begins(run, address, verb);
  try {
    const call: Call = {
      stop: stop.signal,
      graceMs: graceMs[run.engine],
      timeout,
      warn: (warning) => checker.warns(warning),
      report: (status) => checker.shows(status),
    };
    const result = await process.unlessKilled(work(call));
    end("ok");
    return { result };
  } catch (error) {
    failures.push({ address, verb, error });
    end(error instanceof KilledError ? "died" : checker.fails(run, address, error));
    return undefined;
  }
}
