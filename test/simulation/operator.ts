import { uuidOf } from "../../emulator/state/id.ts";
import { CloudError, OperationError } from "../../provider/core/error.ts";
import { type NamedObject, type Remedy, remediesOf } from "../../provider/core/remedy.ts";
import type { Values } from "../../provider/core/value.ts";
import { inAllWords } from "../../provider/core/wording.ts";
import { statusOf } from "../../provider/engine/state/status.ts";
import { resource } from "../support/cloud.ts";
import { objectsOf } from "./checker/checker.ts";
import { type Failure, importObject, type Run, remediesIn } from "./fake-engine.ts";
import type { GroundTruth } from "./ground-truth.ts";
import { type Item, needsOf } from "./item.ts";
import { kinds, type Row } from "./kind.ts";
import { importedAs, isIdlePort, isMadeBy, kindOf, nameOf, namesOf } from "./row.ts";
import { failing } from "./schedule.ts";
import { idsOf, namesKept, resolved, type StoredObject } from "./state.ts";

/** Actions that the operator took after errors, and changes that the program or its settings still need. */
export interface Remedies {
  /** True if something was imported, removed, unprotected, started, stopped or marked for replacement. */
  acted: boolean;
  /** True if `adopt_existing` has to be set. */
  adopt: boolean;
  /** True if `max_requests_per_second` has to be lowered. */
  slow: boolean;
  /** Addresses whose object needs another name. */
  readonly rename: Set<string>;
  /** Fields that have to be set, by address. */
  readonly set: Map<string, readonly string[]>;
}

/** Error with its remedies for the users of the engine. */
interface Remediation {
  readonly error: OperationError;
  readonly remedies: readonly Remedy[];
}

/** Returns the remedy with this code; undefined if the error has none. */
const find = <C extends Remedy["code"]>({ remedies }: Remediation, code: C) =>
  remedies.find((remedy): remedy is Extract<Remedy, { code: C }> => remedy.code === code);

/** Returns true if the remedies of an error include one of these codes. */
const hasRemedy = ({ remedies }: Remediation, ...codes: readonly Remedy["code"][]): boolean =>
  remedies.some(({ code }) => codes.includes(code));

/** Returns the objects that the remedies of an error name. */
const objectsIn = ({ remedies }: Remediation): readonly NamedObject[] =>
  remedies.flatMap((remedy) => ("objects" in remedy ? remedy.objects : []));

/** Returns the last parts of the ids of the objects that the remedies of an error name. */
const idsIn = (remediation: Remediation): readonly string[] =>
  objectsIn(remediation).flatMap(({ id }) => (id === undefined ? [] : uuidOf(id)));

/** Returns the last part of an import id, which is the id. */
const idOfImport = (importId: string): string => importId.slice(importId.lastIndexOf(",") + 1);

