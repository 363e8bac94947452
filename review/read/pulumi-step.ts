import type { Action, Change } from "../model/change.ts";
import { isObject, type Json, objectOf, stringOf, stringsOf } from "./json.ts";

/** Steps of a Pulumi preview, and the URNs of their objects. */

/** Parts of a URN: `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`. */
export const partsOf = (urn: string): readonly string[] => urn.split("::");
export const typeOf = (urn: string): string => (partsOf(urn)[2] ?? "").split("$").at(-1) ?? "";
export const isProvider = (urn: string): boolean => typeOf(urn).startsWith("pulumi:providers:");
/** Returns the URN after its project: the types of the parents, the type and the name. */
export const addressOf = (urn: string): string => partsOf(urn).slice(2).join("::");

export const stackType = "pulumi:pulumi:Stack";

/** Step of a preview, as both forms contain it. */
export interface Step {
  readonly op: string;
  readonly urn: string;
  readonly old: Json | undefined;
  readonly new: Json | undefined;
  readonly replaceReasons: readonly string[];
  readonly diffReasons: readonly string[];
  readonly detailedDiff: Json;
  /** Set for drift that a refresh found. */
  readonly isFound?: true;
}

export const stateIn = (json: unknown): Json | undefined => (isObject(json) ? json : undefined);

export const stepOf = (step: Json): Step => ({
  op: stringOf(step.op) ?? "",
  urn: stringOf(step.urn) ?? "",
  old: stateIn(step.oldState),
  new: stateIn(step.newState),
  replaceReasons: stringsOf(step.replaceReasons),
  diffReasons: stringsOf(step.diffReasons),
  detailedDiff: objectOf(step.detailedDiff),
});

/** Returns the step of an event; undefined for another event. */
export function stepIn(event: unknown): Step | undefined {
  const { op, urn, old, new: next, keys, diffs, detailedDiff } = objectOf(objectOf(event).metadata);
  if (stringOf(op) === undefined) return undefined;
  return {
    op: stringOf(op) ?? "",
    urn: stringOf(urn) ?? "",
    old: stateIn(old),
    new: stateIn(next),
    replaceReasons: stringsOf(keys),
    diffReasons: stringsOf(diffs),
    detailedDiff: objectOf(detailedDiff),
  };
}

export const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["same", "none"],
  ["create", "create"],
  ["update", "update"],
  ["delete", "delete"],
  ["replace", "replace"],
  ["read", "read"],
  ["read-replacement", "read"],
  ["refresh", "none"],
  ["discard", "forget"],
  ["import", "none"],
  ["import-replacement", "replace"],
]);

/** Steps that are parts of a replacement, which the step `replace` represents. */
export const partsOfReplacement: ReadonlySet<string> = new Set([
  ...["create-replacement", "delete-replaced", "discard-replaced", "remove-pending-replace"],
]);

/** Returns the object that exists before a step. A renamed object, which has an alias, has another URN in its old state. */
const objectOfStep = ({ urn, old }: Step): string => JSON.stringify([stringOf(old?.urn) ?? urn, old?.id]);

/**
 * Converts the steps that complete earlier, interrupted replacements: a `delete-replaced` step without a replacement in this
 * preview is a `delete` of the old object, and a replacement whose old object was deleted before is a `create`.
 */
export function withLeftOvers(steps: readonly Step[]): Step[] {
  const objectsOf = (isPart: (step: Step) => boolean) => new Set(steps.filter(isPart).map(objectOfStep));
  const replaced = objectsOf(({ op }) => actions.get(op) === "replace");
  const created = objectsOf(({ op }) => op === "create-replacement");
  const removed = objectsOf(({ op }) => op === "delete-replaced" || op === "discard-replaced");
  // A preview marks each old object that is deleted first as pending: only its steps show that it is not deleted any more.
  const isDeleted = (step: Step): boolean => {
    const object = objectOfStep(step);
    const { pendingReplacement, retainOnDelete } = step.old ?? {};
    return (
      pendingReplacement === true && retainOnDelete !== true && created.has(object) && !removed.has(object)
    );
  };
  return steps.flatMap((step): Step[] => {
    if (step.op === "delete-replaced" && !replaced.has(objectOfStep(step)))
      return [{ ...step, op: "delete", old: { ...step.old, delete: true } }];
    if (step.op === "replace" && isDeleted(step)) return [{ ...step, op: "create", old: undefined }];
    return step.op === "create-replacement" && isDeleted(step) ? [] : [step];
  });
}

/** Returns the order of each replacement whose parts the preview shows, by the URN of the new object. */
export function ordersOf(steps: readonly Step[]): Map<string, Change["order"]> {
  const orders = new Map<string, Change["order"]>();
  const renamed = new Map(
    steps.filter(({ op }) => actions.get(op) === "replace").map((step) => [objectOfStep(step), step.urn]),
  );
  for (const step of steps) {
    const urn = renamed.get(objectOfStep(step)) ?? step.urn;
    if ((step.op === "create-replacement" || step.op === "delete-replaced") && !orders.has(urn))
      orders.set(urn, step.op === "create-replacement" ? "create first" : "delete first");
  }
  return orders;
}

/**
 * Returns true for a preview of a refresh, which has one step per object. A destroy with a refresh has two steps per object,
 * and one that deletes the stack.
 */
export function isRefresh(all: readonly Step[]): boolean {
  const steps = all.filter(({ isFound }) => !isFound);
  const isOfRefresh = ({ op, urn }: Step): boolean =>
    op === "refresh" || (typeOf(urn) !== stackType && (op === "update" || op === "delete"));
  return (
    steps.some(({ op }) => op === "refresh") &&
    steps.every(isOfRefresh) &&
    new Set(steps.map(({ urn }) => urn)).size === steps.length
  );
}

/** Steps that change a provider, and with it the account or the region of its objects. */
const changesProvider: ReadonlySet<string> = new Set(["update", "replace", "delete"]);

/** Returns true for the step of an object: false for stacks and components, and for providers that do not change. */
export function isObjectStep({ op, urn, old, new: next }: Step): boolean {
  const state = next ?? old;
  // An event log omits what is false.
  if (state?.custom !== true || typeOf(urn) === stackType) return false;
  return !isProvider(urn) || changesProvider.has(op);
}

/** Returns the URN of the provider of an object, to which its state refers by URN and id. */
export const providerUrnOf = ({ provider }: Json): string | undefined =>
  stringOf(provider)?.replace(/::[^:]*$/, "");
