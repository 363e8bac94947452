import { type Problem, problemWith } from "../core/error.ts";
import { entriesOf } from "../core/memoize.ts";
import { capital } from "../core/name.ts";
import type { ResourceState } from "../core/state.ts";
import {
  at,
  conceal,
  emptyRecord,
  equal,
  hasUnknown,
  isRecord,
  type Path,
  reveal,
  UNKNOWN,
  type Value,
  type Values,
} from "../core/value.ts";
import { type ExplainedWarning, explainWarning, type Warning } from "../core/warning.ts";
import { attribute, joinTexts, type Text, wording } from "../core/wording.ts";
import { fileValues } from "../definition/calculated.ts";
import { sameRevealed, sameValue } from "../definition/equality.ts";
import { type ChangeEffect, computedWith, type Field, type Fields, isLocal } from "../definition/field.ts";
import type { Resource } from "../definition/resource.ts";
import { verbInputs } from "../definition/verb-inputs.ts";
import { compareWire, type WireRelation } from "../definition/wire-value.ts";
import { visibilityOf } from "./existence/visibility.ts";
import { describeObject } from "./remediation.ts";
import type { Session } from "./session.ts";
import { driftedFields } from "./state/compare.ts";
import { followsProvider, hasSameTags } from "./state/default-tags.ts";
import { labelOf, titleObject } from "./title.ts";

/** One field that a plan changes. */
export interface FieldChange {
  readonly path: Path;
  readonly before: Value;
  readonly after: Value;
  readonly effect: "update" | "replace";
  /** Consequences of the replacement, such as data loss, and how to avoid them. */
  readonly reason?: Text;
  /**
   * Set if the change is only recorded in the state: nothing is sent, as the API does not know the field or never
   * returned its value.
   */
  readonly recordOnly?: true;
}

/** Planned action for an object, with the changes that cause it. */
export interface Plan {
  readonly action: "none" | "create" | "update" | "replace";
  /** Planned value of every field; UNKNOWN if the API decides it. */
  readonly values: Values;
  readonly changes: readonly FieldChange[];
  /** Changes that cannot be made, each with its path. */
  readonly problems: readonly Problem[];
  /** Those problems that prevent a create: with one of them, a replacement must not delete the existing object. */
  readonly obstacles?: readonly Problem[];
  /**
   * Problems for which a replacement must not delete the existing object, although the plan has no error: a destroy of
   * Terraform begins with this plan, and must not fail.
   */
  readonly losses?: readonly Problem[];
  readonly warnings: readonly ExplainedWarning[];
}

/** Values of fields that the user did not set: the provider's region and tags. */
export type Defaults = { readonly [name: string]: Value | undefined };

/** Settings of the provider that a plan needs. */
interface PlanSettings {
  readonly defaults?: Defaults;
  readonly settings?: PasswordSettings | undefined;
}

/** Compares the prior state with the inputs. Sends nothing; the same arguments give the same plan. */
export function plan(
  resource: Resource,
  prior: ResourceState | undefined,
  written: Values,
  { defaults = {}, settings }: PlanSettings = {},
): Plan {
  const { fields } = resource;
  const { inputs, unsent } = inputsWithFiles(fields, prior, written);
  const values = (before: Values | undefined, configured = inputs) =>
    conceal(planned(fields, before, configured, defaults), written) as Values;
  if (prior === undefined)
    return { action: "create", values: values(undefined), changes: [], problems: [], warnings: [] };
  const priorValues = reveal(prior.values) as Values;
  const comparison: FieldComparison = {
    resource,
    prior,
    written: { ...written, ...pick(inputs, unsent) },
    settings,
    before: priorValues,
    after: inputs,
    changes: [],
    problems: [],
    isSameTags: hasSameTags(resource, priorValues, inputs, defaults),
  };
  compare(comparison, fields, { prior: priorValues, wanted: inputs }, []);
  const { changes, problems } = withoutProtected(comparison);
  const common = { changes, problems, warnings: [] };
  if (changes.some(isReplacing))
    return { action: "replace", values: values(undefined, { ...inputs, ...unsent }), ...common };
  changes.push(...retagged(resource, prior.values, defaults));
  const plannedValues = values({ ...priorValues, ...selected(fields, prior, inputs) });
  for (const name of changedBy(fields, changes)) plannedValues[name] = UNKNOWN;
  for (const { path, after } of changes) if (path[0] === "tagsAll") plannedValues.tagsAll = after;
  const unread = new Set(changes.length > 0 ? Object.keys(unsent) : []);
  for (const name of [...unread, ...computedWith(fields, unread)]) plannedValues[name] = UNKNOWN;
  return { action: changes.length > 0 ? "update" : "none", values: plannedValues, ...common };
}

