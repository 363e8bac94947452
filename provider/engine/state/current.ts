import { type Held, StopError } from "../../core/error.ts";
import { isAlike, isElsewhere, isMasked, nameable } from "../../core/krn.ts";
import { isAmong } from "../../core/string.ts";
import { emptyRecord, isRecord, type Path, type Value, type Values } from "../../core/value.ts";
import { verbInputs } from "../../definition/check.ts";
import type { Field, Fields, Resource } from "../../definition/resource.ts";
import { memberOf } from "../../definition/shape.ts";
import type { Row } from "../../definition/verb.ts";
import type { Operation, Work } from "../operation.ts";
import { isLocal, isNone, sameValue } from "../plan.ts";
import { withAllTags, withOwnTags } from "./default-tags.ts";

/** Where one object is found: id, region, parents. */
export type Address = { readonly id: string; readonly region: string } & {
  readonly [parent: string]: string;
};

/** The address of an id, with the parents that the values name. */
export function addressOf(resource: Resource, id: string, region: string, values: Values): Address {
  const parents = (resource.parents ?? []).map((name) => [name, String(values[name])]);
  return { ...Object.fromEntries(parents), id, region };
}

/** The id that the values of an object are, where one of its fields is its id. */
export function idIn({ idField }: Resource, values: Values): string | undefined {
  const id = idField === undefined ? undefined : values[idField];
  return typeof id === "string" ? id : undefined;
}

/** The address after an update: where a field is the id, what it was changed to. */
export const movedTo = (resource: Resource, address: Address, inputs: Values): Address => ({
  ...address,
  id: idIn(resource, inputs) ?? address.id,
});

/** What one listing is of: a region, and what stands there above the objects that it shows. */
export function scopeOf({ parents = [], listedIn = parents }: Resource, address: Address) {
  const above = listedIn.map((name) => [name, address[name]]);
  return { ...Object.fromEntries(above), region: address.region };
}

/** Names the place that an object is listed in. */
export const scopeKey = (resource: Resource, address: Address): string =>
  JSON.stringify([resource.name, scopeOf(resource, address)]);

/** A listing that several share; who goes on lists again where it died with somebody's stop. */
export async function shared<T>(
  { session, signal }: Work,
  scope: string,
  object: string,
  after: number,
  list: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await session.listings.share(scope, object, after, list);
    } catch (error) {
      if (!(error instanceof StopError) || signal.aborted) throw error;
    }
  }
}

/** All live objects beside the one at `address`, shared with other reads where it is young enough. */
export async function listing(
  operation: Operation,
  address: Address,
  after: number,
): Promise<Row<Fields>[] | undefined> {
  const { resource, session } = operation;
  const { list } = resource.verbs;
  if (list === undefined) return undefined;
  const { id, ...scope } = address;
  return shared(operation, scopeKey(resource, address), id, after, async () => {
    const rows = await list({ api: operation.api(address.region), ...scope } as never);
    // Rows of other regions may stand among them (contract 2.1).
    const here = rows.filter(({ id }) => !isElsewhere(id, address.region));
    return here.filter((row) => {
      const isDead = isGone(resource, row as unknown as Values);
      if (isDead) session.buried.add(row.id);
      return !isDead;
    });
  });
}

/**
 * All live objects beside the one at `address`, to decide whether it is there; undefined where no listing has to: what is
 * called by what the user gives is asked for by that.
 */
export const deciding = async (
  operation: Operation,
  address: Address,
  after: number,
): Promise<Row<Fields>[] | undefined> =>
  operation.resource.idField === undefined ? listing(operation, address, after) : undefined;

/** So many looks in a row have to find nothing before what nobody deleted counts as gone; more where no listing decides. */
export const looksDue = ({ verbs, idField }: Resource): number =>
  verbs.list !== undefined && idField === undefined ? 3 : 5;

/** Where a listing decides for a resource: what waits for its objects wait on. */
export const decidedIn = (resource: Resource, address: Address): string | undefined =>
  resource.verbs.whole === undefined ? undefined : scopeKey(resource, address);

/** Notes that the object was written to: no listing begun before says anything about it. */
export const wrote = (operation: Operation, address: Address): void =>
  operation.session.listings.wrote(scopeKey(operation.resource, address), address.id);

