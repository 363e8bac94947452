import { missingProblem } from "../config/config.ts";
import { InputError } from "../core/error.ts";
import { inOtherRegion, regionOf } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import { reveal, UNKNOWN, type Value, type Values } from "../core/value.ts";
import { explainWarning, type Warning } from "../core/warning.ts";
import { type Checked, check, verbInputs } from "../definition/check.ts";
import { readFiles, type Stoppable } from "../definition/content.ts";
import type { Action, Ephemeral, Lookup, PureFunction } from "../definition/function.ts";
import type { ImportTarget } from "../definition/import-id.ts";
import type { Resource } from "../definition/resource.ts";
import { scopeFields } from "../definition/resource.ts";
import { recordingAccount, withAccount } from "./account.ts";
import { invoke } from "./action.ts";
import { create } from "./create/create.ts";
import { remove } from "./delete/delete.ts";
import { close, type LeaseState, type Opened, open, renew } from "./ephemeral.ts";
import { identified } from "./identity.ts";
import { importObject } from "./import/import.ts";
import { type Listed, listObjects } from "./list.ts";
import { lookup } from "./lookup/lookup.ts";
import { forgetCreate } from "./managed.ts";
import { type Call, operate } from "./operation.ts";
import { type Defaults, deletionProblems, type Plan, plan } from "./plan.ts";
import { read } from "./read.ts";
import { withRedaction } from "./redaction.ts";
import type { Session } from "./session.ts";
import { idIn, plannedTags } from "./state/state.ts";
import { labelOf, titleObject } from "./title.ts";
import { update } from "./update.ts";

export type { LeaseState } from "./ephemeral.ts";
export type { Listed } from "./list.ts";
export { managedByOthers, planDelete, planObject } from "./managed.ts";
export { type Call, graceMs } from "./operation.ts";
export {
  dataLoss,
  deletionProblems,
  deletionWarnings,
  type FieldChange,
  type Plan,
  replacementWarning,
} from "./plan.ts";
export { withRedaction } from "./redaction.ts";
export { describeObject } from "./remediation.ts";
export { openSession, type Session } from "./session.ts";
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
  /** `session` may be missing while the provider's own configuration is unknown. */
  plan(
    resource: Resource,
    prior: ResourceState | undefined,
    inputs: Values,
    session: Session | undefined,
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
  calculate(asked: PureFunction, written: Values): Value;
}

const revealed = (values: Values): Values => reveal(values) as Values;
/**
 * Returns the state without secret marks. The id is taken from the values: `state.id` may still be that of the create.
 */
function revealedState(resource: Resource, state: ResourceState): ResourceState {
  const values = revealed(state.values);
  return { ...state, id: idIn(resource, values) ?? state.id, values };
}

const planFor: Engine["plan"] = (resource, prior, inputs, session) => {
  const made = plan(resource, prior, inputs, defaultsOf(resource, inputs, session));
  const isCreated = made.action === "create" || made.action === "replace";
  if (!isCreated) return made;
  const { billed } = resource;
  const lacking = missingSettings(resource, inputs, session);
  const warnings: Warning[] = [
    ...(billed === undefined ? [] : [{ code: "billed" as const, text: billed }]),
    ...(lacking.includes("objectKeys") ? [missingKeys] : []),
    ...otherRegions(resource, inputs, session),
  ];
  const object = () => titleObject(session, resource, labelOf(resource, { values: inputs }));
  const problems = lacking.flatMap((name) => (name === "objectKeys" ? [] : missingProblem[name]));
  return {
    ...made,
    warnings: warnings.map((warning) => explainWarning(warning, object())),
    problems: [...made.problems, ...problems],
  };
};

const missingKeys: Warning = { code: "no-access-key", problem: missingProblem.objectKeys.problem };

/** Returns a warning for each id of another object whose region differs from that of the create. */
function otherRegions(resource: Resource, inputs: Values, session: Session | undefined): Warning[] {
  const region = reveal(inputs.region ?? session?.settings.region ?? null);
  if (typeof region !== "string" || resource.regional === false) return [];
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const id = field.kind === "field" && field.options.references !== undefined ? inputs[name] : undefined;
    return typeof id === "string" && inOtherRegion(id, region)
      ? { code: "other-region", field: name, idRegion: regionOf(id) ?? "", region }
      : [];
  });
}