/**
 * Returns the inputs with the values that follow from files: the recorded one if the file still has it, otherwise unknown, and
 * the unknown values alone.
 */
function inputsWithFiles(fields: Fields, prior: ResourceState | undefined, written: Values) {
  const shown = reveal(written) as Values;
  const fromFiles = fileValues(fields, shown).filter(({ name }) => (shown[name] ?? null) === null);
  const unsent: Values = Object.fromEntries(fromFiles.map(({ name }) => [name, UNKNOWN]));
  const inputs: Values = { ...shown, ...unsent };
  for (const { name, value } of fromFiles) {
    const before = reveal(prior?.values[name] ?? null);
    if (value === undefined) continue;
    if (before === null ? isProven(fields[name], { ...inputs, [name]: value }, prior) : equal(before, value))
      inputs[name] = value;
  }
  return { inputs, unsent };
}

/** Returns true if the recorded values prove that the object has the requested value of a field, of which none is recorded. */
function isProven(field: Field | undefined, inputs: Values, prior: ResourceState | undefined): boolean {
  if (field?.kind !== "field" || field.options.isProven === undefined || prior === undefined) return false;
  const { observed, wanted } = verbInputs({ observed: reveal(prior.values), wanted: inputs }) as {
    observed: Values;
    wanted: Values;
  };
  return field.options.isProven(observed, wanted);
}

/** Returns the changes without those that the deletion protection forbids, which are problems. */
function withoutProtected({ resource, prior, after, changes, problems }: FieldComparison) {
  const isLoss = (change: FieldChange): boolean => isReplacing(change) || isLosing(resource.fields, change);
  // A change that turns the protection on does not destroy the object either.
  const isHeld = isProtected(prior.values) || isProtected(after);
  const lost = isHeld ? changes.filter(isLoss) : [];
  const refusals = lost.map(({ path, effect }) =>
    problemWith(deletionProtected, path, protectedFrom[effect], ["unset-deletion-protection"]),
  );
  return {
    changes: [...changes.filter((change) => !lost.includes(change)), ...neverReady(resource, prior)],
    problems: [...problems, ...refusals],
  };
}

const pick = (values: Values, like: Values): Values =>
  Object.fromEntries(Object.keys(like).map((name) => [name, values[name] ?? null]));

/**
 * Returns the change of `tagsAll` of an existing object whose planned tags, with those of the provider, differ from the
 * stored ones; empty if tags do not change in place.
 */
function retagged(resource: Resource, { tagsAll: before = null }: Values, defaults: Defaults): FieldChange[] {
  const field = resource.fields.tagsAll;
  const { tagsAll: after } = defaults;
  if (field === undefined || after === undefined || !followsProvider(resource)) return [];
  return sameValue(field, before, after) ? [] : [{ path: ["tagsAll"], before, after, effect: "update" }];
}

/** Returns a sentence on what happens to an object that no route deletes; undefined if a route deletes it. */
export const undeletableReason = ({ verbs: { delete: route } }: Resource): string | undefined =>
  typeof route === "function" ? undefined : route.undeletable;

/** Returns the sentence about the one-time password that a delete requires; undefined if the provider obtains it. */
const passwordHint = ({ otpDelete }: Resource, settings: PasswordSettings = {}): Text | undefined =>
  otpDelete && settings.otpCommand === undefined && settings.otpRequired !== false
    ? wording`The delete requires a one-time password: set SERVICE_OTP for one delete of a run, or ${attribute("otpCommand")} for each.`
    : undefined;