/** What the cloud shows of one object now; undefined when it shows none, which one look does not prove. */
export async function observe(
  operation: Operation,
  address: Address,
  after: number,
  mine: Values,
): Promise<Values | undefined> {
  const { resource } = operation;
  const { settings } = operation.session;
  const remembered = withAllTags(resource, mine, settings);
  let { id } = address;
  if (resource.verbs.whole && !isCheapAlone(operation, address, after)) {
    const rows = await listing(operation, address, after);
    const own = rows?.find((row) => isAlike(row.id, address.id));
    const row = own ?? rows?.find(({ task }) => task === address.id);
    // What went by its task has an id of its own by now (contract 6).
    if (own === undefined) id = nameable(row?.id) ?? id;
    const seen = row && inFull(resource, row, remembered);
    if (seen !== undefined) return withOwnTags(resource, seen, mine, settings);
  }
  const call = { api: operation.api(address.region), ...address, id, remembered: verbInputs(remembered) };
  const seen = (await resource.verbs.read?.(call as never)) as Values | undefined;
  return seen === undefined || isGone(resource, seen)
    ? undefined
    : withOwnTags(resource, id === address.id ? seen : { id, task: address.id, ...seen }, mine, settings);
}

/**
 * Whether what was just written is better looked at by itself than among hundreds that stand there. Where requests
 * are limited in number, never: then a listing is one for all who wait.
 */
function isCheapAlone({ session, resource, verb }: Operation, address: Address, after: number): boolean {
  if (resource.verbs.read === undefined || session.settings.maxRequestsPerSecond > 0) return false;
  const wrote = verb === "create" || verb === "update";
  return wrote && session.listings.outweighs(scopeKey(resource, address), address.id, after);
}

/** All there is to see of an object, where its row suffices; undefined where a read is due. */
export function inFull({ verbs: { whole } }: Resource, row: Row<Fields>, mine: Values): Values | undefined {
  if (whole === undefined) return undefined;
  return (whole === true ? row : whole(row, verbInputs(mine))) as unknown as Values | undefined;
}

const word = (value: Value | undefined): string => (typeof value === "string" ? value : "");

/** Whether the cloud still shows what it calls gone; only words that the definition names count. */
const isGone = ({ lifecycle }: Resource, seen: Values): boolean =>
  isAmong(lifecycle?.gone ?? [], word(seen[lifecycle?.field ?? ""]));

/** Where an object stands, by the cloud's word for it. Without a lifecycle, to exist is to be ready. */
export function standing(
  resource: Resource,
  seen: Values,
): { at: "ready" | "pending" | "failed" | "unknown"; word: string } {
  const { lifecycle } = resource;
  if (lifecycle === undefined) return { at: "ready", word: "there" };
  const status = word(seen[lifecycle.field]);
  const among = (words: readonly string[]) => isAmong(words, status);
  const early = lifecycle.shows?.find((name) => isNone(seen[name] ?? null));
  if (among(lifecycle.ready) && early !== undefined)
    return { at: "pending", word: `${String(seen[lifecycle.field])}, without ${early} yet` };
  const at = among(lifecycle.ready)
    ? "ready"
    : among(lifecycle.failed) || /^(error|failed)[_-]/i.test(status)
      ? "failed"
      : among(lifecycle.pending)
        ? "pending"
        : "unknown";
  const said = word(seen[lifecycle.progress ?? ""]) || status;
  return { at, word: said === "" ? "of no status" : said };
}

/**
 * What is remembered after a look: the cloud's values, the user's spelling where both mean the same, and for what
 * the cloud never returns what was configured or remembered.
 */
export function remember(
  fields: Fields,
  seen: Values,
  mine: Values,
  assumed: "defaults" | "nothing" = "nothing",
): Values {
  const values = emptyRecord();
  for (const [name, field] of Object.entries(fields)) {
    const shown = seen[name] ?? null;
    const own = mine[name] ?? null;
    if (field.kind === "group")
      values[name] =
        isRecord(shown) && (isRecord(own) || !isBare(shown))
          ? remember(field.fields, shown, isRecord(own) ? own : {}, assumed)
          : null;
    else if (field.kind === "computed" && (field.options.once || (own !== null && isMasked(word(shown)))))
      values[name] = own;
    else if (field.kind === "field" && field.options.unreadable)
      values[name] = own ?? (assumed === "defaults" ? assumption(field, seen) : null);
    else if (field.kind === "field" && sameValue(field, own, shown))
      values[name] = own ?? (assumed === "defaults" ? defaultOf(field) : null);
    else values[name] = shown;
  }
  return values;
}

