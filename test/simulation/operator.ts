import { uuidOf } from "../../emulator/state/id.ts";
import { explain, OperationError } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { statusOf } from "../../provider/engine/state/status.ts";
import { resource } from "../support/cloud.ts";
import { objectsOf } from "./checker.ts";
import { type Failure, type Run, take } from "./fake-engine.ts";
import type { GroundTruth } from "./ground-truth.ts";
import type { Row } from "./kind.ts";
import { importedAs, isIdlePort, nameOf } from "./row.ts";
import { failing, type Item, needsOf } from "./schedule.ts";
import { inVain } from "./secret-once-checker.ts";
import { idsOf, namesKept, resolved } from "./state.ts";

/** What a person did about errors, and what is left to change in the program or its settings. */
export interface Remedy {
  /** Something was imported, removed or marked for replacement. */
  acted: boolean;
  /** `adopt_existing` is to be set. */
  adopt: boolean;
  /** Addresses whose object is to have another name. */
  readonly rename: Set<string>;
}

/** Does what errors say, as a person would who reads them. */
export async function heed(run: Run, failures: readonly Failure[], truth: GroundTruth): Promise<Remedy> {
  const remedy: Remedy = { acted: false, adopt: false, rename: new Set() };
  for (const { address, verb, error } of failures) {
    if (!(error instanceof OperationError)) continue;
    const text = explain(error).detail;
    const item = run.stack.find((candidate) => candidate.address === address);
    const existing =
      error.existence.is === "exists" && item
        ? [nameOf(item.resource, error.existence.id, meant(run, item))]
        : [];
    if (/remove (what it names|it|or detach first)\b/i.test(text))
      remedy.acted =
        removeNamed(run, text, existing, truth) || clearWay(run, address, text, truth) || remedy.acted;
    if (/\bempty it\b/i.test(text)) remedy.acted = empty(run, address, truth) || remedy.acted;
    if (/is protected from deletion/.test(text))
      remedy.acted = unprotect(run, address, truth) || remedy.acted;
    if (/take it out of the state/.test(text))
      remedy.acted = forget(run, address, text, truth) || remedy.acted;
    if (/bring it back to what is recorded/.test(text))
      remedy.acted = bringBack(run, address, truth) || remedy.acted;
    if (item === undefined) continue;
    for (const need of needsOf(item)) remedy.acted = replaceFailed(run, need) || remedy.acted;
    if (/a replacement may be needed/.test(text)) remedy.acted = replace(run, address) || remedy.acted;
    else if (inVain(text).length > 0) remedy.acted = retire(run, item, text, truth) || remedy.acted;
    else if (/\b(remove|delete) it there\b/.test(text))
      remedy.acted = removeUnheld(run, item.resource, meant(run, item), truth) || remedy.acted;
    else if (error.existence.is === "exists" || /may exist|an object of that name exists/i.test(text)) {
      if (!(await claim(run, item, error, truth, remedy))) continue;
    }
    const isDoomed = String(item.inputs.name).endsWith(failing);
    // Where the old one cannot go before those that use it have the new one, that needs another name.
    const isStuck = verb === "delete" && item.inputs.name !== undefined && /in use/.test(text);
    if (isDoomed || isStuck) remedy.rename.add(address);
  }
  return remedy;
}

/**
 * The object that an error tells of becomes that of the address: imported, or taken over by the next run. True when it
 * is in the state now, or nowhere.
 */
async function claim(
  run: Run,
  item: Item,
  error: OperationError,
  truth: GroundTruth,
  remedy: Remedy,
): Promise<boolean> {
  const { state } = run;
  const id = error.existence.is === "exists" ? error.existence.id : found(run, item, truth);
  const [, command] = /terraform import \S+ '([^']+)'/.exec(explain(error).detail) ?? [];
  const name = id && nameOf(item.resource, id, meant(run, item));
  if (id === undefined || name === undefined || !truth.isOurs(name) || !truth.exists(name)) return false;
  if (idsOf(state).has(name)) remedy.rename.add(item.address);
  else if (command === undefined) return false;
  // What is made beside the old object cannot be imported under the old one's address.
  else if (state.kept.get(item.address)?.state.id !== undefined) {
    if (run.session.settings.adoptExisting) {
      // What cannot be taken over either has to go.
      truth.remove(name);
      remedy.acted = true;
      return true;
    }
    remedy.adopt = true;
  } else {
    state.kept.delete(item.address);
    const failed = await take(run, item, command.replace(/(^|,)ID$/, `$1${id}`));
    remedy.acted ||= failed.length === 0;
    return failed.length === 0;
  }
  return false;
}