/** Settings that decide if a delete needs a one-time password of the user. */
type PasswordSettings = Partial<Pick<Session["settings"], "otpCommand" | "otpRequired">>;

const isReplacing = ({ effect }: FieldChange): boolean => effect === "replace";

/** Returns true if a change in place deletes a part of the object; false while the new value is unknown. */
function isLosing(fields: Fields, { path, before, after }: FieldChange): boolean {
  const field = fields[String(path[0])];
  if (field?.kind !== "field" || before === null || after === null || hasUnknown(after)) return false;
  return field.options.destroysData?.(reveal(before) as never, reveal(after) as never) === true;
}

const deletionProtected = "Deletion is protected";

const protectedFrom = {
  replace: "the change replaces the object, whose deletion protection is on",
  update: "the change deletes a part of the object, whose deletion protection is on",
} as const;

const isProtected = ({ deletionProtection = null }: Values): boolean => reveal(deletionProtection) === true;

/** Returns the problems of deleting an object; empty if it may be deleted. */
export const deletionProblems = (resource: Resource, state: ResourceState): Problem[] =>
  isProtected(state.values)
    ? [
        problemWith(
          deletionProtected,
          ["deletionProtection"],
          `is on for ${describeState(resource, state)}`,
          ["unset-deletion-protection"],
        ),
      ]
    : [];

/** Returns the warnings of a plan that deletes an object. */
export function deletionWarnings(
  resource: Resource,
  state: ResourceState,
  session: Session | undefined,
): ExplainedWarning[] {
  const password = passwordHint(resource, session?.settings);
  const warnings = [
    { code: "deletes-data", text: dataLoss(resource, state) },
    { code: "deletes-nothing", text: undeletableReason(resource) },
    { code: "needs-password", text: password },
  ] as const;
  const described = capital(describeState(resource, state));
  return warnings.flatMap(({ code, text }) =>
    text === undefined ? [] : [explainWarning({ code, described, text }, titleOf(session, resource, state))],
  );
}

/** Returns the warnings of changes in place that delete parts of an object, such as instances of a batch. */
export const partWarnings = (
  resource: Resource,
  prior: ResourceState,
  { changes, values }: Plan,
): Warning[] =>
  changes
    .filter((change) => isLosing(resource.fields, change))
    .map(({ path }) => ({
      code: "deletes-parts",
      field: String(path[0]),
      objects: deletedParts(resource, prior.values, values),
      text: dataLoss(resource, prior),
    }));

/** Returns the warning of an update that records values of an imported object which no response shows. */
export function uncomparedWarnings(prior: ResourceState, { action, changes }: Plan): Warning[] {
  const fields = changes.flatMap(({ path, recordOnly }) =>
    recordOnly && prior.unread.includes(path.join(".")) ? [String(path[0])] : [],
  );
  return action === "update" && fields.length > 0
    ? [
        {
          code: "not-compared",
          fields: [...new Set(fields)],
          isSent: changes.some(({ recordOnly }) => recordOnly !== true),
        },
      ]
    : [];
}

/** Returns the objects that are deleted with an object or, with `planned`, by its change to these values. */
export function deletedParts(
  { deletesToo = [] }: Resource,
  values: Values,
  planned?: Values,
): { readonly kind: string; readonly id: string }[] {
  if (deletesToo.length === 0) return [];
  const [recorded, after] = [values, planned].map((each) => each && verbInputs(reveal(each) as Values));
  return deletesToo.flatMap(({ kind, ids }) =>
    (ids?.(recorded as never, after) ?? []).flatMap((id) => (typeof id === "string" ? { kind, id } : [])),
  );
}

/** Returns the warning of a change that replaces an object. `path` is that of the change, as the engine spells it. */
export const replacementWarning = (
  resource: Resource,
  state: ResourceState,
  session: Session | undefined,
  change: { readonly path: Text; readonly reason: Text },
): ExplainedWarning => explainWarning({ code: "replaces", ...change }, titleOf(session, resource, state));

const titleOf = (session: Session | undefined, resource: Resource, state: ResourceState): string =>
  titleObject(session, resource, labelOf(resource, state));

