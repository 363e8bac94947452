import { equal, UNKNOWN, type Values } from "../../provider/core/value.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { hasShownOnce } from "../../provider/definition/resource.ts";
import { engine as core } from "../../provider/engine/engine.ts";
import type { Plan } from "../../provider/engine/plan.ts";
import { resource } from "../support/cloud.ts";
import type { Node } from "./graph.ts";
import { type Item, needsOf } from "./item.ts";
import { resolved, type State, type StoredObject } from "./state.ts";

/** Planned change of one object; `plan.problems` says why it cannot be made. */
export interface Change {
  readonly address: string;
  readonly action: "none" | "create" | "update" | "replace" | "delete";
  readonly item: Item | undefined;
  readonly kept: StoredObject | undefined;
  readonly plan: Plan | undefined;
  /** True if the old object is deleted before the new one is created. */
  readonly deleteFirst: boolean;
}

/** Error of a plan: two plans of the same object differ, its inputs are invalid, or it has problems. */
export class PlanError extends Error {}

/**
 * Returns the changes that lead to the stack; sends nothing. Throws `PlanError` for invalid inputs, and if planning
 * twice gives two results.
 */
export function planStack(
  engine: "terraform" | "pulumi",
  stack: readonly Item[],
  { kept }: State,
  session: Parameters<typeof core.plan>[3],
): Change[] {
  const changes = new Map<string, Change>();
  /**
   * Returns true if the old object is deleted first. Pulumi deletes the dependents of an object that is deleted before
   * its replacement. Terraform deletes before it creates, except for kinds that are in use whenever they are replaced:
   * for these a user sets `create_before_destroy`.
   */
  const isEarly = (before: StoredObject | undefined): boolean =>
    (engine === "terraform" && !inUse.has(before?.resource)) ||
    (before?.needs.some((need) => makesRoom(changes.get(need))) ?? false);
  const idOf = (address: string) => {
    const action = changes.get(address)?.action;
    return action === "create" || action === "replace" ? undefined : kept.get(address)?.state.id;
  };
  for (const item of stack) {
    const before = kept.get(item.address);
    const definition = resource(item.resource);
    const { inputs, problems } = core.check(definition, resolved(item.inputs, idOf));
    if (problems.length > 0) throw new PlanError(`${item.address}: ${JSON.stringify(problems)}`);
    const made = before?.tainted ? undefined : before?.state;
    const plan = core.plan(definition, made, inputs, session);
    const again = core.plan(definition, made, inputs, session);
    if (plan.action !== again.action || !equal(plan.values, again.values))
      throw new PlanError(`${item.address}: planned twice, with two results`);
    const action = before?.tainted
      ? "replace"
      : plan.action === "none" && before?.unfinished
        ? "update"
        : plan.action;
    changes.set(item.address, {
      address: item.address,
      action,
      item,
      kept: before,
      plan,
      deleteFirst: isEarly(before) || cannotStandBeside(definition, plan.values, before),
    });
  }
  const wanted = new Set(stack.map(({ address }) => address));
  for (const one of kept.values())
    if (!wanted.has(one.address))
      changes.set(one.address, {
        address: one.address,
        action: "delete",
        item: undefined,
        kept: one,
        plan: undefined,
        deleteFirst: isEarly(one),
      });
  return [...changes.values()];
}

const inUse = new Set<string | undefined>(["security-group", "access-key"]);

const makesRoom = (change: Change | undefined): boolean =>
  change?.deleteFirst === true && (change.action === "replace" || change.action === "delete");

/** Returns true if the provider sets Pulumi's `deleteBeforeReplace`. */
const cannotStandBeside = (
  resource: Resource,
  { name = null, ...inputs }: Values,
  kept: StoredObject | undefined,
): boolean =>
  resource.exclusive === true ||
  (resource.idField !== undefined && inputs[resource.idField] === kept?.state.id) ||
  (!hasShownOnce(resource) && name !== UNKNOWN && equal(name, kept?.state.values.name ?? null));

/** Functions that carry out a change; they resolve to false if it failed. */
export interface Steps {
  deploy(change: Change & { readonly item: Item }): Promise<boolean>;
  destroy(kept: StoredObject): Promise<boolean>;
}

/**
 * Returns the changes in their order: an object is created after its dependencies and deleted after its dependents.
 * Pulumi deletes at the end, except to make room for a replacement.
 */
export function orderOf(
  engine: "terraform" | "pulumi",
  changes: readonly Change[],
  { replaced }: State,
  steps: Steps,
): Node[] {
  const creating = new Map(
    changes.flatMap((change) =>
      ["create", "update", "replace"].includes(change.action) ? [[change.address, change]] : [],
    ),
  );
  const dropping = new Map(
    changes.flatMap(({ address, action, kept }) =>
      kept !== undefined && (action === "delete" || action === "replace") ? [[address, kept]] : [],
    ),
  );
  const early = new Set(changes.filter(makesRoom).map(({ address }) => address));
  const makes = [...creating.values()].flatMap((change): Node[] => {
    const { item, address, action, deleteFirst } = change;
    if (item === undefined) return [];
    const needs = needsOf(item).filter((need) => creating.has(need));
    const own = action === "replace" && deleteFirst ? [`drop ${address}`] : [];
    return [
      {
        key: `make ${address}`,
        after: [...needs.map((need) => `make ${need}`), ...own],
        run: () => steps.deploy({ ...change, item }),
      },
    ];
  });
  const old = [...replaced];
  const oldUsers = (address: string) =>
    old.flatMap(({ needs }, at) => (needs.includes(address) ? [`drop replaced ${at}`] : []));
  /**
   * Returns the keys of the nodes that release an object and run before it is deleted: deletes of its dependents and,
   * with `withMakes`, their updates.
   */
  const users = (address: string, withMakes: boolean) => [
    ...changes.flatMap(({ address: other, kept }) =>
      kept?.needs.includes(address)
        ? [
            ...(dropping.has(other) && (early.has(other) || withMakes) ? [`drop ${other}`] : []),
            ...(withMakes && creating.has(other) && !dropping.has(other) ? [`make ${other}`] : []),
          ]
        : [],
    ),
    ...oldUsers(address),
  ];
  const allMakes = engine === "pulumi" ? makes.map(({ key }) => key) : [];
  const drops = [...dropping].map(([address, kept]): Node => {
    const after =
      early.has(address) && (creating.has(address) || engine === "pulumi")
        ? users(address, false)
        : [...users(address, true), ...allMakes, ...(creating.has(address) ? [`make ${address}`] : [])];
    return { key: `drop ${address}`, after, run: () => steps.destroy(kept) };
  });
  const leftovers = old.map((kept, at): Node => {
    const stillUsing = [...dropping.values()].filter(({ needs }) => needs.includes(kept.address));
    // An object that blocks the early delete of another one is deleted at once.
    const last = kept.needs.some((need) => early.has(need))
      ? []
      : [...allMakes, ...stillUsing.map(({ address }) => `drop ${address}`)];
    const after = [...oldUsers(kept.address), ...last];
    return { key: `drop replaced ${at}`, after, run: () => steps.destroy(kept) };
  });
  return [...makes, ...drops, ...leftovers];
}
