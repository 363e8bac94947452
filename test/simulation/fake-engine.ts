import { OperationError, type Problem } from "../../provider/core/error.ts";
import type { Remedy } from "../../provider/core/remedy.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import type { ExplainedWarning } from "../../provider/core/warning.ts";
import { inAllWords } from "../../provider/core/wording.ts";
import { type Call, graceMs, type Verb } from "../../provider/engine/operation.ts";
import type { Plan } from "../../provider/engine/plan.ts";
import type { Session } from "../../provider/engine/session.ts";
import type { Provider } from "./engine/provider.ts";
import type { Item } from "./item.ts";
import type { Row } from "./kind.ts";
import { isSameObject, keep, namesKept, type State, type StoredObject } from "./state.ts";
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
  /** Called for each warning of an operation (I5). */
  warns(warning: ExplainedWarning): void;
  /** Checks the error of an operation (I5) and returns its text. */
  fails(run: Run, address: string, error: unknown): string;
  /** Called when a read found the object (I10, I13, I14). */
  refreshed(run: Run, kept: StoredObject, state: ResourceState): void;
  /**
   * Called when a create or an update succeeded (I10, I13, I14, I17). `planned` is undefined if the engine does not compare
   * the result with the plan; `update` is undefined for a create.
   */
  made(
    run: Run,
    item: Item,
    planned: Values | undefined,
    state: ResourceState,
    update: Plan | undefined,
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
  /** Returns true if no process has the id of this object any more. Each lost object excuses one row. */
  excuses(row: Row): boolean;
  /** Returns true if an error or a warning named an object that is not in the state, or a second one. */
  isNamed(row: Row): boolean;
  /** Called when the engine removes an object from the state (I4). */
  removed(run: Run, kept: StoredObject, by: string): void;
  /** Returns a check that a delete left the object in place, which another address has too (I19). */
  keeps(kept: StoredObject): () => void;
}

/**
 * One run of a fake engine: it handles the responses of the provider as Terraform and Pulumi do
 * (docs/reliability.md#1.2), without their protocols.
 */
export interface Run {
  readonly engine: "terraform" | "pulumi";
  /**
   * True if OpenTofu orders the changes, false if Terraform 1.16 does, which leaves some replaced objects to the next run.
   * Without it the rules of OpenTofu hold, and those of Terraform where OpenTofu stops with a cycle.
   */
  readonly isOpenTofu?: boolean;
  /** Returns changes in the arbitrary order in which Terraform visits them; see `engine/terraform.ts`. */
  readonly visits?: <T>(changes: readonly T[]) => readonly T[];
  readonly provider: Provider;
  readonly session: Session;
  readonly process: Process;
  readonly checker: Checker;
  readonly state: State;
  readonly stack: readonly Item[];
  readonly parallelism: number;
  readonly refresh: boolean;
  /** True if Pulumi previews the changes before it makes them. */
  readonly previews: boolean;
  readonly timeout: number | undefined;
  readonly stop: AbortController;
  /** Items whose create is in progress. */
  readonly creating: Set<Item>;
  /** Planned changes of the updates so far, with the names of each object. */
  readonly shown: { readonly names: readonly string[]; readonly changes: Plan["changes"] }[];
  /** Warnings of the operations so far, with the address of each. */
  readonly warnings: { readonly address: string; readonly warning: ExplainedWarning["warning"] }[];
}

/** Error that the user saw. */
export interface Failure {
  readonly address: string;
  readonly verb: Verb;
  readonly error: unknown;
}

/** Error of a plan: two plans of the same object differ, its inputs are invalid, or it has problems. */
export class PlanError extends Error {
  readonly remedies: readonly Remedy[];
  constructor(message: string, problems: readonly Problem[] = []) {
    super(problems.length === 0 ? message : `${message}${JSON.stringify(problems)}`);
    this.remedies = problems.flatMap(({ remedies = [] }) => remedies);
  }
}

/** Returns the remedies of an error for the users of an engine; empty for an error that names none. */
export const remediesIn = (error: unknown, engine: Run["engine"]): readonly Remedy[] =>
  error instanceof PlanError || error instanceof OperationError
    ? error.remedies.filter(({ only }) => only === undefined || only === engine)
    : [];

/** Error of an order of changes in which one change would have to wait for itself. */
export class CycleError extends Error {}

/**
 * Reads an object and stores the result, which is undefined if the object does not exist. Returns undefined if the read
 * failed.
 */
export async function readObject(
  run: Run,
  failures: Failure[],
  one: StoredObject,
): Promise<{ readonly stored: StoredObject | undefined } | undefined> {
  const { kept, replaced } = run.state;
  const refreshed = await perform(run, failures, one.address, "read", (call) =>
    run.provider.read(one.resource, one.state, call),
  );
  if (refreshed === undefined) return undefined;
  const isOld = replaced.delete(one);
  if (refreshed.result === undefined) {
    run.checker.removed(run, one, "a read");
    if (!isOld) kept.delete(one.address);
    return { stored: undefined };
  }
  run.checker.refreshed(run, one, refreshed.result);
  const unfinished = run.engine === "pulumi" && run.provider.isUnfinished(one.resource, refreshed.result);
  const stored = { ...one, state: storedState(run, refreshed.result), unfinished };
  if (isOld) replaced.add(stored);
  else kept.set(one.address, stored);
  return { stored };
}