/** Follows the remedies of errors, as a user who reads them. */
export async function followRemedies(
  run: Run,
  failures: readonly Failure[],
  truth: GroundTruth,
): Promise<Remedies> {
  const done: Remedies = { acted: false, adopt: false, slow: false, rename: new Set(), set: new Map() };
  for (const { address, verb, error } of failures) {
    const remedies = remediesIn(error, run.engine);
    for (const remedy of remedies)
      if (remedy.code === "forget-one") done.acted = (await importAgain(run, remedy)) || done.acted;
    if (!(error instanceof OperationError)) continue;
    const remediation = { error, remedies };
    const item = run.stack.find((candidate) => candidate.address === address);
    const isCleared =
      hasRemedy(remediation, ...removing) &&
      (removeNamed(run, remediation, item, truth) ||
        removeDependents(run, address, remediation, truth) ||
        replaceImported(run, remediation, truth));
    done.acted ||= isCleared;
    // The user lowers `max_requests_per_second`.
    done.slow ||= hasRemedy(remediation, "lower-rate");
    if (hasRemedy(remediation, "set-force-destroy")) done.acted = empty(run, address, truth) || done.acted;
    // An update deletes too: the last instances of a batch that gets smaller.
    if (
      (verb === "update" || verb === "delete") &&
      hasRemedy(remediation, "correct-request", "resolve-conflict", "longer-timeout")
    )
      done.acted = unprotect(run, address, truth) || done.acted;
    const removed = find(remediation, "remove-from-state");
    if (removed !== undefined)
      done.acted = removeFromState(run, address, removed.object, truth) || done.acted;
    const listed = find(remediation, "import-listed");
    if (listed !== undefined)
      done.acted = (await reimport(run, address, listed.importId, truth)) || done.acted;
    const unset = find(remediation, "set-fields");
    if (unset !== undefined) done.set.set(address, unset.fields);
    if (hasRemedy(remediation, "restore-value")) done.acted = restorePower(run, address, truth) || done.acted;
    if (item === undefined) {
      done.acted = (isUnrecorded(remediation) && removeRemaining(run, address, truth)) || done.acted;
      continue;
    }
    for (const need of needsOf(item)) done.acted = replaceFailed(run, need) || done.acted;
    if (String(item.inputs.name).endsWith(failing)) {
      done.rename.add(address);
      // Under its new name the resource does not adopt the object that the error names.
      if (remediation.error.existence.is === "exists")
        removeUnrecorded(run, item.resource, inputsOf(run, item), truth);
    }
    const unusable = find(remediation, "delete-unusable");
    if (hasRemedy(remediation, "replace")) done.acted = replace(run, address) || done.acted;
    else if (unusable !== undefined) done.acted = discard(run, item, unusable.importIds, truth) || done.acted;
    else if (isUnrecorded(remediation) || hasOneOf(run, address, remediation)) {
      // The state has the name that the object had before the operator chose another one.
      if (
        removeUnrecorded(run, item.resource, inputsOf(run, item), truth) ||
        removeRemaining(run, address, truth)
      )
        done.acted = true;
      // The state has all of them, as after two replacements that ended early.
      else if (isRenamedByRemedy(item, remediation)) done.rename.add(address);
    } else if (listed === undefined && canBeImported(remediation)) {
      if (!(await importOrAdopt(run, item, remediation, truth, done))) {
        // The console shows the id of an object that listings show without an id, unless it is the replaced object.
        if (hasRemedy(remediation, "import-by-full-id") && isRenamedByRemedy(item, remediation))
          done.rename.add(address);
        continue;
      }
    }
    // Terraform can leave an object that it replaced to the next run, which deletes it before those that it uses.
    const isLeft = verb === "delete" && isUsedByReplaced(run, address);
    done.acted ||= isLeft;
    // If the old object cannot be deleted before its dependents use the new one, or before the new one is created, the
    // new one needs another name, unless it exists already.
    const isCreated = [...run.state.replaced].some((one) => one.address === address);
    const isInUse =
      verb === "delete" &&
      hasRemedy(remediation, "remove-dependents", "resolve-conflict") &&
      !isLeft &&
      !isCreated &&
      !isCleared;
    const isOwn = verb === "create" && namesOld(run, address, remediation);
    // Another name does not help a subnet whose range the old one has, nor a floating IP whose port holds the old one. An
    // attachment has no name: the old one may have its device.
    const isSameValue =
      (isOwn && find(remediation, "remove-conflicts")?.by === "value") ||
      (verb === "create" && item.inputs.name === undefined && hasRemedy(remediation, "choose-other-value"));
    if (isSameValue && idsAt(run, address).length > 0) {
      for (const id of idsAt(run, address)) truth.remove(id);
      done.acted = true;
      continue;
    }
    const isStuck = item.inputs.name !== undefined && (isInUse || isOwn);
    if (isStuck) done.rename.add(address);
  }
  return done;
}

/** Codes by which the user removes objects that an error names. */
const removing = [
  "resolve-conflict",
  "remove-conflicts",
  "remove-dependents",
  "delete-object",
  "delete-objects",
  "delete-if-exists",
] as const;

/** Returns true if an error asks to delete an object that may exist, and that no import would help. */
const isUnrecorded = (remediation: Remediation): boolean =>
  hasRemedy(remediation, "delete-if-exists") ||
  (remediation.error.existence.is === "may exist" && hasRemedy(remediation, "delete-object"));

/** Returns true if an error names an existing object, or says that one may exist, which the user can import. */
const canBeImported = (remediation: Remediation): boolean =>
  ["exists", "may exist"].includes(remediation.error.existence.is) ||
  hasRemedy(remediation, "import-by-full-id");

/** Returns true if the state has one of several objects of a name, of which the others are to be deleted. */
const hasOneOf = (run: Run, address: string, remediation: Remediation): boolean =>
  hasRemedy(remediation, "delete-others") &&
  idsAt(run, address).some((name) =>
    find(remediation, "import-one-of")?.importIds.some((importId) => importId.includes(name)),
  );

