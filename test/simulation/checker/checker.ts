import { type Explanation, explain, OperationError } from "../../../provider/core/error.ts";
import { type Remedy, remediesOf } from "../../../provider/core/remedy.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { hasUnknown, isRecord, UNKNOWN, type Values } from "../../../provider/core/value.ts";
import type { ExplainedWarning, WarningCode } from "../../../provider/core/warning.ts";
import { inAllWords, wording } from "../../../provider/core/wording.ts";
import type { Fields } from "../../../provider/definition/field.ts";
import type { Resource } from "../../../provider/definition/resource.ts";
import { graceMs, type Verb } from "../../../provider/engine/operation.ts";
import type { Plan } from "../../../provider/engine/plan.ts";
import { resource } from "../../support/cloud.ts";
import { type Checker, type Run, remediesIn } from "../fake-engine.ts";
import type { GroundTruth } from "../ground-truth.ts";
import type { Item } from "../item.ts";
import { kinds, type Row } from "../kind.ts";
import type { Report } from "../report.ts";
import { isAskedFor } from "../rival.ts";
import { importedAs, isMadeBy, isUnlisted, namesOf } from "../row.ts";
import type { Scenario } from "../scenario.ts";
import type { LeakFinder } from "../secret.ts";
import { idsOf, namesKept, planInconsistency, resolved, type StoredObject } from "../state.ts";
import { KilledError, type World } from "../world.ts";
import type { WorldName } from "./invariant.ts";
import { createSecretOnceChecker } from "./secret-once.ts";

/** Time in ms after its deadline by which an operation must have ended (I6). */
const overdueMs = 30_000;
/** Time in ms in which an operation must end once the requests in flight at a stop have ended (I6). */
const stopMs = 500;

/** Returns true if an error says that an object may exist although it is not in the state. */
const saysMayExist = (error: OperationError): boolean =>
  ["exists", "may exist", "may be billed"].includes(error.existence.is) ||
  error.remedies.some(({ code }) => code === "import-by-full-id");

/** Codes of the warnings that name an object as one that may exist or exist twice, is gone, or is to be imported. */
const namingWarnings: ReadonlySet<WarningCode> = new Set([
  "adopted",
  "found-by-search",
  "sent-again",
  "may-exist",
  "task-without-id",
  "not-shown-yet",
  "gone",
  "never-created",
  "created-unseen",
  "shown-nowhere",
  "change-unconfirmed",
  "kept-adopted",
  "not-found",
]);

/** Warning or error that was shown to the user. */
interface Message {
  readonly text: string;
  /** True if it names an object as one that may exist or exist twice, is gone, or is to be imported. */
  readonly names: boolean;
  readonly remedies: readonly Remedy[];
}

/** Control characters of a terminal, which user-visible texts must not contain. */
const controls = /[\p{Cc}--[\n]]/v;

