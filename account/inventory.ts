import { missingProblem } from "../provider/config/config.ts";
import { comparable } from "../provider/core/krn.ts";
import type { ResourceState } from "../provider/core/state.ts";
import type { Values } from "../provider/core/value.ts";
import { attribute, attributes, capitalized, type Text, wording } from "../provider/core/wording.ts";
import type { Resource } from "../provider/definition/resource.ts";
import type { Listed, Session } from "../provider/engine/engine.ts";
import { contradictingFields, danglingReferences, otherParent, withoutForeign } from "./contradiction.ts";
import {
  asOptions,
  type Filter,
  isNarrow,
  selectsName,
  selectsTags,
  selectsVpc,
  vpcFieldOf,
} from "./filter.ts";
import { isContent, type Listing, listingOf } from "./listing.ts";
import type { AccountObject, Gap } from "./object.ts";
import { inParallel } from "./parallel.ts";
import { listAgain, listRows, type Requests, readObject, reasonOf } from "./request.ts";

/** Existing objects of an account, read through the listings of each kind. Sends only reads. */

export interface Inventory {
  /** Objects by kind, in the order of the definitions, then by parents, name and id. */
  readonly objects: readonly AccountObject[];
  readonly gaps: readonly Gap[];
  /** True if no listing that was sent shows an object, selected or not. */
  readonly isEmpty: boolean;
}

/** Counts of a running inventory. */
export interface Progress {
  readonly listings: { readonly done: number; readonly known: number };
  readonly objects: number;
}

export interface InventoryOptions {
  readonly resources: readonly Resource[];
  readonly filter: Filter;
  /** Kinds of content that are listed, such as the objects of buckets. Default: those that the filter names. */
  readonly contents?: readonly string[];
  /** Results of an interrupted run. */
  readonly journal?: Requests["journal"];
  readonly stop: AbortSignal;
  readonly report?: (progress: Progress) => void;
}

/** Failure of the inventory as a whole; the message is a sentence for the user. */
export class InventoryError extends Error {}

/** Maximum number of concurrent listings and reads. The session limits the rate of their requests. */
const concurrent = 8;

/** A running inventory: its options and its results so far. */
interface Run extends InventoryOptions {
  readonly session: Session;
  readonly kinds: ReadonlySet<string>;
  readonly objects: AccountObject[];
  readonly gaps: Gap[];
  /** Rows of kinds that are parents of others. */
  readonly parents: Map<string, readonly Listed[]>;
  readonly counts: { done: number; known: number; failed: number; rows: number };
}

/**
 * Reads the selected objects of an account. A listing that fails is a gap; throws `InventoryError` if all listings failed, or if
 * the filter names a VPC that does not exist.
 */
export async function readInventory(session: Session, options: InventoryOptions): Promise<Inventory> {
  const run: Run = {
    ...options,
    session,
    kinds: new Set(options.resources.map(({ name }) => name)),
    objects: [],
    gaps: [],
    parents: new Map(),
    counts: { done: 0, known: 0, failed: 0, rows: 0 },
  };
  const selected = options.resources.filter((resource) => isSelectedKind(run, resource));
  const listings = new Map(selected.flatMap((resource) => listingEntry(run, resource)));
  const above = new Set([
    ...[...listings.values()].flatMap((listing) => (listing.of === "parent" ? listing.within : [])),
    ...(options.filter.vpcs.length > 0 ? ["vpc"] : []),
  ]);
  const roots = options.resources.filter(
    (resource) => listings.get(resource)?.of === "account" || above.has(resource.name),
  );
  await listAll(
    run,
    roots.map((resource) => ({ resource, scope: {}, name: undefined, isParent: above.has(resource.name) })),
  );
  if (run.counts.failed > 0 && run.counts.failed === run.counts.done)
    throw failureOf(run.gaps.filter(({ isIncomplete }) => isIncomplete));
  await listAll(
    run,
    [...listings].flatMap(([resource, listing]) => scopesOf(run, resource, listing)),
  );
  const listed = [...run.objects];
  const { objects, gaps } = withoutForeign(listed);
  const failed = new Set(run.gaps.filter(({ isIncomplete }) => isIncomplete).map(({ kind }) => kind));
  const complete = [...listings.keys()].map(({ name }) => name).filter((kind) => !failed.has(kind));
  run.gaps.push(
    ...gaps,
    ...(isNarrow(options.filter) ? [] : danglingReferences(objects, new Set(complete), listed)),
  );
  return { objects: sorted(run, objects), gaps: sortedGaps(run), isEmpty: run.counts.rows === 0 };
}