/** Removes, in the console, what was made in vain and is in no state. */
function retire({ state }: Run, { resource }: Item, text: string, truth: GroundTruth): boolean {
  const held = idsOf(state);
  const names = inVain(text).map((id) => nameOf(resource, id, {}));
  const there = names.filter((name) => !held.has(name) && truth.isOurs(name) && truth.exists(name));
  for (const name of there) truth.remove(name);
  return there.length > 0;
}

/** Removes, in the console, what is in a bucket. */
function empty(run: Run, address: string, truth: GroundTruth): boolean {
  const ids = idsAt(run, address);
  const inside = truth
    .rows()
    .filter(({ kind, parents: [bucket = ""] }) => kind === "object" && ids.includes(uuidOf(bucket)));
  for (const { krn } of inside) truth.remove(krn);
  return inside.length > 0;
}

/** Removes, in the console, what a text names and no state has, or says to be `existing`. */
function removeNamed(run: Run, text: string, existing: readonly string[], truth: GroundTruth): boolean {
  const held = wantedIn(run);
  const named = (name: string | undefined) => truth.rows().filter((row) => row.name === name);
  const isHeld = (id: string) => truth.kin(id).some((one) => held.has(uuidOf(one)));
  const strays = [
    ...[...existing, ...[...text.matchAll(/krn:[\w:-]+/g)].map(([id]) => id)].filter((id) => !isHeld(id)),
    // What a machine left behind that somebody has deleted; a port stays in the way though it is destroyed here.
    ...[...text.matchAll(/(\S+) (?:already exists|is attached)|in use by ([^.]+)\./g)]
      .flatMap(([, one, several = ""]) => [one, ...several.split(", ")].flatMap(named))
      .filter((row) => !isHeld(row.krn) || isIdlePort(row))
      .map(({ krn }) => krn),
    // A part of what is held.
    ...[...text.matchAll(/in the cloud \(([^)]+)\)/g)]
      .flatMap(([, several = ""]) => several.split(", ").flatMap(named))
      .flatMap(({ krn, work }) => (work.failure === undefined ? [] : krn)),
  ].filter((id) => truth.isOurs(id));
  const there = strays.filter((id) => truth.exists(id));
  for (const id of there) if (truth.exists(id)) truth.remove(id);
  return there.length > 0;
}

/** What the state has of what is to stay; where nothing is, of all. What goes anyway may go by hand, and first. */
function wantedIn({ state: { kept, replaced }, stack }: Run): Set<string> {
  const isWanted = ([address]: [string, unknown]) => stack.some((item) => item.address === address);
  return idsOf({ kept: stack.length === 0 ? kept : new Map([...kept].filter(isWanted)), replaced });
}

/**
 * Detaches what a text says is in the way, or removes it in the console, though a state has it: Pulumi deletes in no
 * order what is tied by something that it does not know of or no more.
 */
function clearWay(run: Run, address: string, text: string, truth: GroundTruth): boolean {
  const { engine, stack } = run;
  if (engine !== "pulumi" || !/remove or detach first/i.test(text)) return false;
  const ids = [...text.matchAll(/\((\S+)\)/g)].map(([, id = ""]) => uuidOf(id));
  const names = [...text.matchAll(/in use by ([^.]+)\./g)].flatMap(([, several = ""]) => several.split(", "));
  const blockers = truth
    .rows()
    .filter(({ krn, name }) => truth.isOurs(krn) && (ids.includes(uuidOf(krn)) || names.includes(name)));
  const item = stack.find((candidate) => candidate.address === address);
  const meantBy = item === undefined ? [] : Object.values(meant(run, item)).map(String);
  const own = [...idsAt(run, address), ...meantBy].map(uuidOf);
  const isTie = ({ kind, parents }: Row) =>
    kind === "volume_attachment" &&
    blockers.some(({ krn }) => parents.includes(krn)) &&
    parents.some((krn) => own.includes(uuidOf(krn)));
  const ties = truth.rows().filter(isTie);
  const there = ties.length > 0 ? ties : blockers;
  for (const { krn } of there) if (truth.exists(krn)) truth.remove(krn);
  return there.length > 0;
}

