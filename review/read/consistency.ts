import { withoutIndices } from "../model/address.ts";
import type { Part } from "./document.ts";
import { isObject, type Json, listOf, malformed, objectOf, objectsOf, stringOf } from "./json.ts";
import { referencesIn } from "./reference.ts";

/**
 * Compares the parts of a Terraform plan with each other. Engines before Terraform 1.8, and OpenTofu, do not record that a plan
 * is partial, and a plan may have been cut or edited: its content decides.
 */

/** Row of the list of changes, as far as it is compared. */
export interface Listed {
  readonly address: string;
  readonly previousAddress: string | undefined;
  readonly isManaged: boolean;
  /** True if the object exists after the apply. */
  readonly isPlanned: boolean;
  /** Fingerprint of the planned values. */
  readonly fingerprint: number;
  /** Fingerprint of the values before the change; undefined if the object does not exist. */
  readonly priorFingerprint: number | undefined;
  /** True for an action other than "no-op". */
  readonly isChanged: boolean;
  readonly isImported: boolean;
  /** Key of the old object of an interrupted replacement. */
  readonly deposed: string | undefined;
}

/** Returns the resources of a module and of those in it. */
export const objectsIn = (module: Json): readonly Json[] => [
  ...objectsOf(module.resources),
  ...objectsOf(module.child_modules).flatMap(objectsIn),
];

/** Returns the objects of the prior state. */
export const priorObjects = ({ prior_state: prior }: Json): readonly Json[] =>
  objectsIn(objectOf(objectOf(objectOf(prior).values).root_module));

/** Object of the planned values. */
interface Planned {
  readonly address: unknown;
  readonly mode: unknown;
  /** Undefined for an object that the plan removes from the state. */
  readonly fingerprint: number | undefined;
}

const modules = new Map<string, Part>([
  [
    "resources",
    {
      row: ({ address, mode, values }): Planned => ({
        address,
        mode,
        fingerprint: isObject(values) ? fingerprintOf(values) : undefined,
      }),
    },
  ],
]);
modules.set("child_modules", { members: modules });

/** Converts the objects of the planned values to `Planned`, because they are compared only. */
export const plannedValues: Part = { members: new Map([["root_module", { members: modules }]]) };

/** Returns the fingerprints of the planned values of managed objects by address; undefined if the plan has none. */
function plannedIn({ planned_values: planned }: Json): ReadonlyMap<unknown, number> | undefined {
  if (!isObject(planned)) return undefined;
  const objects = objectsIn(objectOf(planned.root_module)) as readonly unknown[] as readonly Planned[];
  return new Map(
    objects.flatMap(({ address, mode, fingerprint }) =>
      mode === "managed" && fingerprint !== undefined ? [[address, fingerprint]] : [],
    ),
  );
}

/** Hashes of the names of members, of which a plan has few. */
const names = new Map<string, number>();

function hashOfName(name: string): number {
  const found = names.get(name) ?? hashOf(name) | 1;
  if (names.size < 1_000) names.set(name, found);
  return found;
}

/** Numbers of characters at the beginning and at the end of a long text that its hash covers, with its length. */
const [beginning, ending] = [16, 32];

