import { uuidOf } from "../../emulator/id.ts";
import { explain, OperationError } from "../../provider/errors.ts";
import { standing } from "../../provider/observe.ts";
import { resource } from "../cloud.ts";
import { type Failure, type Run, take } from "./double.ts";
import { objectsOf } from "./judge.ts";
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
  for (const { address, error } of failures) {
    if (!(error instanceof OperationError)) continue;
    const text = explain(error).detail;
    const item = run.stack.find((candidate) => candidate.address === address);
    if (/remove (what it names|it)\b/i.test(text))
      remedy.acted = removeNamed(run, text, truth) || remedy.acted;
    if (item === undefined) continue;
    for (const need of needsOf(item)) remedy.acted = replaceFailed(run, need) || remedy.acted;
    if (/a replacement may be needed/.test(text)) remedy.acted = replace(run, address) || remedy.acted;
    else if (error.fate.is === "exists" || /may exist/.test(text))
      await claim(run, item, error, truth, remedy);
    else if (String(item.inputs.name).endsWith(failing)) remedy.rename.add(address);
  }
  return remedy;
}

/** The object that an error tells of becomes that of the address: imported, or taken over by the next run. */
async function claim(
  run: Run,
  item: Item,
  error: OperationError,
  truth: Truth,
  remedy: Remedy,
): Promise<void> {
  const { state } = run;
  const id = error.fate.is === "exists" ? error.fate.id : found(run, item, truth);
  const [, command] = /terraform import \S+ '([^']+)'/.exec(explain(error).detail) ?? [];
  if (id === undefined || !truth.isOurs(id) || !truth.exists(id)) return;
  if (idsOf(state).has(uuidOf(id))) remedy.rename.add(item.address);
  else if (command === undefined) return;
  // What is made beside the old object cannot be imported under the old one's address.
  else if (state.kept.get(item.address)?.held.id !== undefined) remedy.adopt = true;
  else {
    state.kept.delete(item.address);
    const failed = await take(run, item, command.replace(/(^|,)ID$/, `$1${id}`));
    remedy.acted ||= failed.length === 0;
  }
}

/** Removes, in the console, what a text names and no state has. */
function removeNamed({ state }: Run, text: string, truth: Truth): boolean {
  const held = idsOf(state);
  const strays = [...text.matchAll(/krn:[\w:-]+/g)]
    .map(([id]) => id)
    .filter((id) => truth.isOurs(id) && !held.has(uuidOf(id)));
  const there = strays.filter((id) => truth.exists(id));
  for (const id of there) if (truth.exists(id)) truth.remove(id);
  return there.length > 0;
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