/** A group of which nothing is set is what some answers write for no group. */
const isBare = (value: Value | undefined): boolean =>
  value === null || value === undefined || (isRecord(value) && Object.values(value).every(isBare));

/** What a field may be that nobody configured and the cloud does not show. */
const assumption = (field: Extract<Field, { kind: "field" }>, seen: Values): Value =>
  seen[field.options.likely ?? ""] ?? defaultOf(field);

const defaultOf = (field: Field): Value => (memberOf(field).default as Value | undefined) ?? null;

/** Dotted paths of unreadable fields whose real value nobody knows: all but those of which `known` has one. */
export function unreadPaths(fields: Fields, values: Values, known: Values, path: Path = []): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind === "computed") return [];
    const value = values[name] ?? null;
    const own = known[name] ?? null;
    const here = [...path, name];
    if (field.kind === "group" && isRecord(value))
      return unreadPaths(field.fields, value, isRecord(own) ? own : {}, here);
    const unread = field.options.unreadable === true && !isLocal(field);
    return unread && own === null ? [here.join(".")] : [];
  });
}

/**
 * The settings that the cloud shows otherwise than they were asked for. What was not asked for is the cloud's to
 * choose, unless it is among those `changed`, as what comes from the provider may be.
 */
export function differing(
  fields: Fields,
  seen: Values,
  inputs: Values,
  changed: ReadonlySet<string> = new Set(),
  path: Path = [],
): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const asked = inputs[name] ?? null;
    if ((field.kind === "computed" || asked === null) && !changed.has(name)) return [];
    const shown = seen[name] ?? null;
    if (field.kind === "group" && isRecord(asked))
      return differing(field.fields, isRecord(shown) ? shown : {}, asked, new Set(), [...path, name]);
    const isUnreadable = field.kind !== "computed" && field.options.unreadable;
    return isUnreadable || sameValue(field, asked, shown) ? [] : [[...path, name].join(".")];
  });
}

/** Whether its create tells what nothing tells again: one whose answer was lost is of no use (reliability 3.5). */
export const isToldOnce = ({ fields }: Resource): boolean => Object.values(fields).some(isOnce);

const isOnce = ({ kind, options }: Field): boolean => kind === "computed" && "once" in options;

/** The names of fields that the create does not send. */
export const laterFields = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === "field" && field.options.later === true ? [name] : [],
  );

/** What is kept of an object that is shown nowhere, while that does not prove it gone; undefined where it does. */
export const unshown = ({ shownBy }: Resource, held: Held): Held | undefined =>
  shownBy === undefined ? undefined : { ...held, values: { ...held.values, [shownBy]: null } };

/**
 * What is kept of an object that exists but was not seen whole: what its create asked for, and its id. What is to be
 * sent later is not kept, so that the next run sends it, but for what a new one is that nobody sees; nor is what
 * protects it, since it holds no data yet.
 */
export function halfMade(
  resource: Resource,
  inputs: Values,
  region: string,
  known: { readonly id?: string | undefined; readonly task?: string | undefined },
): Held {
  const fill = (fields: Fields, given: Values): Values => {
    const values = emptyRecord();
    for (const [name, field] of Object.entries(fields)) {
      const own = given[name] ?? null;
      values[name] = field.kind === "group" && isRecord(own) ? fill(field.fields, own) : own;
    }
    return values;
  };
  const values = fill(resource.fields, inputs);
  const localFields = Object.keys(resource.fields).filter((name) => isLocal(resource.fields[name] as Field));
  for (const name of localFields) values[name] = null;
  const unseen = (resource.unseen ?? {}) as Values;
  for (const name of laterFields(resource.fields)) values[name] = unseen[name] ?? null;
  if (resource.regional !== false) values.region = region;
  return { id: known.id, task: known.id === undefined ? known.task : undefined, values, unread: [] };
}