const describeState = ({ name: kind }: Resource, { id, values: { name } }: ResourceState): string =>
  describeObject({ kind, name: typeof name === "string" ? name : undefined, id });

/**
 * Returns a sentence on the data that deleting an object destroys; undefined if it destroys none, or if the object was
 * never ready.
 */
export function dataLoss({ holdsData }: Resource, { values, failed }: ResourceState): string | undefined {
  if (failed !== undefined) return undefined;
  if (typeof holdsData !== "object") return holdsData;
  return holdsData.when(verbInputs(values)) ? holdsData.text : undefined;
}

/** Returns the change that replaces an object whose create failed: it was never ready and has no data. */
function neverReady({ lifecycle }: Resource, { failed, values }: ResourceState): FieldChange[] {
  if (failed === undefined || lifecycle === undefined) return [];
  const before = values[lifecycle.field] ?? null;
  const reason = wording`The object was never ready: ${failed}.`;
  return [{ path: [lifecycle.field], before, after: UNKNOWN, effect: "replace", reason }];
}

/**
 * Returns the names of the computed fields that these changes may affect: those whose `changesWith` contains a field that
 * is sent.
 */
export function changedBy(fields: Fields, changes: readonly FieldChange[]): string[] {
  const sent = changes.filter(({ recordOnly }) => !recordOnly).map(({ path }) => String(path[0]));
  return computedWith(fields, new Set(sent));
}

/**
 * Returns the computed values of the groups that an import could not read, each from the only candidate that matches the
 * inputs.
 */
export function selected(fields: Fields, { values, candidates = {} }: ResourceState, inputs: Values): Values {
  const groups = Object.entries(candidates).flatMap(([name, all]) => {
    const group = fields[name];
    const input = inputs[name];
    const isUnread = (values[name] ?? null) === null;
    if (group?.kind !== "group" || !isUnread || !Array.isArray(all) || !isRecord(input)) return [];
    const [one, ...others] = all
      .filter(isRecord)
      .filter((candidate) => driftedFields(group.fields, candidate, input).length === 0);
    if (one === undefined || others.length > 0) return [];
    const known = Object.entries(one).filter(([part]) => group.fields[part]?.kind === "computed");
    return [[name, Object.fromEntries(known)]];
  });
  return Object.fromEntries(groups);
}

/**
 * Returns the planned values, of a new object if `prior` is undefined. A value equal to the stored one keeps the stored
 * spelling.
 */
function planned(fields: Fields, prior: Values | undefined, inputs: Values, defaults: Defaults): Values {
  const values = emptyRecord();
  for (const { name, value: field } of entriesOf(fields)) {
    const before = prior === undefined ? undefined : (prior[name] ?? null);
    values[name] = plannedValue(field, before, inputs[name] ?? null, defaults[name]);
  }
  return values;
}

function plannedValue(
  field: Field,
  before: Value | undefined,
  input: Value,
  assumed: Value | undefined,
): Value {
  if (field.kind === "computed") return before === undefined ? (assumed ?? UNKNOWN) : before;
  if (field.kind === "group")
    return isRecord(input) ? planned(field.fields, isRecord(before) ? before : undefined, input, {}) : input;
  if (input === null)
    return !field.options.computed ? null : before === undefined ? (assumed ?? UNKNOWN) : before;
  // Engines accept another spelling of the configured value, but neither null for a value nor a value for null.
  const stored = before ?? null;
  return stored !== null && sameValue(field, stored, input) ? stored : input;
}

/** A comparison in progress: its arguments and its results so far. */
interface FieldComparison {
  readonly resource: Resource;
  readonly prior: ResourceState;
  readonly written: Values;
  readonly settings: PasswordSettings | undefined;
  /** Stored values without secret marks. */
  readonly before: Values;
  /** Requested values without secret marks. */
  readonly after: Values;
  readonly changes: FieldChange[];
  readonly problems: Problem[];
  /** True if the stored tags, with those of the provider, contain the requested ones and no others. */
  readonly isSameTags: boolean;
}

