import type { ResourceState } from "../../../provider/core/state.ts";
import { equal, UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { hasShownOnce } from "../../../provider/definition/resource.ts";
import { engine as core, planDelete, planObject } from "../../../provider/engine/engine.ts";
import type { Call } from "../../../provider/engine/operation.ts";
import type { Plan } from "../../../provider/engine/plan.ts";
import type { Session } from "../../../provider/engine/session.ts";
import { statusOf } from "../../../provider/engine/state/status.ts";
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
  plan(name: string, prior: ResourceState | undefined, inputs: Values, replaces?: boolean): Plan;
  /** Plans a delete, as Terraform does; once more in the process that applies the plan (`applies`). */
  planDelete(name: string, prior: ResourceState, applies?: boolean): Plan["problems"];
  /** Resolves to undefined if the object does not exist. */
  read(name: string, state: ResourceState, call: Call): Promise<ResourceState | undefined>;
  create(name: string, inputs: Values, call: Call): Promise<ResourceState>;
  update(name: string, prior: ResourceState, inputs: Values, call: Call): Promise<ResourceState>;
  delete(name: string, prior: ResourceState, call: Call): Promise<void>;
  import(name: string, id: string, call: Call): Promise<ResourceState>;
  /** Returns true if a read in Pulumi reports the object as one whose create or update did not finish. */
  isUnfinished(name: string, state: ResourceState): boolean;
  /** Returns true if Terraform's users set `create_before_destroy` for the resource. */
  createsFirst(name: string): boolean;
  /** Returns true if the diff of a replacement sets Pulumi's `deleteBeforeReplace`. */
  deletesFirst(name: string, planned: Values, prior: ResourceState): boolean;
}

/** Resources that are in use whenever they are replaced. */
const inUse = new Set(["security-group", "access-key"]);

/** Returns the provider of a session: the engine of this package. */
export const providerOf = (session: Session): Provider => ({
  check: (name, inputs) => core.check(resource(name), inputs),
  plan(name, prior, inputs) {
    const planned = core.plan(resource(name), prior, inputs, session);
    const twice = prior?.id === undefined ? [] : planObject(session, resource(name), prior, prior.id);
    return { ...planned, problems: [...planned.problems, ...twice] };
  },
  // The plan and its apply are two processes of Terraform, but share one session here.
  planDelete: (name, prior, applies) => (applies ? [] : planDelete(session, resource(name), prior)),
  read: (name, state, call) => core.read(session, resource(name), state, call),
  create: (name, inputs, call) => core.create(session, resource(name), inputs, call),
  update: (name, prior, inputs, call) => core.update(session, resource(name), prior, inputs, call),
  delete: (name, prior, call) => core.delete(session, resource(name), prior, call),
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