/** Returns the settings that the create of an object needs and that are not set; empty while the settings are unknown. */
function missingSettings(resource: Resource, { region = null }: Values, session: Session | undefined) {
  if (session === undefined) return [];
  const { settings } = session;
  const lacksRegion = resource.regional !== false && region === null && settings.region === undefined;
  const others = (resource.requires ?? []).filter((name) => settings[name] === undefined);
  return lacksRegion ? (["region", ...others] as const) : others;
}

const defaultsOf = (resource: Resource, inputs: Values, session: Session | undefined): Defaults =>
  session === undefined
    ? { region: UNKNOWN, tagsAll: UNKNOWN }
    : { region: session.settings.region, ...plannedTags(resource, inputs, session.settings) };

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

/** Engine that every adapter calls. */
export const engine: Engine = {
  prepare: ({ fields }, written, call) => readFiles(fields, written, call),
  check,
  plan: planFor,

  create: (session, resource, inputs, call) =>
    operate(
      withRedaction(session, resource, inputs),
      resource,
      "create",
      labelOf(resource, { values: inputs }),
      call,
      async (operation) => {
        const state = await create(recordingAccount(operation), revealed(inputs));
        forgetCreate(session, resource, state);
        return withAccount(operation, state);
      },
    ),

  read: (session, resource, state, call) =>
    operate(
      withRedaction(session, resource, state.values),
      resource,
      "read",
      labelOf(resource, state),
      withSearchTime(session, resource, state, call),
      (operation) => read({ ...operation, createdAt: state.createdAt }, revealedState(resource, state)),
    ),

  async recovered(session, resource, state, call) {
    if (state.failed === undefined) return state;
    const current = await engine.read(session, resource, state, call);
    return current === undefined || current.failed !== undefined ? state : current;
  },

  async update(session, resource, prior, inputs, call) {
    const { changes, problems } = planFor(
      resource,
      revealedState(resource, prior),
      revealed(inputs),
      session,
    );
    const impossible = changes
      .filter(({ effect }) => effect === "replace")
      .map(({ path }) => ({ path, problem: "cannot change in place; the object has to be replaced" }));
    if (problems.length + impossible.length > 0) throw new InputError([...problems, ...impossible]);
    const careful = withRedaction(session, resource, prior.values, inputs);
    return operate(careful, resource, "update", labelOf(resource, prior), call, (operation) =>
      update(
        { ...operation, createdAt: prior.createdAt, unconfirmed: prior.unconfirmed },
        revealedState(resource, prior),
        revealed(inputs),
        changes,
      ),
    );
  },

  async delete(session, resource, state, call) {
    const problems = deletionProblems(resource, state);
    if (problems.length > 0) throw new InputError(problems);
    return operate(
      withRedaction(session, resource, state.values),
      resource,
      "delete",
      labelOf(resource, state),
      call,
      async (given) => {
        const operation = { ...given, createdAt: state.createdAt };
        await remove(operation, await identified(operation, revealedState(resource, state)));
      },
    );
  },

  import: (session, resource, where, call) =>
    operate(
      session,
      resource,
      "import",
      { id: typeof where === "string" ? where : where.id },
      call,
      async (operation) => withAccount(operation, await importObject(operation, where)),
    ),

  async list(session, resource, written, call) {
    const { inputs, problems } = check({ fields: scopeFields(resource) }, written);
    if (problems.length > 0) throw new InputError(problems);
    return operate(session, resource, "list", {}, call, (operation) =>
      listObjects(operation, revealed(inputs)),
    );
  },

  lookup,
  invoke,
  open,
  renew,
  close,

  calculate(asked, written) {
    const { inputs, problems } = check(asked, written);
    if (problems.length > 0) throw new InputError(problems);
    return asked.run(verbInputs(inputs)) as Value;
  },
};
