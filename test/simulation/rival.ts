import { uuidOf } from "../../emulator/state/id.ts";
import { createApi } from "../../provider/client/client.ts";
import { hasUnknown, type Values } from "../../provider/core/value.ts";
import { deferredFields } from "../../provider/definition/field.ts";
import { verbInputs } from "../../provider/definition/verb-inputs.ts";
import { engine as core } from "../../provider/engine/engine.ts";
import type { Session } from "../../provider/engine/session.ts";
import { compareFound, driftedFields } from "../../provider/engine/state/compare.ts";
import { resource } from "../support/cloud.ts";
import { createDraw } from "./draw.ts";
import type { Run } from "./fake-engine.ts";
import type { GroundTruth } from "./ground-truth.ts";
import type { Item } from "./item.ts";
import { kinds } from "./kind.ts";
import { region } from "./scenario.ts";
import { resolved } from "./state.ts";

/** Objects that other users create with the names of a stack's objects, with other settings or with equal ones. */

/** Number of times that other settings are drawn until one of them differs in a field that the API shows. */
const tries = 5;

/**
 * Returns the inputs of another user for an object with the name of `item`, which differs in at least one field that the
 * API shows; undefined if a reference is not known yet, or if no such inputs were drawn. A user-defined id that differs from
 * that of `item` gets a suffix, so that the object is not confused with an earlier one of the stack.
 */
export function rivalInputs(
  item: Item,
  seed: string,
  idOf: (address: string) => string | undefined,
): Values | undefined {
  const definition = resource(item.resource);
  const ours = resolved(item.inputs, idOf);
  if (hasUnknown(ours)) return undefined;
  const deferred = new Set(deferredFields(definition.fields));
  const compared = Object.fromEntries(
    Object.entries(definition.fields).filter(([name]) => !deferred.has(name)),
  );
  const { idField = "name" } = definition;
  const draw = createDraw(seed);
  for (let nth = 0; nth < tries; nth++) {
    const varied = kinds[item.resource]?.vary(draw, item.inputs, nth) ?? item.inputs;
    const named = Object.hasOwn(item.inputs, "name")
      ? { ...varied, name: item.inputs.name as string }
      : varied;
    const id = named[idField];
    const isOther = typeof id === "string" && id !== item.inputs[idField];
    const own = isOther ? { ...named, [idField]: `${id}-theirs` } : named;
    const { inputs, problems } = core.check(definition, resolved(own, idOf));
    if (problems.length === 0 && driftedFields(compared, inputs, ours).length > 0) return inputs;
  }
  return undefined;
}

/** Returns the inputs of another user for an object that equals `item`; undefined if a reference is not known yet. */
export function equalInputs(item: Item, idOf: (address: string) => string | undefined): Values | undefined {
  const given = resolved(item.inputs, idOf);
  if (hasUnknown(given)) return undefined;
  const { inputs, problems } = core.check(resource(item.resource), given);
  return problems.length === 0 ? inputs : undefined;
}

/** Returns true if another user's object, created from `theirs`, equals `item` in every field that the API shows. */
export function isAskedFor(
  item: Item,
  theirs: Values,
  idOf: (address: string) => string | undefined,
): boolean {
  const ours = equalInputs(item, idOf);
  if (ours === undefined) return false;
  const { other, missing } = compareFound(resource(item.resource).fields, theirs, ours);
  return other.length === 0 && missing.length === 0;
}

/**
 * Returns true for an object of another user that a create adopted after an ambiguous response, according to a warning, and
 * that equals the requested object: no provider can distinguish the two.
 */
export function isAdopted(
  { warnings, stack, idOf }: Pick<Run, "warnings" | "stack"> & { idOf(address: string): string | undefined },
  id: string,
  { foreignInputs }: Pick<GroundTruth, "foreignInputs">,
): boolean {
  const theirs = foreignInputs(id);
  const isNamed = ({ warning }: Run["warnings"][number]) =>
    warning.code === "found-by-search" && warning.id.includes(uuidOf(id));
  return warnings.some((one) => {
    const item = stack.find(({ address }) => address === one.address);
    return theirs !== undefined && item !== undefined && isNamed(one) && isAskedFor(item, theirs, idOf);
  });
}

/** Sends the create request of another user; its result is ignored. */
export async function createRival(session: Session, name: string, inputs: Values): Promise<void> {
  const api = createApi(session, { region, signal: new AbortController().signal });
  await resource(name)
    .verbs.create({ api, region, inputs: verbInputs(inputs) })
    .catch(() => undefined);
}
