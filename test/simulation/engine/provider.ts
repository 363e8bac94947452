import type { Problem } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { equal, UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { hasShownOnce } from "../../../provider/definition/resource.ts";
import {
  addEntry,
  engine as core,
  holderOf,
  keptElsewhere,
  noteCreate,
  noteDeleted,
  noteUpdate,
  planDelete,
  planLoss,
  planObject,
  severalIds,
} from "../../../provider/engine/engine.ts";
import { createHeldObjects } from "../../../provider/engine/held-object.ts";
import type { Call } from "../../../provider/engine/operation.ts";
import type { Plan } from "../../../provider/engine/plan.ts";
import { createPlannedObjects } from "../../../provider/engine/planned-object.ts";
import type { Session } from "../../../provider/engine/session.ts";
import { statusOf } from "../../../provider/engine/state/status.ts";
import { plannedInputs } from "../../../provider/terraform/codec/state.ts";
import { resource } from "../../support/cloud.ts";

/** Provider as a fake engine calls it: the first argument is the resource. */
export interface Provider {
  /** Checks inputs; `hasPrior` is true if Pulumi passes the inputs of the state too. */
  check(
    name: string,
    inputs: Values,
    hasPrior?: boolean,
  ): Pick<ReturnType<typeof core.check>, "inputs" | "problems">;
  /**
   * Plans a create (without `prior`) or a change. Terraform plans the create of a replacement with the private data of
   * the plan that asked for it: `replaces` is true then.
   */
  plan(
    name: string,
    prior: ResourceState | undefined,
    inputs: Values,
    replaces?: boolean,
    context?: PlanContext,
  ): Plan;
  /** Returns the inputs of an update by Terraform: the planned values, which have the spelling of the state. */
  updateInputs(name: string, planned: Values, inputs: Values): Values;
  /** Forgets what the plan recorded: Terraform applies it in a new process. */
  beginApply(): void;
  /** Returns the ids that the private data of a planned create has: the delete of a tainted object receives them. */
  managed(name: string): readonly string[];
  /** Plans a delete, as Terraform does; once more in the process that applies the plan (`applies`). */
  planDelete(name: string, prior: ResourceState, applies?: boolean): Plan["problems"];
  /** Resolves to undefined if the object does not exist. */
  read(name: string, state: ResourceState, call: Call): Promise<ResourceState | undefined>;
  create(name: string, inputs: Values, call: Call, urn?: string): Promise<ResourceState>;
  update(
    name: string,
    prior: ResourceState,
    inputs: Values,
    call: Call,
    urn?: string,
  ): Promise<ResourceState>;
  delete(
    name: string,
    prior: ResourceState,
    call: Call,
    urn?: string,
    managed?: readonly string[],
  ): Promise<void>;
  import(name: string, id: string, call: Call): Promise<ResourceState>;
  /** Returns true if a read in Pulumi reports the object as one whose create or update did not finish. */
  isUnfinished(name: string, state: ResourceState): boolean;
  /** Returns true if Terraform's users set `create_before_destroy` for the resource. */
  createsFirst(name: string): boolean;
  /** Returns true if the diff of a replacement sets Pulumi's `deleteBeforeReplace`. */
  deletesFirst(name: string, planned: Values, prior: ResourceState): boolean;
}

/** Context of a plan, besides its arguments. */
export interface PlanContext {
  /** Address of the resource, which Pulumi passes as a URN. */
  readonly urn?: string;
  /** True for the Diff of a refresh or of a dependent, which decides nothing. */
  readonly isComparison?: boolean;
  /** True for a plan that records nothing: another process makes it, or it repeats one. */
  readonly isPreview?: boolean;
}

/** Resources that are in use whenever they are replaced. */
const inUse = new Set(["security-group", "access-key"]);

/** Returns the provider of a session: the engine of this package. */
export const providerOf = (session: Session): Provider => ({
  check: (name, inputs) => core.check(resource(name), inputs),
  plan(name, prior, inputs, _replaces, { urn, isComparison, isPreview } = {}) {
    const definition = resource(name);
    const planned = core.plan(definition, prior, inputs, session);
    if (isPreview) return planned;
    const problems: Problem[] = [];
    if (prior?.id !== undefined) {
      const isReplaced = planned.action === "replace";
      const decided = isReplaced || isComparison ? "compared" : "kept";
      const fate =
        urn !== undefined && decided === "kept" && planned.action === "update" ? "changed" : decided;
      problems.push(...planObject(session, definition, prior, { owner: urn ?? prior.id, fate }));
      if (urn === undefined && isReplaced) problems.push(...planLoss(session, definition, prior));
    } else if (urn === undefined && prior === undefined)
      problems.push(
        ...planObject(session, definition, { id: undefined, values: inputs }, { owner: undefined }),
      );
    return { ...planned, problems: [...planned.problems, ...problems] };
  },
  updateInputs: (name, planned, inputs) => plannedInputs(resource(name).fields, planned, inputs),
  beginApply() {
    const records = { held: createHeldObjects(), several: new Map(), objects: createPlannedObjects() };
    Object.assign(session.plans, records satisfies Partial<Session["plans"]>);
  },
  managed: (name) => severalIds(session, resource(name)),
  // The plan and its apply are two processes of Terraform, but share one session here.
  planDelete: (name, prior, applies) => (applies ? [] : planDelete(session, resource(name), prior)),
  read(name, state, call) {
    addEntry(session, resource(name), state);
    return core.read(session, resource(name), state, call);
  },
  create(name, inputs, call, urn) {
    if (urn !== undefined) noteCreate(session, urn);
    return core.create(session, resource(name), inputs, {
      ...call,
      holderOf: holderOf(session, resource(name), inputs, { owner: urn }),
    });
  },
  update(name, prior, inputs, call, urn) {
    if (urn !== undefined) noteUpdate(session, resource(name), prior, urn);
    return core.update(session, resource(name), prior, inputs, call);
  },
  async delete(name, prior, call, urn, managed) {
    const keptOf = keptElsewhere(session, resource(name), prior, { owner: urn ?? prior.id, others: managed });
    await core.delete(session, resource(name), prior, { ...call, keptOf });
    if (urn !== undefined && !keptOf(prior.id ?? "")) noteDeleted(session, resource(name), prior, urn);
  },
  import: (name, id, call) => core.import(session, resource(name), id, call),
  isUnfinished(name, { values, failed }) {
    const { at } = statusOf(resource(name), values);
    return at === "pending" || at === "failed" || failed !== undefined;
  },
  createsFirst: (name) => inUse.has(name),
  deletesFirst(name, { name: planned = null, ...inputs }, { id, values }) {
    const definition = resource(name);
    return (
      definition.exclusive === true ||
      (definition.idField !== undefined && inputs[definition.idField] === id) ||
      (!hasShownOnce(definition) && planned !== UNKNOWN && equal(planned, values.name ?? null))
    );
  },
});