/** Returns the FNV-1a hash of a text. */
function hashOf(text: string): number {
  const { length } = text;
  const isLong = length > beginning + ending;
  let hash = 0x811c9dc5 ^ length;
  for (let index = 0; index < (isLong ? beginning : length); index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  for (let index = isLong ? length - ending : length; index < length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}

/**
 * Returns a number that equal values share, regardless of the order of their members and of members that are null. Different
 * values have different numbers, except by chance, and except for the middle of long texts of one length.
 */
export function fingerprintOf(value: unknown): number {
  if (typeof value === "string") return hashOf(value);
  if (Array.isArray(value))
    return value.reduce<number>((sum, item) => (Math.imul(sum, 31) + fingerprintOf(item)) | 0, 7);
  if (!isObject(value)) return hashOf(String(value)) ^ hashOfName(typeof value);
  let sum = 11;
  for (const name in value)
    if (value[name] !== null)
      sum = (sum + Math.imul(hashOfName(name), fingerprintOf(value[name]) ^ 0x2545f491)) | 0;
  return sum;
}

/** Returns true for a `-refresh-only` plan: it plans no objects, although its state has some. */
export const isRefreshOnly = (json: Json): boolean =>
  listOf(json.resource_changes).length === 0 &&
  (plannedIn(json)?.size ?? 0) === 0 &&
  (listOf(json.resource_drift).length > 0 || priorObjects(json).length > 0);

/** Returns a gap for each flag of a plan that is no boolean, and would be ignored. */
const malformedFlags = (json: Json): string[] =>
  ["errored", "complete", "applyable"]
    .filter((name) => json[name] !== undefined && typeof json[name] !== "boolean")
    .map((name) => `${name} is neither true nor false`);

/** Returns the gaps of a plan whose parts contradict each other, or omit objects of other parts; each is a clause. */
export function inconsistencies(json: Json, rows: readonly Listed[]): string[] {
  // The reader reports an error, and a list that is malformed.
  const flags = malformedFlags(json);
  if (json.errored === true || malformed(json, "resource_changes").length > 0) return flags;
  const managed = rows.filter(({ isManaged }) => isManaged);
  const hasEffects =
    rows.length > 0 || listOf(json.resource_drift).length > 0 || isObject(json.output_changes ?? undefined);
  return [
    ...flags,
    ...unlikePlanned(json, managed),
    ...doubled(rows),
    ...unlikePrior(json, managed),
    ...unlikeOutputs(json),
    ...(isRefreshOnly(json) || json.complete === false
      ? []
      : [
          ...unlistedObjects(json, managed),
          ...(mayBeDisabled(json) ? [] : unlistedConfiguration(json, managed)),
        ]),
    ...(json.applyable === true && !hasEffects && listOf(json.action_invocations).length === 0
      ? ["the plan can be applied, but lists no effect"]
      : []),
    ...(json.applyable === false && managed.some(({ isChanged }) => isChanged)
      ? ["the plan cannot be applied, but lists changes"]
      : []),
  ];
}

/**
 * Returns true for a plan of OpenTofu 1.11 or later, whose resources may have `enabled = false`: its configuration does not show
 * that.
 */
function mayBeDisabled(json: Json): boolean {
  const [major = 0, minor = 0] = (stringOf(json.terraform_version) ?? "").split(".").map(Number);
  return !("applyable" in json) && major === 1 && minor >= 11;
}

/** Returns a sentence on resources of the configuration that the plan omits, if that does not prove it to be partial. */
export const omittedResources = (json: Json, rows: readonly Listed[]): string[] =>
  mayBeDisabled(json) && !isRefreshOnly(json)
    ? unlistedConfiguration(
        json,
        rows.filter(({ isManaged }) => isManaged),
      ).map((clause) => `${clause[0]?.toUpperCase()}${clause.slice(1)}, or they have enabled = false.`)
    : [];

const contradiction = (count: number, clause: string): string[] =>
  count === 0 ? [] : [`its parts contradict each other: ${clause}`];

/** Compares the planned values with the list of changes. */
function unlikePlanned(json: Json, rows: readonly Listed[]): string[] {
  const planned = plannedIn(json);
  if (planned === undefined)
    return rows.length === 0 ? [] : ["it has no planned_values, which every plan has: it was cut"];
  if (objectsOf(json.deferred_changes).length > 0) return [];
  const listed = new Map(rows.flatMap((row) => (row.isPlanned ? [[row.address, row.fingerprint]] : [])));
  const differing = [...new Set([...planned.keys(), ...listed.keys()])].filter(
    (address) => planned.get(address) !== listed.get(address as string),
  );
  return contradiction(
    differing.length,
    `planned_values and resource_changes differ in ${differing.length} objects`,
  );
}

/** Returns a gap for objects that the list of changes has twice. */
function doubled(rows: readonly Listed[]): string[] {
  const all = rows.map(({ address, deposed }) => `${address} ${deposed ?? ""}`);
  const count = all.length - new Set(all).size;
  return contradiction(count, `resource_changes has ${count} objects twice`);
}

/** Compares the values before the changes with the prior state. */
function unlikePrior(json: Json, rows: readonly Listed[]): string[] {
  const existing = rows.filter(
    ({ priorFingerprint, deposed }) => priorFingerprint !== undefined && deposed === undefined,
  );
  if (existing.length === 0) return [];
  const prior = new Map(
    priorObjects(json)
      .filter(({ mode, deposed_key: key }) => mode === "managed" && key === undefined)
      .map(({ address, values }) => [address, values]),
  );
  if (prior.size === 0 && existing.some(({ isImported }) => !isImported))
    return ["it has no prior_state, but changes objects that exist: it was cut"];
  const differing = existing.filter(({ address, previousAddress, priorFingerprint }) => {
    const values = prior.get(address) ?? prior.get(previousAddress);
    return values !== undefined && fingerprintOf(values) !== priorFingerprint;
  });
  return contradiction(
    differing.length,
    `prior_state and resource_changes differ in ${differing.length} objects`,
  );
}

/** Compares the planned outputs with the list of changed outputs. */
function unlikeOutputs(json: Json): string[] {
  const planned = objectOf(objectOf(json.planned_values).outputs);
  const changes = objectOf(json.output_changes);
  const differing = Object.entries(planned).filter(([name, output]) => {
    const { after, after_unknown: unknown } = objectOf(changes[name]);
    const { value } = objectOf(output);
    return (
      value !== undefined &&
      unknown !== true &&
      !isObject(unknown) &&
      !Array.isArray(unknown) &&
      !isSameJson(after, value)
    );
  });
  return contradiction(
    differing.length,
    `planned_values and output_changes differ in ${differing.length} outputs`,
  );
}

const partial = "it was limited by -target";

/** Returns a gap for objects of the state that the plan does not list: a complete plan lists every object. */
function unlistedObjects(json: Json, rows: readonly Listed[]): string[] {
  const listed = new Set<unknown>(rows.flatMap(({ address, previousAddress }) => [address, previousAddress]));
  const missing = priorObjects(json).filter(
    ({ mode, address }) => mode === "managed" && !listed.has(address),
  );
  return missing.length === 0
    ? []
    : [`the plan omits ${missing.length} of the objects of the state: ${partial}`];
}

/**
 * Returns a gap for resources of the configuration without `count` and `for_each` that the plan does not list. A plan of a
 * destroy lists only objects of the state.
 */
function unlistedConfiguration(json: Json, rows: readonly Listed[]): string[] {
  const isOfDestroy =
    rows.length > 0 ? !rows.some(({ isPlanned }) => isPlanned) : plannedIn(json)?.size === 0;
  if (isOfDestroy) return [];
  const listed = new Set(rows.map(({ address }) => withoutIndices(address)));
  const missing = singlesIn(objectOf(objectOf(json.configuration).root_module), "").filter(
    (address) => !listed.has(address),
  );
  return missing.length === 0
    ? []
    : [`the plan omits ${missing.length} of the resources of the configuration: ${partial}`];
}

/**
 * Returns true for a block without `count` and `for_each`. A plan omits such an expression if it is neither constant nor refers to
 * anything, as `toset(["a"])`; then the block usually refers to its instance.
 */
const isSingle = (block: Json): boolean =>
  block.count_expression === undefined &&
  block.for_each_expression === undefined &&
  !referencesIn(block.expressions).some((reference) => /^(?:each|count)\./.test(reference));

/** Returns the addresses of the resources that have exactly one object. */
const singlesIn = (module: Json, path: string): string[] => [
  ...objectsOf(module.resources)
    .filter((row) => row.mode === "managed" && isSingle(row))
    .map(({ address }) => `${path}${String(address)}`),
  ...Object.entries(objectOf(module.module_calls)).flatMap(([name, call]) =>
    isObject(call) && isSingle(call) ? singlesIn(objectOf(call.module), `${path}module.${name}.`) : [],
  ),
];

/** Returns true if the address of a managed object names another type than its row. */
export const namesOtherType = (address: string, type: string): boolean =>
  withoutIndices(address).split(".").at(-2) !== type;

/** Returns true if the values of a managed object do not belong to its action. */
export function contradictsItself(action: string, { before, after }: Json): boolean {
  const [exists, stays] = [isObject(before), isObject(after)];
  switch (action) {
    case "create":
      return exists || !stays;
    case "delete":
      return !exists || stays;
    case "update":
    case "delete,create":
    case "create,delete":
      return !exists || !stays;
    case "no-op":
      return exists !== stays || !isSameJson(before, after);
    // Only a data source is read, and only an ephemeral resource opened.
    case "read":
    case "open":
      return true;
    default:
      return false;
  }
}

function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSameJson(item, b[index]));
  if (!isObject(a) || !isObject(b)) return (a ?? null) === (b ?? null);
  for (const name in a) if (!isSameJson(a[name], b[name])) return false;
  for (const name in b) if (!Object.hasOwn(a, name) && (b[name] ?? null) !== null) return false;
  return true;
}