/** Compares the stored values at a path with the requested ones, both without secret marks. */
function compare(
  comparison: FieldComparison,
  fields: Fields,
  { prior, wanted }: { readonly prior: Values; readonly wanted: Values },
  path: Path,
) {
  for (const { name, value: field } of entriesOf(fields)) {
    if (field.kind === "computed") continue;
    const before = prior[name] ?? null;
    const after = wanted[name] ?? null;
    if (field.kind === "group") {
      if (isRecord(before) && isRecord(after))
        compare(comparison, field.fields, { prior: before, wanted: after }, [...path, name]);
      else if (!sameRevealed(field, before, after)) {
        change(comparison, field, [...path, name], { effect: field.options.change ?? "replace" });
        if (isRecord(after) && comparison.prior.unread.includes([...path, name].join(".")))
          compareShown(comparison, field.fields, after, [...path, name]);
      }
    } else if (!(after === null && field.options.computed) && !sameRevealed(field, before, after)) {
      const isKnown = before !== null || after === null || hasUnknown(after);
      const relation =
        !isKnown && isProven(field, wanted, comparison.prior)
          ? "equal"
          : compareWire(
              fields,
              name,
              { group: prior, object: comparison.before },
              { group: wanted, object: comparison.after },
            );
      change(comparison, field, [...path, name], { effect: effectOf(field, before, after), relation });
    }
  }
}

const shownNowhere =
  "The API does not show the object: it may have no effect or be deleted, so what remains of it is deleted first.";

/** Compares the values of a group that was not read with those that other fields of the object show. */
function compareShown(comparison: FieldComparison, fields: Fields, wanted: Values, path: Path) {
  for (const { name, value: field } of entriesOf(fields)) {
    if (field.kind !== "field" || field.options.shownBy === undefined) continue;
    const shown = comparison.before[field.options.shownBy] ?? null;
    const after = wanted[name] ?? null;
    if (shown !== null && after !== null && !sameRevealed(field, shown, after))
      change(comparison, field, [...path, name], { effect: effectOf(field, shown, after) });
  }
}

const onlyLineEndings =
  "Only the line endings differ: one value has CRLF, and the other LF. Write the file with the former ones to keep the object.";

function change(
  { resource, prior, written, settings, changes, problems, isSameTags }: FieldComparison,
  field: Exclude<Field, { kind: "computed" }>,
  path: Path,
  { effect, relation = "other" }: { readonly effect: ChangeEffect; readonly relation?: WireRelation },
) {
  const difference: Omit<FieldChange, "effect"> = {
    path,
    before: at(prior.values, path) ?? null,
    after: at(written, path) ?? null,
  };
  const reasons = [
    relation === "line endings" ? onlyLineEndings : undefined,
    field.options.replaceReason ?? resource.replaceReason,
    dataLoss(resource, prior),
    undeletableReason(resource),
    passwordHint(resource, settings),
  ].filter((reason) => reason !== undefined);
  if (path[0] === visibilityOf(resource).shownThrough && reveal(difference.before) === null)
    changes.push({ ...difference, effect: "replace", reason: shownNowhere });
  else if (typeof effect === "object") problems.push({ path, problem: effect.refuse });
  else if (
    prior.unread.includes(path.join(".")) ||
    isLocal(field) ||
    relation === "equal" ||
    relation === "final line breaks" ||
    (path[0] === "tags" && isSameTags)
  )
    changes.push({ ...difference, effect: "update", recordOnly: true });
  else if (effect === "update" && resource.verbs.update !== undefined)
    changes.push({ ...difference, effect });
  else
    changes.push({
      ...difference,
      effect: "replace",
      ...(reasons.length === 0 ? {} : { reason: joinTexts(reasons, " ") }),
    });
}

/**
 * Returns the effect of a change. A function in the definition is called only if both values are known and not null;
 * otherwise the effect is an update.
 */
function effectOf(field: Extract<Field, { kind: "field" }>, before: Value, after: Value): ChangeEffect {
  const { change = "replace" } = field.options;
  if (typeof change !== "function") return change;
  if (before === null || after === null || hasUnknown(after)) return "update";
  const { b, a } = verbInputs({ b: before, a: after }) as { b: never; a: never };
  return change(b, a);
}
