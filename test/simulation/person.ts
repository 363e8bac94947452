import { uuidOf } from "../../emulator/id.ts";
import { explain, OperationError } from "../../provider/errors.ts";
import { standing } from "../../provider/observe.ts";
import { resource } from "../cloud.ts";
import { type Failure, type Run, take } from "./double.ts";
import { objectsOf } from "./judge.ts";
import { isIdlePort } from "./row.ts";
import { failing, type Item, needsOf } from "./schedule.ts";
import { idsOf, resolved } from "./state.ts";
import type { Truth } from "./truth.ts";

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
export async function heed(run: Run, failures: readonly Failure[], truth: Truth): Promise<Remedy> {
  const remedy: Remedy = { acted: false, adopt: false, rename: new Set() };
  for (const { address, verb, error } of failures) {
    if (!(error instanceof OperationError)) continue;
    const text = explain(error).detail;
    const item = run.stack.find((candidate) => candidate.address === address);
    if (/remove (what it names|it)\b/i.test(text))
      remedy.acted = removeNamed(run, text, truth) || remedy.acted;
    if (/is protected from deletion/.test(text))
      remedy.acted = unprotect(run, address, truth) || remedy.acted;
    if (item === undefined) continue;
    for (const need of needsOf(item)) remedy.acted = replaceFailed(run, need) || remedy.acted;
    if (/a replacement may be needed/.test(text)) remedy.acted = replace(run, address) || remedy.acted;
    else if (error.fate.is === "exists" || /may exist|an object of that name exists/i.test(text)) {
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
  truth: Truth,
  remedy: Remedy,
): Promise<boolean> {
  const { state } = run;
  const id = error.fate.is === "exists" ? error.fate.id : found(run, item, truth);
  const [, command] = /terraform import \S+ '([^']+)'/.exec(explain(error).detail) ?? [];
  if (id === undefined || !truth.isOurs(id) || !truth.exists(id)) return false;
  if (idsOf(state).has(uuidOf(id))) remedy.rename.add(item.address);
  else if (command === undefined) return false;
  // What is made beside the old object cannot be imported under the old one's address.
  else if (state.kept.get(item.address)?.held.id !== undefined) {
    if (run.session.settings.adoptExisting) {
      // What cannot be taken over either has to go.
      truth.remove(id);
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

/** Removes, in the console, what a text names and no state has. */
function removeNamed({ state }: Run, text: string, truth: Truth): boolean {
  const held = idsOf(state);
  const named = (name: string | undefined) => truth.rows().filter((row) => row.name === name);
  const isHeld = (id: string) => truth.kin(id).some((one) => held.has(uuidOf(one)));
  const strays = [
    ...[...text.matchAll(/krn:[\w:-]+/g)].map(([id]) => id).filter((id) => !isHeld(id)),
    // What a machine left behind that somebody has deleted; a port stays in the way though it is destroyed here.
    ...[...text.matchAll(/(\S+) already exists|in use by ([^.]+)\./g)]
      .flatMap(([, one, several = ""]) => [one, ...several.split(", ")].flatMap(named))
      .filter((row) => !isHeld(row.krn) || isIdlePort(row))
      .map(({ krn }) => krn),
  ].filter((id) => truth.isOurs(id));
  const there = strays.filter((id) => truth.exists(id));
  for (const id of there) if (truth.exists(id)) truth.remove(id);
  return there.length > 0;
}

/** Lifts, in the console, the protection of an address's object and of those that it is to replace. */
function unprotect({ state }: Run, address: string, truth: Truth): boolean {
  const ids = [...state.kept.values(), ...state.replaced].flatMap((kept) =>
    kept.address === address ? (kept.held.id ?? []) : [],
  );
  return ids.filter((id) => truth.unprotect(id)).length > 0;
}

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
    standing(resource(kept.resource), kept.held.values).at === "failed" &&
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
function found({ state }: Run, item: Item, truth: Truth): string | undefined {
  const held = idsOf(state);
  const idOf = (address: string) => state.kept.get(address)?.held.id;
  const objects = objectsOf(truth, item.resource, resolved(item.inputs, idOf)).filter(
    ({ krn }) => !held.has(uuidOf(krn)),
  );
  return objects.length === 1 ? objects[0]?.krn : undefined;
}