const capital = (text: string): string => String(capitalized(text));

/**
 * Throws `InventoryError` if there is no object, since nothing could be read, or since the filter selects nothing of an account that has
 * some.
 */
export function requireSelection({ objects, gaps, isEmpty }: Inventory, filter: Filter): void {
  if (objects.length > 0) return;
  const failures = gaps.filter(({ isIncomplete }) => isIncomplete);
  if (failures.length > 0) throw failureOf(failures);
  if (!isEmpty && isNarrow(filter))
    throw new InventoryError(`No object of the account matches ${asOptions(filter)}.`);
}

/** Returns the error of an inventory that could not be read, with the reason of the first gap. */
function failureOf([gap, ...more]: readonly Gap[]): InventoryError {
  const parts = `${more.length} more ${more.length === 1 ? "part" : "parts"}`;
  const others = more.length === 0 ? "" : ` ${parts} of the account could not be read.`;
  return new InventoryError(`${capital(String(gap?.reason))}.${others}`);
}

/** Returns the part of an inventory of the whole account that the filter selects. Throws `InventoryError` as `readInventory` does. */
export function selectionOf(
  { objects, gaps, isEmpty }: Inventory,
  { filter, resources }: InventoryOptions,
): Inventory {
  const listed = objects.filter(({ resource }) => resource.name === "vpc");
  requireVpcs(filter, listed);
  const kinds = new Set(resources.map(({ name }) => name));
  const vpcs = new Set(listed.filter((vpc) => selectsVpc(filter, vpc)).map(({ id }) => comparable(id)));
  const isInVpc = ({ resource, id, state }: AccountObject) => {
    const vpcId = resource.name === "vpc" ? id : state.values[vpcFieldOf(resource) ?? ""];
    return filter.vpcs.length === 0 || (typeof vpcId === "string" && vpcs.has(comparable(vpcId)));
  };
  const selectedKinds = new Set(
    resources.filter((resource) => isSelectedKind({ filter }, resource)).map(({ name }) => name),
  );
  return {
    objects: objects.filter(
      (object) =>
        isInVpc(object) &&
        selectsName(filter, { kind: object.resource.name, name: object.name }, kinds) &&
        selectsTags(filter, object.state.values),
    ),
    // A part or a referrer of a selected object may be among the missing objects of another kind.
    gaps: gaps.filter(({ kind, isIncomplete }) => isIncomplete || selectedKinds.has(kind)),
    isEmpty,
  };
}

/** Returns true if the filter selects objects of a kind. */
function isSelectedKind({ filter: { kinds, vpcs } }: Pick<Run, "filter">, resource: Resource): boolean {
  if (kinds.length > 0 && !kinds.includes(resource.name)) return false;
  return vpcs.length === 0 || resource.name === "vpc" || vpcFieldOf(resource) !== undefined;
}

/** Returns a kind with its listing; empty, with a gap, for a kind that cannot be listed with these settings. */
function listingEntry(run: Run, resource: Resource): [] | [[Resource, Listing]] {
  const { session, filter, contents = filter.kinds } = run;
  const { name: kind, requires = [] } = resource;
  const listing = listingOf(resource);
  if (listing === undefined) return [];
  const gap = (reason: Text): [] => {
    run.gaps.push({ kind, scope: undefined, reason, isIncomplete: false });
    return [];
  };
  if (listing.of === "none") return gap(listing.reason);
  if (isContent(resource) && !contents.includes(kind))
    return gap("they are content, and no configuration: they are listed only if the kind is named");
  const missing = requires.find((name) => session.settings[name] === undefined);
  if (missing !== undefined) return gap(wording`${attribute(missing)} ${missingProblem[missing].problem}`);
  return [[resource, listing]];
}

/** Listing to send. */
interface Scope {
  readonly resource: Resource;
  readonly scope: Values;
  /** Name of the parent. */
  readonly name: string | undefined;
  /** True if the rows are the parents of other listings. */
  readonly isParent?: boolean;
}