export function createChecker(
  world: World,
  truth: GroundTruth,
  report: Report,
  leaks: LeakFinder,
  name: WorldName,
  cloud: Scenario["cloud"],
): Checker {
  /** All warnings and errors of a beyond world. */
  const messages: Message[] = [];
  /** Resource and inputs of creates and updates whose error said that an object may exist. */
  const admitted: { readonly resource: string; readonly inputs: Values }[] = [];
  /** Number of messages when the last operation on each address began. */
  const messagesBefore = new Map<string, number>();
  /** Objects that an error or a warning named, or that it described as "may exist" when no response with their id arrived. */
  const reported = new Set<string>();
  /** Objects that existed when the last operation of an address began, of `unlisted` kinds only. */
  const olderThanRun = new Map<string, ReadonlySet<string>>();
  /** World time in ms at which each group of rows left the state, by its id. A later group may have the same name. */
  const leftAt = new Map<string, number>();
  const once = createSecretOnceChecker(truth, report);
  /** Resource and inputs of objects that may exist although no process has their id any more. */
  const losses: { readonly resource: string; readonly inputs: Values }[] = [];
  const mayBeLost = (resource: string, inputs: Values) => {
    if (kinds[resource]?.unlisted || kinds[resource]?.outlivesVpc) losses.push({ resource, inputs });
  };
  const shows = (text: string) => {
    if (leaks.finds(text)) report.violation("I5", `a secret is in ${JSON.stringify(text)}`);
    if (controls.test(text)) report.violation("I5", `a control character is in ${JSON.stringify(text)}`);
  };
  const readable = ({ summary, detail }: Explanation) =>
    inAllWords(wording`${summary}. ${detail}`).replaceAll("\n", " ");
  const warns = (explained: ExplainedWarning) => {
    const text = readable(explained);
    report.trace(`  warning: ${text}`);
    const { code, remedies = [] } = explained.warning;
    if (name === "beyond")
      messages.push({ text, names: namingWarnings.has(code), remedies: remediesOf(remedies) });
    if (code === "may-exist") noteNamed(text);
    shows(text);
  };
  /** Records the objects that a message names, with the id by which they are imported. */
  const noteNamed = (text: string) => {
    for (const row of truth.rows())
      if ([...namesOf(row), importedAs(row)].some((one) => text.includes(one))) reported.add(row.krn);
  };
  /** Checks the values of a state for secrets, except for those defined as secret, which engines do not show. */
  const checkStored = (address: string, { values }: ResourceState) =>
    shows(JSON.stringify(withoutSecrets(definitionOf(address).fields, values)));
  /** Names of objects of other users that equalled the item when they were first in the state. */
  const equalled = new Set<string>();
  const checkOwner = (
    { session, stack, state: { kept } }: Run,
    item: Item,
    { id, values }: ResourceState,
  ) => {
    if (id === undefined) return;
    const { address } = item;
    // A result is not an object: equal requests give equal results.
    const isResult = definitionOf(address).stateOnly === true;
    // An attachment of an account policy has the id of the policy; attachments to two holders are two objects.
    const isSame = (other: StoredObject) =>
      other.resource === resourceAt(address) &&
      other.state.id === id &&
      other.state.values.kcid === values.kcid;
    // A removed address may have the id of an earlier object in its state; a delete of the address keeps the later object.
    const isInStack = (other: StoredObject) => stack.some((one) => one.address === other.address);
    for (const other of isResult ? [] : kept.values())
      if (other.address !== address && isSame(other) && isInStack(other))
        report.violation("I13", `${address} and ${other.address} hold one object: ${id}`);
    const theirs = truth.foreignInputs(id);
    if (theirs === undefined || equalled.has(id)) return;
    const mayAdopt = session.settings.adoptExisting || name === "beyond";
    if (mayAdopt && isAskedFor(item, theirs, (other) => kept.get(other)?.state.id)) equalled.add(id);
    else report.violation("I13", `${address} has another user's object in its state: ${id}`);
  };
  const checkState = (address: string, state: ResourceState) => {
    const { id, values } = state;
    if (id === undefined || id === "") report.violation("I10", `${address} succeeded without an id`);
    if (hasUnknown(values)) report.violation("I10", `${address} has an unknown value after it was made`);
    checkStored(address, state);
  };

  return {
    shows,
    warns,
    begins(run, address, verb) {
      const { engine, stop } = run;
      const began = world.awake();
      if (kinds[resourceAt(address)]?.unlisted)
        olderThanRun.set(address, new Set(truth.rows().map(({ krn }) => krn)));
      messagesBefore.set(address, messages.length);
      const limit = limitOf(run, address, verb);
      let stoppedAt: number | undefined;
      const noted = () => {
        stoppedAt = world.awake();
      };
      if (stop.signal.aborted) noted();
      stop.signal.addEventListener("abort", noted, { once: true });
      report.trace(`${verb} ${address}`);
      return (end) => {
        stop.signal.removeEventListener("abort", noted);
        report.trace(`${verb} ${address}: ${end}`);
        if (world.awake() - began > limit * 1000 + overdueMs)
          report.violation(
            "I6",
            `${verb} ${address} took ${world.awake() - began} ms, with a timeout of ${limit} s`,
          );
        if (stoppedAt !== undefined && world.awake() - stoppedAt > graceMs[engine] + stopMs)
          report.violation("I6", `${verb} ${address} ran for ${world.awake() - stoppedAt} ms after the stop`);
      };
    },
    fails({ engine }, address, error) {
      const text = readable(explain(error, engine));
      shows(text);
      if (name === "beyond") messages.push({ text, names: true, remedies: remediesIn(error, engine) });
      if (error instanceof OperationError && error.state !== undefined) checkStored(address, error.state);
      const cause = error instanceof OperationError ? (error.cause ?? error) : error;
      if (/internal error/i.test(text)) report.violation("crash", String((cause as Error).stack));
      return text;
    },
    refreshed(run, kept, state) {
      if (state.id !== undefined) checkState(kept.address, state);
      const { address, resource, inputs = {} } = kept;
      // The read found the object of an interrupted create.
      if (kept.state.id === undefined) checkOwner(run, { address, resource, inputs }, state);
      once.refreshed(kept, state);
    },
    made(run, item, planned, state, update) {
      const { address, resource: name } = item;
      checkState(address, state);
      checkOwner(run, item, state);
      const undeclared = update === undefined ? [] : undeclaredUnknowns(resource(name), update);
      if (undeclared.length > 0)
        report.violation("I17", `an update of ${address} makes ${undeclared.join(", ")} unknown`);
      once.made(address, state);
      // A create in the same VPC finds the object.
      const found = losses.findIndex(
        (each) =>
          each.resource === name && kinds[name]?.outlivesVpc && each.inputs.vpcId === state.values.vpcId,
      );
      if (found >= 0) losses.splice(found, 1);
      const broken = planned && planInconsistency(planned, state.values);
      if (broken !== undefined) report.violation("I10", `${address}: ${broken}`);
      if (state.id !== undefined && !truth.exists(state.id))
        report.trace(`  ${state.id} does not exist: another user deleted the object, or the id is wrong`);
    },
    failed(run, item, failures, idOf) {
      const { state, engine } = run;
      const { error, verb } = failures.findLast(({ address }) => address === item.address) ?? {};
      const inputs = resolved(item.inputs, idOf);
      if (error instanceof KilledError && verb === "create") mayBeLost(item.resource, inputs);
      if (error instanceof KilledError) return;
      const text = readable(explain(error, engine));
      const isPossible = error instanceof OperationError && saysMayExist(error);
      if (isPossible || lastListing(error) !== undefined) admitted.push({ resource: item.resource, inputs });
      const known = idsOf(state);
      const kept = state.kept.get(item.address);
      if (kept !== undefined) checkOwner(run, item, kept.state);
      const task = kept?.state.task;
      const hasForeignId = kept?.state.id !== undefined && !namesKept(kept).some(truth.exists);
      /**
       * Returns true for an object of an `unlisted` kind that is older than the operation, and for every one if the id in the
       * state belongs to no object.
       */
      const isUnknowable = (row: Row) =>
        isUnlisted(row) && (olderThanRun.get(item.address)?.has(row.krn) === true || hasForeignId);
      once.failed(item, remediesIn(error, engine), known);
      for (const row of objectsOf(truth, item.resource, inputs)) {
        const { krn } = row;
        const names = namesOf(row);
        if (reported.has(krn) || names.some((name) => known.has(name)) || isUnknowable(row)) continue;
        // The API answered that it did not execute the request.
        if (truth.isRefused(krn)) continue;
        // A listing without the object proves nothing if listings may show it later than that.
        const isAdmitted =
          !truth.isReported(krn) && (isPossible || showsLaterThan(item.resource, lastListing(error)));
        const id = importedAs(row);
        // A user-defined id is in the program.
        const isNamed =
          inputs[resource(item.resource).idField ?? ""] === id ||
          [...names, id, `${row.name} already exists`].some((name) => text.includes(name));
        // A warning of this run said that an object of the address may exist, without its id if listings mask that.
        const isWarned = run.warnings.some(
          (one) => one.address === item.address && one.warning.code === "may-exist",
        );
        if (isAdmitted || isNamed || isWarned) reported.add(krn);
        else if (task === undefined || engine === "pulumi")
          report.violation("I3", `${krn} of ${item.address} is neither in state nor in the error: ${text}`);
      }
    },
    lost(before, after) {
      const known = idsOf(after);
      for (const kept of before.kept.values())
        if (kept.state.id !== undefined && !namesKept(kept).some((name) => known.has(name)))
          mayBeLost(kept.resource, kept.state.values);
    },
    excuses(row) {
      const at = losses.findIndex(({ resource, inputs }) => isMadeBy(row, resource, inputs));
      if (at >= 0) losses.splice(at, 1);
      return at >= 0;
    },
    isNamed(row) {
      // A message names the main object of a request, such as a VPC, and not the objects that are created with it.
      const together = truth.createdWith(row.krn);
      const all = [row, ...truth.rows().filter(({ krn }) => together.includes(krn))];
      const names = all.flatMap((one) => [...namesOf(one), importedAs(one), labelOf(one)]).filter(Boolean);
      return (
        all.some(({ krn }) => reported.has(krn)) ||
        all.some((one) => admitted.some(({ resource, inputs }) => isMadeBy(one, resource, inputs))) ||
        messages.some((each) => each.names && names.some((one) => each.text.includes(one)))
      );
    },
    keeps(kept) {
      const exists = () => namesKept(kept).some(truth.exists);
      const existed = exists();
      return () => {
        // If a listing lags by more than settle_seconds, a replacement can adopt the object that it replaces.
        if (!existed || exists() || name === "beyond") return;
        const { address, state } = kept;
        report.violation("I19", `the delete of ${address} deleted ${state.id}, which another address has`);
      };
    },
    removed({ state }, kept, by) {
      const { address, state: known, resource: kind } = kept;
      const { id } = known;
      if (by === "a delete" && typeof resource(kind).verbs.delete !== "function") return;
      if (id !== undefined) {
        const isLeft = namesKept(kept).some((one) => truth.remains(one, leftAt.get(id)));
        if (isLeft && !mayLeave(kept) && !(by === "a delete" && isUnobservableDelete(kept)))
          report.violation("I4", `${address} left the state by ${by}, and ${id} exists`);
        else if (kinds[kind]?.many !== undefined && !leftAt.has(id)) leftAt.set(id, world.now());
        return;
      }
      if (known.task === undefined) return;
      for (const row of objectsOf(truth, kind, known.values))
        if (!namesOf(row).some((name) => idsOf(state).has(name)))
          report.violation("I4", `${address} left the state by ${by}, and ${row.krn} exists`);
    },
  };

  /**
   * Returns true if a read or delete may remove this object of a beyond world from the state: a warning named its id, and
   * either only listings show the object and the warning named the import, or a listing that lags by more than
   * `settle_seconds` may have confirmed the 404 of a gateway.
   */
  function mayLeave({ address, resource: kind, state: { id = "" } }: StoredObject): boolean {
    if (name !== "beyond") return false;
    const named = messages.slice(messagesBefore.get(address)).filter(({ text }) => text.includes(id));
    // A listing that shows only the newest object confirms nothing.
    const { isAbsent, newest } = resource(kind).verbs.evidence ?? {};
    return isOnlyListed(resource(kind))
      ? named.some(({ remedies }) => remedies.some((remedy) => "importId" in remedy))
      : named.length > 0 && isAbsent !== undefined && newest === undefined;
  }

  /** Returns true if listings of this world may show an object more than `seconds` after its create. */
  function showsLaterThan(kind: string, seconds: number | undefined): boolean {
    return seconds !== undefined && shownAfterMs(kind, cloud) > seconds * 1000;
  }

  /**
   * Returns true for an object that is being deleted, and that listings need not show yet: once the API has accepted the
   * delete, nothing shows when it ends if listings alone show the object, or if a gateway answers 404 to its read.
   */
  function isUnobservableDelete(kept: StoredObject): boolean {
    const names = namesKept(kept);
    const rows = truth.rows().filter((row) => namesOf(row).some((one) => names.includes(one)));
    return (
      (name !== "kind" || isOnlyListed(resource(kept.resource))) &&
      rows.every(
        ({ deletingAt, createdAt }) =>
          deletingAt !== undefined && world.now() - createdAt < shownAfterMs(kept.resource, cloud),
      )
    );
  }

  /** Returns the timeout of an operation in s. The read after an interrupted create searches for its object first. */
  function limitOf({ timeout, state, session }: Run, address: string, verb: Verb): number {
    const searches = verb === "read" && state.kept.get(address)?.state.interrupted !== undefined;
    const usual = definitionOf(address).timeouts[verb === "import" ? "read" : verb];
    return timeout ?? usual + (searches ? session.settings.settleSeconds : 0);
  }
}

