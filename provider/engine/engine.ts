import { missingProblem } from "../config/config.ts";
import { InputError } from "../core/error.ts";
import type { ResourceState } from "../core/state.ts";
import { equal, reveal, UNKNOWN, type Value, type Values } from "../core/value.ts";
import { explainWarning, type Warning } from "../core/warning.ts";
import { attribute, type Text, wording } from "../core/wording.ts";
import { fileValues, withFileValues } from "../definition/calculated.ts";
import { type Checked, check } from "../definition/check.ts";
import { readFiles, type Stoppable } from "../definition/content.ts";
import type { Action, Ephemeral, Lookup, PureFunction } from "../definition/function.ts";
import type { ImportTarget } from "../definition/import-id.ts";
import type { Resource } from "../definition/resource.ts";
import { idIn, scopeFields } from "../definition/resource.ts";
import { verbInputs } from "../definition/verb-inputs.ts";
import { recordingAccount, requireConfiguredAccount, withAccount } from "./account.ts";
import { invoke } from "./action.ts";
import { create } from "./create/create.ts";
import { remove } from "./delete/delete.ts";
import { planDistinct } from "./distinct.ts";
import { close, type LeaseState, type Opened, open, renew } from "./ephemeral.ts";
import { identified } from "./identity.ts";
import { importObject } from "./import/import.ts";
import { type Listed, listObjects } from "./list.ts";
import { lookup } from "./lookup/lookup.ts";
import { type Call, operate } from "./operation.ts";
import {
  type Defaults,
  deletionProblems,
  type Plan,
  partWarnings,
  plan,
  uncomparedWarnings,
} from "./plan.ts";
import { forgetCreate } from "./planned-name.ts";
import { read } from "./read.ts";
import { withRedaction } from "./redaction.ts";
import { lostReferences, movedRegion, otherRegions, parentRegionProblems, plannedRegion } from "./region.ts";
import type { Session } from "./session.ts";
import { noteList, sharedListProblems } from "./shared-list.ts";
import { plannedTags } from "./state/default-tags.ts";
import { labelOf, titleObject } from "./title.ts";
import { update } from "./update.ts";

export type { LeaseState } from "./ephemeral.ts";
export { lossOfReplacement } from "./failing-replacement.ts";
export type { OtherHolders } from "./held-object.ts";
export type { Listed } from "./list.ts";
export {
  addEntry,
  type Fate,
  holderOf,
  keptElsewhere,
  noteCompared,
  noteCreate,
  noteDeleted,
  noteUpdate,
  type PlannedEntry,
  planDelete,
  planLoss,
  planObject,
  planReplacement,
  severalIds,
} from "./managed.ts";
export { type Call, graceMs } from "./operation.ts";
export {
  dataLoss,
  deletedParts,
  deletionProblems,
  deletionWarnings,
  type FieldChange,
  type Plan,
  replacementWarning,
} from "./plan.ts";
export { holdersFor, renamedWarnings } from "./planned-name.ts";
export { withRedaction } from "./redaction.ts";
export { withPlannedRegion } from "./region.ts";
export { describeObject, importIdIn } from "./remediation.ts";
export { openSession, readOnly, type Session } from "./session.ts";
export { sharedListProblems } from "./shared-list.ts";
export { labelOf, titleObject, writtenObject } from "./title.ts";

/**
 * Operations that every adapter calls, independent of its protocol. `check` and `plan` send nothing; the other methods
 * need a session and a call, and throw `OperationError` with the partial state of an object that was not completed.
 */
export interface Engine {
  /**
   * Reads the files that the values name, ahead of `check`, which is synchronous. Throws the reason of the call's signal
   * when it aborts.
   */
  prepare(resource: Resource, written: Values, call: Stoppable): Promise<void>;
  check(resource: Resource, written: Values): Checked;
  /**
   * `session` may be missing while the provider's own configuration is unknown. `replaced` is the region of the existing
   * object, for engines that pass it to the create too.
   */
  plan(
    resource: Resource,
    prior: ResourceState | undefined,
    inputs: Values,
    session: Session | undefined,
    replaced?: string,
  ): Plan;
  create(session: Session, resource: Resource, inputs: Values, call: Call): Promise<ResourceState>;
  /** Reads the object; undefined if it is proven gone. */
  read(
    session: Session,
    resource: Resource,
    state: ResourceState,
    call: Call,
  ): Promise<ResourceState | undefined>;
  /**
   * Returns the state to plan from. Reads an object whose create failed, so that it is not replaced if the API now reports
   * it as ready. Returns any other state unchanged, without a request.
   */
  recovered(session: Session, resource: Resource, state: ResourceState, call: Call): Promise<ResourceState>;
  update(
    session: Session,
    resource: Resource,
    prior: ResourceState,
    inputs: Values,
    call: Call,
  ): Promise<ResourceState>;
  delete(session: Session, resource: Resource, state: ResourceState, call: Call): Promise<void>;
  /** Imports by `id`, `parent,id` or `region,parent,id`, with the name or the id as `id`; or by an identity. */
  import(
    session: Session,
    resource: Resource,
    where: string | ImportTarget,
    call: Call,
  ): Promise<ResourceState>;
  /** Lists the objects of a scope; `written` has the fields of `scopeFields`. */
  list(session: Session, resource: Resource, written: Values, call: Call): Promise<readonly Listed[]>;
  lookup(session: Session, lookup: Lookup, written: Values, call: Call): Promise<Values>;
  invoke(session: Session, action: Action, written: Values, call: Call): Promise<void>;
  /** Returns the values, and a lease if the resource has to be renewed or closed. */
  open(session: Session, ephemeral: Ephemeral, written: Values, call: Call): Promise<Opened>;
  renew(session: Session, ephemeral: Ephemeral, lease: LeaseState, call: Call): Promise<LeaseState>;
  close(session: Session, ephemeral: Ephemeral, lease: LeaseState, call: Call): Promise<void>;
  /** Computes a pure function; sends nothing. */
  calculate(definition: PureFunction, written: Values): Value;
}