/** Removes, in the console, what may have been made for an address and is in no state. */
function removeUnheld({ state }: Run, resource: string, inputs: Values, truth: GroundTruth): boolean {
  const held = idsOf(state);
  const strays = objectsOf(truth, resource, inputs).filter(({ krn }) => !held.has(uuidOf(krn)));
  for (const { krn } of strays) truth.remove(krn);
  return strays.length > 0;
}

/** Takes out of the state what the cloud knows nothing of by the id there, and removes what was meant by it. */
function forget(run: Run, address: string, text: string, truth: GroundTruth): boolean {
  const { kept, replaced } = run.state;
  const named = [...kept.values(), ...replaced].filter(
    (one) => one.address === address && one.state.id !== undefined && text.includes(one.state.id),
  );
  for (const one of named) {
    for (const name of namesKept(one)) truth.remove(name);
    if (!replaced.delete(one)) kept.delete(address);
    removeUnheld(run, one.resource, one.state.values, truth);
  }
  return named.length > 0;
}

/** Has what runs stand still, or the other way round, as the state has it. */
function bringBack({ state }: Run, address: string, truth: GroundTruth): boolean {
  const { id, values } = state.kept.get(address)?.state ?? {};
  if (id === undefined || !truth.exists(id)) return false;
  truth.power(id, values?.powerState === "stopped" ? "stop" : "start");
  return true;
}

/** What an item asks for, with the ids of what it refers to. */
const meant = ({ state }: Run, { inputs }: Item): Values =>
  resolved(inputs, (address) => state.kept.get(address)?.state.id);

/** Lifts, in the console, the protection of an address's object and of those that it is to replace. */
const unprotect = (run: Run, address: string, truth: GroundTruth): boolean =>
  idsAt(run, address).filter((id) => truth.unprotect(id)).length > 0;

/** The objects that the state has for an address, those that are replaced among them. */
const idsAt = ({ state: { kept, replaced } }: Run, address: string): string[] =>
  [...kept.values(), ...replaced].flatMap((one) => (one.address === address ? namesKept(one) : []));

/** Has the next run replace an object (`-replace`, `--replace`). */
function replace({ state }: Run, address: string): boolean {
  const kept = state.kept.get(address);
  if (kept !== undefined) state.kept.set(address, { ...kept, tainted: true });
  return kept !== undefined;
}

/** The same of what the state shows as failed: nothing that needs it can be made. */
function replaceFailed(run: Run, address: string): boolean {
  const kept = run.state.kept.get(address);
  return (
    kept !== undefined &&
    statusOf(resource(kept.resource), kept.state.values).at === "failed" &&
    replace(run, address)
  );
}

/** The stack with other names at these addresses; `mark` tells them from all earlier ones. */
export const renamed = (
  stack: readonly Item[],
  addresses: ReadonlySet<string>,
  mark: number,
): readonly Item[] =>
  stack.map((item) =>
    addresses.has(item.address)
      ? { ...item, inputs: { ...item.inputs, name: `${item.address.replace(".", "-")}-${mark}` } }
      : item,
  );

/** The one object that may be meant, seen in the console. */
function found(run: Run, item: Item, truth: GroundTruth): string | undefined {
  const held = idsOf(run.state);
  const objects = objectsOf(truth, item.resource, meant(run, item)).filter(
    ({ krn }) => !held.has(uuidOf(krn)),
  );
  const [one, ...others] = new Set(objects.map(importedAs));
  return others.length === 0 ? one : undefined;
}