/**
 * Returns the seconds after which a listing did not show the object, according to an error; undefined if the error has none.
 */
const lastListing = (error: unknown): number | undefined =>
  error instanceof OperationError && error.existence.is === "not listed"
    ? error.existence.seconds
    : undefined;

/**
 * Returns the time in ms after a create by which listings show the object. A volume shows an attachment only some time
 * after its task has ended (docs/contract.md#17.5).
 */
export function shownAfterMs(kind: string, cloud: Scenario["cloud"]): number {
  const { listingLagMs = 0, taskMs = 0, assume: { attachmentsAfterMs = 0 } = {} } = cloud;
  return kind === "volume-attachment" ? listingLagMs + taskMs + attachmentsAfterMs : listingLagMs;
}

/** Returns true if this kind has no separate read route. */
const isOnlyListed = ({ verbs, visibility = {} }: Resource): boolean =>
  visibility.readByListing === true || (verbs.read === undefined && visibility.listedByRead === undefined);

const resourceAt = (address: string): string => address.slice(0, address.indexOf("."));

const definitionOf = (address: string): Resource => resource(resourceAt(address));

/** Returns the name that users give the object. */
const labelOf = (row: Row & { readonly keyName?: string }): string => row.keyName ?? row.name;

/** Returns the values whose fields are not secret. */
function withoutSecrets(fields: Fields, values: Values): Values {
  const shown: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name];
    if (field?.kind === "group") shown[name] = isRecord(value) ? withoutSecrets(field.fields, value) : value;
    else if (!field?.options.secret) shown[name] = value;
  }
  return shown;
}

/** Returns the objects that any process of the provider created for these inputs and that are not being deleted. */
export const objectsOf = (truth: GroundTruth, resource: string, inputs: Values) =>
  truth
    .rows()
    .filter(
      (row) => truth.isOurs(row.krn) && row.deletingAt === undefined && isMadeBy(row, resource, inputs),
    );

/** Returns the computed fields that a plan makes unknown although no changed input is declared to change them. */
function undeclaredUnknowns({ fields }: Resource, { values, changes }: Plan): string[] {
  const changed = changes.map(({ path }) => String(path[0]));
  return Object.entries(fields).flatMap(([name, field]) =>
    field.kind === "computed" &&
    values[name] === UNKNOWN &&
    !field.options.changesWith?.some((input) => changed.includes(input))
      ? [name]
      : [],
  );
}