const revealed = (values: Values): Values => reveal(values) as Values;
/**
 * Returns the state without secret marks. Its id is that in the values: `state.id` may still be that of the create. Without an
 * id in the state nothing proves that the object of the values is the created one.
 */
function revealedState(resource: Resource, state: ResourceState): ResourceState {
  const values = revealed(state.values);
  return { ...state, id: state.id && (idIn(resource, values) ?? state.id), values };
}

const planFor: Engine["plan"] = (resource, prior, inputs, session, replaced) => {
  const region = plannedRegion(resource, inputs, session, replaced);
  const defaults: Defaults = { region, ...plannedTagsOf(resource, inputs, session) };
  const base = plan(resource, prior, inputs, { defaults, settings: session?.settings });
  const isCreated = base.action === "create" || base.action === "replace";
  const label = labelOf(resource, isCreated || prior === undefined ? { values: inputs } : prior);
  const explained = (warning: Warning) => explainWarning(warning, titleObject(session, resource, label));
  const files = unfinishedFiles(resource, inputs, base);
  const unfinished = files.map((file) => ({ code: "file-unfinished" as const, ...file }));
  const repeated = session === undefined ? [] : planDistinct(session, resource, base.values, isCreated);
  if (!isCreated) {
    const changed =
      prior === undefined ? [] : [...partWarnings(resource, prior, base), ...uncomparedWarnings(prior, base)];
    return { ...base, warnings: [...unfinished, ...repeated, ...changed].map(explained) };
  }
  const { billed } = resource;
  const lacking = missingSettings(resource, region, session);
  const warnings: Warning[] = [
    ...(base.action === "create" ? unfinished : []),
    ...repeated,
    ...(billed === undefined ? [] : [{ code: "billed" as const, text: billed }]),
    ...(lacking.includes("objectKeys") ? [missingKeys] : []),
    ...otherRegions(resource, inputs, region),
    ...movedRegion(resource, prior, inputs, region),
  ];
  const obstacles = [
    ...lacking.flatMap((name) => (name === "objectKeys" ? [] : missingProblem[name])),
    ...(base.action === "replace" ? files.map(lostBy) : []),
    ...parentRegionProblems(resource, inputs, region),
  ];
  return {
    ...base,
    warnings: warnings.map(explained),
    problems: [...base.problems, ...obstacles],
    obstacles,
    losses: base.action === "replace" ? lostReferences(resource, inputs, region, base.changes) : [],
  };
};

/** File that a plan sends and that does not exist yet, or does not match the configured digest. */
interface UnfinishedFile {
  readonly source: string;
  readonly problem: Text;
}

function unfinishedFiles({ fields }: Resource, inputs: Values, { action, changes }: Plan): UnfinishedFile[] {
  return fileValues(fields, inputs).flatMap(({ name, source, path, value }) => {
    const isSent = action !== "update" || changes.some(({ path: [first] }) => first === name);
    const configured = reveal(inputs[name] ?? UNKNOWN);
    const isFinished = value !== undefined && (configured === UNKNOWN || equal(configured, value));
    if (action === "none" || !isSent || isFinished) return [];
    return {
      source,
      problem: wording`${path} ${value === undefined ? "does not exist" : wording`does not match ${attribute(name)}`}`,
    };
  });
}

/** Returns the problem of a replacement, which deletes the old object before it reads the file. */
const lostBy = ({ source, problem }: UnfinishedFile) => ({
  path: [source],
  problem: wording`${problem}, and the replacement deletes the object before it reads the file`,
});

const missingKeys: Warning = { code: "no-access-key", problem: missingProblem.objectKeys.problem };