/** Returns the listings of a kind, one for each parent. */
function scopesOf({ parents }: Run, resource: Resource, listing: Listing): Scope[] {
  if (listing.of !== "parent") return [];
  return (parents.get(listing.within) ?? []).flatMap(({ id, name, problem }) =>
    problem === undefined ? { resource, scope: { [listing.field]: id }, name } : [],
  );
}

/** Sends the listings, and reads each object of which a listing shows too little, and two of each kind of which it shows all. */
async function listAll(run: Run, scopes: readonly Scope[]): Promise<void> {
  const { counts } = run;
  counts.known += scopes.length;
  const rows = (
    await inParallel(scopes, concurrent, async (scope) => {
      const found = await listScope(run, scope);
      counts.done += 1;
      report(run);
      return found.map((listed) => ({ scope, listed }));
    })
  ).flat();
  await inParallel(samplesOf(rows), concurrent, (row) => compareWithRead(run, row));
  await inParallel(rows, concurrent, async ({ scope, listed }) => {
    const state = listed.state ?? listed.partial ?? (await stateOf(run, scope, listed));
    if (state === undefined || !selectsTags(run.filter, state.values)) return;
    const { id, name, region, values: parents, createdAt } = listed;
    if (!isInVpc(run, scope.resource, state.values) || isCancelled(scope.resource, state.values)) return;
    const other = otherParent(scope.scope, state.values);
    if (other === undefined)
      run.objects.push({ resource: scope.resource, id, name, region, parents, createdAt, state });
    else {
      const reason = `the listing of ${JSON.stringify(scope.name)} shows it, but it belongs to ${other}`;
      run.gaps.push({ kind: scope.resource.name, scope: name, reason, isIncomplete: true });
    }
    report(run);
  });
}

/** Row of a listing, with its listing. */
interface ListedRow {
  readonly scope: Scope;
  readonly listed: Listed;
}

/** Returns the first and the last row of each kind whose listing shows the whole object, which a read of its own shows too. */
const samplesOf = (rows: readonly ListedRow[]): ListedRow[] =>
  [...Map.groupBy(rows, ({ scope }) => scope.resource)].flatMap(([{ verbs, visibility }, all]) => {
    const isComparable = verbs.read !== undefined && !visibility?.unreadable && !visibility?.listedByRead;
    const whole = isComparable ? all.filter(({ listed }) => listed.state !== undefined) : [];
    return [...new Set([whole[0], whole.at(-1)])].filter((row) => row !== undefined);
  });

/**
 * Compares a row with a read of the object by its own route, and adds a gap if they differ twice: the object may have changed between
 * the first two requests. A listing that is wrong for one object may be wrong for any.
 */
async function compareWithRead(run: Run, { scope, listed }: ListedRow): Promise<void> {
  const { resource } = scope;
  const { whole: _, ...verbs } = resource.verbs;
  const single: Resource = { ...resource, verbs };
  let row: Listed | undefined = listed;
  for (let compared = 1; row?.state !== undefined; compared++) {
    const read = await stateOf(run, { ...scope, resource: single }, row);
    if (read === undefined) return;
    const fields = contradictingFields(resource, row.state.values, read.values);
    if (fields.length === 0) return;
    if (compared === 2) {
      const reason = wording`the listing and a read show different ${attributes(fields)}, so the listing may be wrong for other objects, too`;
      run.gaps.push({ kind: resource.name, scope: listed.name, reason, isIncomplete: true });
      return;
    }
    row = (await listAgain(run, scope))?.find(({ id }) => comparable(id) === comparable(listed.id));
  }
}

const report = ({ report, counts: { done, known }, objects }: Run): void =>
  report?.({ listings: { done, known }, objects: objects.length });