/** Returns true if another name is a remedy of an error, and the item has a name. */
const isRenamedByRemedy = ({ inputs }: Item, remediation: Remediation): boolean =>
  inputs.name !== undefined && hasRemedy(remediation, "choose-other-name");

/** Removes every entry of an object that a plan found twice in the state, and imports the object. */
async function importAgain(
  run: Run,
  { id, importId }: Extract<Remedy, { code: "forget-one" }>,
): Promise<boolean> {
  const { kept, replaced } = run.state;
  const entries = [...kept.values(), ...replaced].filter(({ state }) => state.id === id);
  const item = run.stack.find(({ address }) => entries.some((one) => one.address === address));
  if (item === undefined) return false;
  for (const one of entries) if (!replaced.delete(one)) kept.delete(one.address);
  return (await importObject(run, item, importId)).length === 0;
}

/** Create whose error said that an object may exist. */
export interface Unclear {
  readonly address: string;
  readonly resource: string;
  readonly inputs: Values;
}

/** Returns the creates of a run whose errors say that an object may exist. */
export const unclearCreates = (run: Run, failures: readonly Failure[]): Unclear[] =>
  failures.flatMap(({ address, verb, error }) => {
    const item = run.stack.find((one) => one.address === address);
    const isUnclear = error instanceof OperationError && error.existence.is === "may exist";
    return item !== undefined && verb === "create" && isUnclear
      ? [{ address, resource: item.resource, inputs: inputsOf(run, item) }]
      : [];
  });

/**
 * Removes, through the console, the objects that a warning or an error named as those that may exist for an address, if the program
 * no longer has the address and so would not import them. If a warning reports an object that was created and not found, or
 * one that a failed task may have left, removes also the objects of its kind that no state has.
 */
export function removeUnwanted(run: Run, unclear: readonly Unclear[], truth: GroundTruth): void {
  const { warnings, stack, state } = run;
  for (const { address, resource: kind, inputs } of unclear)
    if (stack.every((item) => item.address !== address)) removeUnrecorded(run, kind, inputs, truth);
  const inState = idsOf(state);
  const isInState = (row: Row) => namesOf(row).some((name) => inState.has(name));
  for (const { address, warning } of warnings) {
    const kind = kindOf(address.slice(0, address.indexOf(".")));
    const ids = remediesOf(warning.remedies ?? [])
      .flatMap(importIdsOf)
      .map((each) => uuidOf(idOfImport(each)));
    const isNamed = (row: Row) =>
      ["created-unseen", "never-created"].includes(warning.code) ||
      (warning.code === "may-exist" &&
        stack.every((item) => item.address !== address) &&
        ids.includes(uuidOf(importedAs(row))));
    for (const row of truth.rows())
      if (row.kind === kind && truth.isOurs(row.krn) && isNamed(row) && !isInState(row))
        truth.remove(row.krn);
  }
}

/** Returns the import ids that a remedy names. */
const importIdsOf = (remedy: Remedy): readonly string[] =>
  "importIds" in remedy ? remedy.importIds : "importId" in remedy ? [remedy.importId] : [];

/** Returns true if a replaced object that Terraform has not deleted yet needs an address. */
const isUsedByReplaced = ({ engine, state: { replaced } }: Run, address: string): boolean =>
  engine === "terraform" &&
  [...replaced].some((one) => one.address !== address && one.needs.includes(address));

/** Returns true if remedies name the object that the state has at an address, or one that it had there before. */
function namesOld(run: Run, address: string, remediation: Remediation): boolean {
  const named = idsIn(remediation);
  return idsAt(run, address).some((name) => named.includes(name));
}

/**
 * Assigns the object of an error to the address: imports it, or lets the next run adopt it. Returns true if the object
 * was imported or removed.
 */