/** Returns the settings that the create of an object needs and that are not set; empty while the settings are unknown. */
function missingSettings(resource: Resource, region: Value | undefined, session: Session | undefined) {
  if (session === undefined) return [];
  const { settings } = session;
  const lacksRegion = resource.regional !== false && region === undefined;
  const others = (resource.requires ?? []).filter((name) => settings[name] === undefined);
  return lacksRegion ? (["region", ...others] as const) : others;
}

const plannedTagsOf = (resource: Resource, inputs: Values, session: Session | undefined): Defaults =>
  session === undefined ? { tagsAll: UNKNOWN } : plannedTags(resource, inputs, session.settings);

/** Adds `settle_seconds` to the default timeout of a read that searches for the object of an interrupted create. */
const withSearchTime = (
  { settings }: Session,
  { timeouts }: Resource,
  { interrupted }: ResourceState,
  call: Call,
): Call =>
  interrupted === undefined
    ? call
    : { ...call, timeout: call.timeout ?? timeouts.read + settings.settleSeconds };

/** Returns the inputs of a request with the values that follow from files. Throws `InputError` for a missing file. */
async function withFiles({ fields }: Resource, inputs: Values, { stop }: Call): Promise<Values> {
  await readFiles(fields, inputs, { signal: stop });
  return withFileValues(fields, inputs);
}

/** Returns the parts of an operation that the state of its object records. */
const recordedBy = ({ createdAt, unconfirmed }: ResourceState) => ({ createdAt, unconfirmed });

/** Engine that every adapter calls. */
export const engine: Engine = {
  prepare: ({ fields }, written, call) => readFiles(fields, written, call),
  check,
  plan: planFor,

  async create(session, resource, written, call) {
    const inputs = await withFiles(resource, written, call);
    const values = revealed(inputs);
    const problems = sharedListProblems(session, resource, undefined, {
      action: "create",
      values,
      changes: [],
    });
    if (problems.length > 0) throw new InputError(problems);
    return operate(
      withRedaction(session, resource, inputs),
      { resource, verb: "create", label: labelOf(resource, { values: inputs }), call },
      async (operation) => {
        const state = await create(recordingAccount(operation), revealed(inputs));
        forgetCreate(session, resource, state);
        noteList(session, resource, state);
        requireConfiguredAccount(operation, state);
        return withAccount(operation, state);
      },
    );
  },

  read: (session, resource, state, call) =>
    operate(
      withRedaction(session, resource, state.values),
      {
        resource,
        verb: "read",
        label: labelOf(resource, state),
        call: withSearchTime(session, resource, state, call),
      },
      (operation) => read({ ...operation, ...recordedBy(state) }, revealedState(resource, state)),
    ),

  async recovered(session, resource, state, call) {
    if (state.failed === undefined) return state;
    const current = await engine.read(session, resource, state, call);
    return current === undefined || current.failed !== undefined ? state : current;
  },

  async update(session, resource, prior, written, call) {
    const inputs = await withFiles(resource, written, call);
    const planned = planFor(resource, revealedState(resource, prior), revealed(inputs), session);
    const { changes } = planned;
    const problems = [...planned.problems, ...sharedListProblems(session, resource, prior, planned)];
    const impossible = changes
      .filter(({ effect }) => effect === "replace")
      .map(({ path }) => ({ path, problem: "cannot change in place; the object has to be replaced" }));
    if (problems.length + impossible.length > 0) throw new InputError([...problems, ...impossible]);
    const careful = withRedaction(session, resource, prior.values, inputs);
    return operate(
      careful,
      { resource, verb: "update", label: labelOf(resource, prior), call },
      async (operation) => {
        const state = await update(
          { ...operation, ...recordedBy(prior) },
          revealedState(resource, prior),
          revealed(inputs),
          changes,
        );
        noteList(session, resource, state);
        return state;
      },
    );
  },

  async delete(session, resource, state, call) {
    const problems = deletionProblems(resource, state);
    if (problems.length > 0) throw new InputError(problems);
    return operate(
      withRedaction(session, resource, state.values),
      { resource, verb: "delete", label: labelOf(resource, state), call },
      async (begun) => {
        const operation = { ...begun, ...recordedBy(state) };
        await remove(operation, await identified(operation, revealedState(resource, state)));
      },
    );
  },

  import: (session, resource, where, call) =>
    operate(
      session,
      { resource, verb: "import", label: { id: typeof where === "string" ? where : where.id }, call },
      async (operation) => withAccount(operation, await importObject(operation, where)),
    ),

  async list(session, resource, written, call) {
    const { inputs, problems } = check({ fields: scopeFields(resource) }, written);
    if (problems.length > 0) throw new InputError(problems);
    return operate(session, { resource, verb: "list", call }, (operation) =>
      listObjects(operation, revealed(inputs)),
    );
  },

  lookup,
  invoke,
  open,
  renew,
  close,

  calculate(definition, written) {
    const { inputs, problems } = check(definition, written);
    if (problems.length > 0) throw new InputError(problems);
    return definition.run(verbInputs(inputs)) as Value;
  },
};