/** Returns the selected rows of a listing; none, with a gap, if it fails. */
async function listScope(run: Run, { resource, scope, name, isParent }: Scope): Promise<readonly Listed[]> {
  const { filter, gaps, counts } = run;
  const kind = resource.name;
  try {
    const rows = await listRows(run, { resource, scope });
    counts.rows += rows.length;
    const here = kind === "vpc" ? rows.filter((row) => selectsVpc(filter, row)) : rows;
    if (isParent) run.parents.set(kind, here);
    if (kind === "vpc") requireVpcs(filter, rows);
    const selected = here.filter(
      (row) => isSelectedKind(run, resource) && selectsName(filter, { kind, name: row.name }, run.kinds),
    );
    for (const { name: shown } of here.filter(({ isRepeated }) => isRepeated))
      gaps.push({
        kind,
        scope: shown,
        reason: "the listing shows it twice, so it may lack another one",
        isIncomplete: true,
      });
    const problems = new Map(selected.map((row) => [row, problemOf(resource, row)]));
    for (const [row, problem] of problems)
      if (problem !== undefined) gaps.push({ kind, scope: row.name, reason: problem, isIncomplete: true });
    return selected.filter((row) => problems.get(row) === undefined);
  } catch (error) {
    gaps.push({ kind, scope: name, reason: reasonOf(error), isIncomplete: true });
    counts.failed += 1;
    return [];
  }
}

/** Returns the reason why a row is no object that an engine can import; undefined if it is one. */
function problemOf({ parents = [] }: Resource, { id, problem, values }: Listed): Text | undefined {
  const missing = parents.find((parent) => !values[parent]);
  if (missing !== undefined) return wording`the response lacks its ${attribute(missing)}`;
  if (id === "") return "its ID must not be empty";
  return problem === undefined ? undefined : `its ID ${problem}`;
}

/** Throws `InventoryError` for a name or an id of the filter that no VPC has. */
function requireVpcs({ vpcs, ...filter }: Filter, rows: readonly Pick<Listed, "id" | "name">[]): void {
  const missing = vpcs.find((vpc) => !rows.some((row) => selectsVpc({ ...filter, vpcs: [vpc] }, row)));
  if (missing === undefined) return;
  const names = rows
    .map(({ name }) => JSON.stringify(name))
    .toSorted(byText)
    .join(", ");
  throw new InventoryError(
    `No VPC has the name or the ID ${JSON.stringify(missing)}; listed: ${names || "none"}.`,
  );
}

/** Returns the state of an object of which a listing shows too little; undefined, with a gap, if there is none. */
async function stateOf(run: Run, scope: Scope, listed: Listed): Promise<ResourceState | undefined> {
  const read = await readObject(run, scope, listed);
  if ("state" in read) return read.state;
  run.gaps.push({ kind: scope.resource.name, scope: listed.name, ...read });
  return undefined;
}

/** Returns true if the object is in a selected VPC, for kinds that a listing does not show by VPC. */
function isInVpc({ filter, parents }: Run, resource: Resource, values: Values): boolean {
  const field = vpcFieldOf(resource);
  const id = field === undefined ? undefined : values[field];
  if (filter.vpcs.length === 0 || typeof id !== "string") return true;
  return (parents.get("vpc") ?? []).some((vpc) => comparable(vpc.id) === comparable(id));
}

/** Returns true for work that was cancelled: it stays readable for some time. */
function isCancelled({ work }: Resource, values: Values): boolean {
  const status = work === undefined ? undefined : values[work.status];
  return typeof status === "string" && work?.cancelled.includes(status.toLowerCase()) === true;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares by the first of several keys that differs. */
const byKeys = (a: readonly string[], b: readonly string[]): number =>
  a.map((key, index) => byText(key, b[index] ?? "")).find((order) => order !== 0) ?? 0;

function sorted({ resources }: Run, objects: readonly AccountObject[]): AccountObject[] {
  const order = new Map(resources.map(({ name }, index) => [name, index]));
  const keyed = objects.map((object) => {
    const { parents, name, id } = object;
    return { object, keys: [...Object.values(parents).map(String), name, id] };
  });
  return keyed
    .toSorted(
      (a, b) =>
        (order.get(a.object.resource.name) ?? 0) - (order.get(b.object.resource.name) ?? 0) ||
        byKeys(a.keys, b.keys),
    )
    .map(({ object }) => object);
}

function sortedGaps({ gaps, resources }: Run): Gap[] {
  const order = new Map(resources.map(({ name }, index) => [name, index]));
  return gaps.toSorted(
    (a, b) => (order.get(a.kind) ?? 0) - (order.get(b.kind) ?? 0) || byText(a.scope ?? "", b.scope ?? ""),
  );
}