async function importOrAdopt(
  run: Run,
  item: Item,
  remediation: Remediation,
  truth: GroundTruth,
  done: Remedies,
): Promise<boolean> {
  const { state } = run;
  const { error, remedies } = remediation;
  const id = error.existence.is === "exists" ? error.existence.id : found(run, item, truth);
  const [command, ...others] = remedies.flatMap(importIdsOf);
  const name = id && nameOf(item.resource, id, inputsOf(run, item));
  if (id === undefined || name === undefined || !truth.isOurs(name) || !truth.exists(name)) return false;
  if (idsOf(state).has(name)) {
    // An object without a name, or with a given id, conflicts with the one that it replaces, so that the old one is removed first.
    if (item.inputs.name !== undefined && !hasRemedy(remediation, "choose-other-value"))
      done.rename.add(item.address);
    else {
      truth.remove(name);
      done.acted = true;
    }
  } else if (command === undefined) return false;
  // An object created next to the old one cannot be imported at the address of the old one.
  else if (state.kept.get(item.address)?.state.id !== undefined) {
    if (run.session.settings.adoptExisting) {
      // An object that cannot be adopted either is removed.
      truth.remove(name);
      done.acted = true;
      return true;
    }
    done.adopt = true;
  } else {
    // Several objects match: the console shows which of them was created.
    const one = [command, ...others].find((each) => uuidOf(idOfImport(each)) === uuidOf(id)) ?? command;
    const imported = one.replace(/(^|,)ID$/, `$1${id}`);
    // The command may name an object of another user, which differs from the requested one.
    const isForeign = truth.isForeign(idOfImport(imported));
    if (isForeign || hasForeignRows(run, item, truth)) return false;
    state.kept.delete(item.address);
    const failed = await importObject(run, item, imported);
    done.acted ||= failed.length === 0;
    return failed.length === 0;
  }
  return false;
}

/** Returns true if an import of an object of many rows would include rows of another user, which have the same name. */
const hasForeignRows = (run: Run, item: Item, truth: GroundTruth): boolean =>
  kinds[item.resource]?.many !== undefined &&
  truth.rows().some((row) => truth.isForeign(row.krn) && isMadeBy(row, item.resource, inputsOf(run, item)));

/** Removes, through the console, the objects whose secret is lost, unless they are in the state. */
function discard(
  { state }: Run,
  { resource }: Item,
  importIds: readonly string[],
  truth: GroundTruth,
): boolean {
  const inState = idsOf(state);
  const names = importIds.map((importId) => nameOf(resource, idOfImport(importId), {}));
  const there = names.filter((name) => !inState.has(name) && truth.isOurs(name) && truth.exists(name));
  for (const name of there) truth.remove(name);
  return there.length > 0;
}

/** Removes, through the console, the objects in a bucket. */
function empty(run: Run, address: string, truth: GroundTruth): boolean {
  const ids = idsAt(run, address);
  const inside = truth
    .rows()
    .filter(({ kind, parents: [bucket = ""] }) => kind === "object" && ids.includes(uuidOf(bucket)));
  for (const { krn } of inside) truth.remove(krn);
  return inside.length > 0;
}

/** Returns the reason that the API gave for an error, in which a user finds the names of other objects. */
const reasonOf = ({ cause }: OperationError): string =>
  cause instanceof CloudError ? inAllWords(cause.reason) : "";

/** Returns the names that a reason of the API lists after "in use by". */
const usersIn = (reason: string): readonly string[] =>
  [...reason.matchAll(/in use by ([^.]+)(?:\.|$)/g)].flatMap(([, several = ""]) => several.split(", "));

/**
 * Removes, through the console, the object of an error and those that its remedies or the API's reason name, unless the
 * state needs them.
 */
function removeNamed(
  run: Run,
  remediation: Remediation,
  item: Item | undefined,
  truth: GroundTruth,
): boolean {
  const { error } = remediation;
  const inState = wantedIn(run);
  const reason = reasonOf(error);
  const named = (name: string | undefined) => truth.rows().filter((row) => row.name === name);
  // The state of Pulumi has an object that a replacement deleted until the new object exists.
  const isInState = (id: string) =>
    truth.createdWith(id).some((one) => inState.has(uuidOf(one)) && truth.exists(one));
  const own =
    "id" in error.existence && item ? [nameOf(item.resource, error.existence.id, inputsOf(run, item))] : [];
  const ids = objectsIn(remediation).flatMap(({ id }) => id ?? []);
  const inReason = [...reason.matchAll(/krn:[\w:-]+/g)].map(([id]) => id);
  const conflicts = [...reason.matchAll(/(\S+) (?:already exists|is attached)/g)].map(([, name]) => name);
  const failed = objectsIn(remediation).flatMap(({ id, name }) => (id === undefined && name ? [name] : []));
  const strays = [
    ...[...own, ...ids, ...inReason].filter((id) => !isInState(id)),
    // An object that remained after its instance. An idle port blocks others even after its resource was destroyed.
    ...[...conflicts, ...usersIn(reason)]
      .flatMap(named)
      .filter((row) => !isInState(row.krn) || isIdlePort(row))
      .map(({ krn }) => krn),
    // A failed part of an object in the state.
    ...failed.flatMap(named).flatMap(({ krn, work }) => (work.failure === undefined ? [] : krn)),
  ].filter((id) => truth.isOurs(id));
  const there = strays.filter((id) => truth.exists(id));
  for (const id of there) if (truth.exists(id)) truth.remove(id);
  return there.length > 0;
}