/** Inputs of a create or an update, and what is stored besides its result. */
export interface Deployment {
  readonly item: Item;
  readonly inputs: Values;
  /** State that is updated; undefined for a create. */
  readonly prior: ResourceState | undefined;
  /** Values that the result is compared with. */
  readonly planned: Values | undefined;
  /** Plan of an update. */
  readonly plan?: Plan | undefined;
  readonly marks?: Partial<StoredObject>;
}

/** Creates or updates an object and stores its state, the partial state of a failure too. Returns false if it failed. */
export async function deployObject(
  run: Run,
  failures: Failure[],
  { item, inputs, prior, planned, plan, marks = {} }: Deployment,
): Promise<boolean> {
  const { state, provider, checker } = run;
  const { address, resource: name } = item;
  const verb = prior === undefined ? "create" : "update";
  if (verb === "create") run.creating.add(item);
  if (prior !== undefined)
    run.shown.push({ names: namesKept(keep(item, prior)), changes: plan?.changes ?? [] });
  const made = await perform(run, failures, address, verb, (call) =>
    prior === undefined
      ? provider.create(name, inputs, call, urnOf(run, address))
      : provider.update(name, prior, inputs, call, urnOf(run, address)),
  );
  run.creating.delete(item);
  if (made !== undefined) {
    checker.made(run, item, planned, made.result, prior === undefined ? undefined : plan);
    state.kept.set(address, keep(item, storedState(run, made.result), marks));
    return true;
  }
  const partial = stateOf(run, failures, address);
  if (partial !== undefined) {
    const failure = run.engine === "pulumi" ? { unfinished: true } : { tainted: verb === "create" };
    state.kept.set(address, keep(item, partial, { ...marks, ...failure }));
  }
  checker.failed(run, item, failures, (other) => state.kept.get(other)?.state.id);
  return false;
}

/** Returns the URN that an engine passes for an address; Terraform passes none. */
export const urnOf = ({ engine }: Run, address: string): string | undefined =>
  engine === "pulumi" ? address : undefined;

/** Returns a state as Terraform passes it to the delete of a tainted object that it replaces: without private data. */
const withoutPrivate = ({ id, values }: ResourceState): ResourceState => ({
  id,
  task: undefined,
  values,
  unread: [],
});

/**
 * Deletes an object and removes it from the state. `managed` are the ids in the private data of the plan of a replacement. Returns
 * false if that failed.
 */
export async function destroyObject(
  run: Run,
  failures: Failure[],
  one: StoredObject,
  managed?: readonly string[],
): Promise<boolean> {
  const { state, provider, checker } = run;
  // Another address has the object: its replacement adopted it, or the id is that of a later object.
  const owner =
    one.state.id === undefined
      ? undefined
      : [...state.kept.values()].find((other) => other !== one && isSameObject(other, one));
  const ownerStays = run.stack.some(({ address }) => address === owner?.address);
  const checkKept = checker.keeps(one);
  const passed = managed !== undefined && one.tainted ? withoutPrivate(one.state) : one.state;
  const done = await perform(run, failures, one.address, "delete", (call) =>
    provider.delete(one.resource, passed, call, urnOf(run, one.address), managed),
  );
  if (done === undefined) return false;
  if (owner === undefined) checker.removed(run, one, "a delete");
  else if (ownerStays) checkKept();
  const old = [...state.replaced].find((other) => isSameObject(other, one));
  const kept = state.kept.get(one.address);
  if (old !== undefined) state.replaced.delete(old);
  else if (kept !== undefined && isSameObject(kept, one)) state.kept.delete(one.address);
  return true;
}

/** Imports an object into the state, as the import command does; returns the errors. */
export async function importObject(run: Run, item: Item, id: string): Promise<Failure[]> {
  const failures: Failure[] = [];
  const imported = await perform(run, failures, item.address, "import", (call) =>
    run.provider.import(item.resource, id, call),
  );
  if (imported !== undefined) run.state.kept.set(item.address, keep(item, storedState(run, imported.result)));
  return failures;
}

/** Returns the state that a failed operation leaves; Pulumi saves none without an id. */
function stateOf(run: Run, failures: readonly Failure[], address: string): ResourceState | undefined {
  const error = failures.findLast((failure) => failure.address === address)?.error;
  const state = error instanceof OperationError ? error.state : undefined;
  const isRejected = run.engine === "pulumi" ? state?.id === undefined : state?.foundBySearch === true;
  if (state === undefined || isRejected) return undefined;
  return storedState(run, state);
}

/** Returns the state as the engine saves it: Terraform marks the object as tainted instead of saving the error. */
function storedState({ engine }: Run, { failed, ...state }: ResourceState): ResourceState {
  return engine === "pulumi" && failed !== undefined ? { ...state, failed } : state;
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
      warn: (explained) => {
        run.warnings.push({ address, warning: explained.warning });
        checker.warns(explained);
      },
      report: (status) => checker.shows(inAllWords(status)),
    };
    const result = await process.unlessKilled(work(call));
    end("ok");
    return { result };
  } catch (error) {
    failures.push({ address, verb, error });
    end(error instanceof KilledError ? "killed" : checker.fails(run, address, error));
    return undefined;
  }
}