/**
 * Returns the names of objects in the state that stay in the stack or are being replaced; of all objects if the stack
 * is empty. Objects that the run deletes may be removed manually first.
 */
function wantedIn({ state: { kept, replaced }, stack }: Run): Set<string> {
  const isWanted = ([address]: [string, unknown]) => stack.some((item) => item.address === address);
  return idsOf({ kept: stack.length === 0 ? kept : new Map([...kept].filter(isWanted)), replaced });
}

/**
 * Detaches or removes, through the console, the objects that block a delete according to an error, even if they are in
 * the state: Pulumi deletes objects without a recorded dependency in any order. Detaches also an object that blocks a
 * create before the delete of the old object.
 */
function removeDependents(run: Run, address: string, remediation: Remediation, truth: GroundTruth): boolean {
  const { engine, stack, state } = run;
  const isCreatedFirst = state.kept.get(address)?.state.id !== undefined;
  const isNamed = hasRemedy(remediation, "remove-dependents", "remove-conflicts");
  if ((engine !== "pulumi" && !isCreatedFirst) || !isNamed) return false;
  const ids = idsIn(remediation);
  const names = usersIn(reasonOf(remediation.error));
  const dependents = truth
    .rows()
    .filter(({ krn, name }) => truth.isOurs(krn) && (ids.includes(uuidOf(krn)) || names.includes(name)));
  const item = stack.find((candidate) => candidate.address === address);
  const meantBy = item === undefined ? [] : Object.values(inputsOf(run, item)).map(String);
  const own = [...idsAt(run, address), ...meantBy].map(uuidOf);
  const isTie = ({ kind, parents }: Row) =>
    kind === "volume_attachment" &&
    dependents.some(({ krn }) => parents.includes(krn)) &&
    parents.some((krn) => own.includes(uuidOf(krn)));
  const ties = truth.rows().filter(isTie);
  const there = ties.length > 0 || engine !== "pulumi" ? ties : dependents;
  for (const { krn } of there) if (truth.exists(krn)) truth.remove(krn);
  return there.length > 0;
}

/**
 * Removes, through the console, objects that may have been created for these inputs and whose ids are not in the state: it may have
 * only the task of one.
 */
function removeUnrecorded({ state }: Run, resource: string, inputs: Values, truth: GroundTruth): boolean {
  const recorded = [...state.kept.values(), ...state.replaced].filter((one) => one.state.id !== undefined);
  const inState = new Set(recorded.flatMap(namesKept));
  const strays = objectsOf(truth, resource, inputs).filter(
    (row) => !namesOf(row).some((one) => inState.has(one)),
  );
  for (const { krn } of strays) truth.remove(krn);
  return strays.length > 0;
}

/** Removes, through the console, the objects that were created for an address that the program no longer has. */
function removeRemaining(run: Run, address: string, truth: GroundTruth): boolean {
  const stored = run.state.kept.get(address);
  return stored !== undefined && removeUnrecorded(run, stored.resource, stored.state.values, truth);
}

/** Removes from the state the objects whose id the API does not find, and deletes what was created for their inputs. */
function removeFromState(run: Run, address: string, { id }: NamedObject, truth: GroundTruth): boolean {
  const { kept, replaced } = run.state;
  const named = [...kept.values(), ...replaced].filter(
    (one) => one.address === address && one.state.id !== undefined && one.state.id === id,
  );
  for (const one of named) {
    for (const name of namesKept(one)) truth.remove(name);
    if (!replaced.delete(one)) kept.delete(address);
    removeUnrecorded(run, one.resource, one.state.values, truth);
  }
  return named.length > 0;
}

/**
 * Removes an object whose create did not finish from the state, and imports it as a listing shows it; deletes it through
 * the console instead if the program no longer has the object.
 */
async function reimport(run: Run, address: string, importId: string, truth: GroundTruth): Promise<boolean> {
  const { kept, replaced } = run.state;
  const recorded = kept.get(address);
  if (recorded === undefined || truth.isForeign(idOfImport(importId))) return false;
  // `terraform state rm` also removes what a replacement left at the address, so the user deletes that first.
  if (run.engine === "terraform")
    for (const one of replaced)
      if (one.address === address) {
        for (const name of namesKept(one)) truth.remove(name);
        replaced.delete(one);
      }
  const item = run.stack.find((candidate) => candidate.address === address);
  kept.delete(address);
  if (item !== undefined) return (await importObject(run, item, importId)).length === 0;
  const id = idOfImport(importId);
  // Somebody may have renamed the object.
  const isThere = truth.isOurs(id) && truth.exists(id) && !idsOf(run.state).has(uuidOf(id));
  if (isThere) truth.remove(id);
  return removeUnrecorded(run, recorded.resource, recorded.state.values, truth) || isThere;
}

/** Starts or stops a pod so that it has the power state that is recorded in the state. */
function restorePower({ state }: Run, address: string, truth: GroundTruth): boolean {
  const { id, values } = state.kept.get(address)?.state ?? {};
  if (id === undefined || !truth.exists(id)) return false;
  truth.power(id, values?.powerState === "stopped" ? "stop" : "start");
  return true;
}

/** Returns the inputs of an item with the ids of the objects that it refers to. */
const inputsOf = ({ state }: Run, { inputs }: Item): Values =>
  resolved(inputs, (address) => state.kept.get(address)?.state.id);

/** Lifts, through the console, the protection of the objects of an address, including those that are being replaced. */
const unprotect = (run: Run, address: string, truth: GroundTruth): boolean =>
  idsAt(run, address).filter((id) => truth.unprotect(id)).length > 0;

/** Returns the names of the objects that the state has for an address, including those that are being replaced. */
const idsAt = ({ state: { kept, replaced } }: Run, address: string): string[] =>
  [...kept.values(), ...replaced].flatMap((one) => (one.address === address ? namesKept(one) : []));

/** Marks an object for replacement in the next run (`-replace`, `--replace`). */
function replace({ state }: Run, address: string): boolean {
  const kept = state.kept.get(address);
  if (kept !== undefined) state.kept.set(address, { ...kept, tainted: true });
  return kept !== undefined;
}

/** Returns true if an object may refer to another one than its state shows, such as a batch adopted from an older template. */
const mayDiffer = ({ resource: name, state }: StoredObject): boolean =>
  state.unread.length > 0 ||
  Object.values(resource(name).fields).some(
    ({ kind, options }) => kind === "field" && options.unreadable && options.references !== undefined,
  );

/**
 * Marks for replacement the imported and adopted objects that block a delete according to an error: no plan shows that an
 * input that the API does not return changed with the object.
 */
function replaceImported(run: Run, remediation: Remediation, truth: GroundTruth): boolean {
  const ids = idsIn(remediation);
  const dependents = new Set(
    truth
      .rows()
      .filter(({ krn }) => ids.includes(uuidOf(krn)))
      .flatMap(namesOf),
  );
  const imported = [...run.state.kept.values()].filter(
    (one) => mayDiffer(one) && one.tainted !== true && namesKept(one).some((name) => dependents.has(name)),
  );
  return imported.filter(({ address }) => replace(run, address)).length > 0;
}

/** Marks an object for replacement if its status is a failed one: its dependents cannot be created. */
function replaceFailed(run: Run, address: string): boolean {
  const kept = run.state.kept.get(address);
  return (
    kept !== undefined &&
    statusOf(resource(kept.resource), kept.state.values).at === "failed" &&
    replace(run, address)
  );
}

/**
 * Returns the stack with new names and values at the addresses whose errors ask for them; `mark` makes the names unique. The
 * fields to set are those with a JSON document, which is the only kind that the API never returns.
 */
export const corrected = (stack: readonly Item[], { rename, set }: Remedies, mark: number): readonly Item[] =>
  stack.map((item) => {
    const { address } = item;
    const values = Object.fromEntries((set.get(address) ?? []).map((field) => [field, "{}"]));
    const name = rename.has(address) ? { name: `${address.replace(".", "-")}-${mark}` } : {};
    return { ...item, inputs: { ...item.inputs, ...values, ...name } };
  });

/** Returns the import id of the only object that may have been created for an item, as seen in the console. */
function found(run: Run, item: Item, truth: GroundTruth): string | undefined {
  const inState = idsOf(run.state);
  const objects = objectsOf(truth, item.resource, inputsOf(run, item)).filter(
    ({ krn }) => !inState.has(uuidOf(krn)),
  );
  const [one, ...others] = new Set(objects.map(importedAs));
  return others.length === 0 ? one : undefined;
}
