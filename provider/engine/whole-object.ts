import { CloudError, InputError } from "../core/error.ts";
import { emptyRecord, equal, isRecord, type Value, type Values } from "../core/value.ts";
import type { Api } from "../definition/api.ts";
import type { Endpoint } from "../definition/endpoint.ts";
import { sameValue } from "../definition/equality.ts";
import type { Field } from "../definition/field.ts";
import { verbInputs } from "../definition/verb-inputs.ts";
import { ageOf, isRecent, settleMs } from "./existence/age.ts";
import { readAlone } from "./existence/current.ts";
import type { Operation } from "./operation.ts";
import type { Address } from "./state/address.ts";
import { isAlwaysShown } from "./state/compare.ts";
import { spelledAs, withAllTags, withOwnTags, withRecordedTags } from "./state/default-tags.ts";
import { hasMask } from "./state/mask.ts";

/**
 * Values of an update whose endpoint writes several fields with each request (`Endpoint.writes`). The update sends the planned
 * value of each field that the plan changes, and of all other fields the value that the API shows, so that it keeps changes
 * made outside (docs/reliability.md#3.2).
 */
export interface WholeObject {
  /** Returns the arguments `api` and `current` of one call of the verb `update`. */
  begin(
    api: Api,
    address: Address,
  ): { readonly api: Api; readonly current: (endpoint: Endpoint) => Promise<never> };
  /** Returns the values that the API is expected to show: those that were sent, and the inputs. */
  expected(): Values;
  /** Returns the names of the fields with a change that was made outside and that the update kept. */
  kept(): readonly string[];
  /** Returns true once values for a request were prepared. */
  isUsed(): boolean;
}

/** An update of one object. */
interface WholeObjectUpdate {
  readonly prior: Values;
  readonly inputs: Values;
  /** Names of the fields that the plan changes. */
  readonly planned: ReadonlySet<string>;
  /** Names of the unreadable fields whose value is unknown since an import. */
  readonly unread: readonly string[];
  /** Time of the last write of the whole object, from the state, in ms since 1970. */
  readonly writtenAt: number | undefined;
}

/** Prepares an update. Sends no request until a verb calls `current`, which reads the object once. */
export function wholeObject(operation: Operation, update: WholeObjectUpdate): WholeObject {
  const { resource, session } = operation;
  const { inputs, prior, planned, unread } = update;
  const recorded = withRecordedTags(resource, prior);
  const wanted = withAllTags(resource, inputs, session.settings);
  const isPlanned = (name: string) => planned.has(name) || (name === "tags" && planned.has("tagsAll"));
  let kept: readonly string[] = [];
  let sent: Values | undefined;

  async function current(endpoint: Endpoint, address: Address): Promise<Values> {
    const unknown = endpoint.writes.filter((name) => unread.includes(name) && !planned.has(name));
    if (unknown.length > 0) throw unknownFields(unknown);
    const began = session.ports.clock.monotonic();
    const observed = await readAlone(operation, address, {
      recorded,
      names: endpoint.writes,
      spelling: { ...prior, ...inputs },
    });
    if (observed === undefined) throw notShown(endpoint);
    const isLate = mayBeOld(operation, update, address, began);
    const values = emptyRecord();
    const changed: string[] = [];
    for (const [name, field] of Object.entries(resource.fields)) {
      const { planned, sent } = valueToSend(field, {
        before: recorded[name] ?? null,
        after: wanted[name] ?? null,
        shown: isLate ? undefined : shownValue(field, observed[name]),
        isPlanned: isPlanned(name),
      });
      values[name] = sent;
      if (endpoint.writes.includes(name) && !sameValue(field, planned, sent)) changed.push(name);
    }
    kept = changed;
    sent = { ...sent, ...Object.fromEntries(endpoint.writes.map((name) => [name, values[name] ?? null])) };
    return values;
  }

  return {
    begin: (api, address) => guarded(api, (endpoint) => current(endpoint, address)),
    expected: () =>
      sent === undefined ? inputs : { ...inputs, ...withOwnTags(resource, sent, inputs, session.settings) },
    kept: () => kept,
    isUsed: () => sent !== undefined,
  };
}

/** Returns true if a read that began at this monotonic time in ms may show the object as it was before the last write. */
const mayBeOld = (
  operation: Operation,
  { writtenAt }: WholeObjectUpdate,
  { id }: Address,
  began: number,
): boolean =>
  isRecent(operation, id, began) ||
  ageOf(operation.session, { recorded: writtenAt }, began) < settleMs(operation.session);

/** Returns the planned value of a field, and the one to send, which keeps what was changed outside. */
function valueToSend(
  field: Field,
  {
    before,
    after,
    shown,
    isPlanned,
  }: {
    readonly before: Value;
    readonly after: Value;
    readonly shown: Value | undefined;
    readonly isPlanned: boolean;
  },
): { readonly planned: Value; readonly sent: Value } {
  const planned = isPlanned ? after : (after ?? before);
  if (shown === undefined || sameValue(field, planned, shown)) return { planned, sent: planned };
  return { planned, sent: isPlanned ? merged(field, { before, after, shown }) : shown };
}

/** Returns the inputs as the values of a create's later fields: the create has just set and read all others. */
export function newObject({ resource, session }: Operation, inputs: Values): WholeObject {
  const values = withAllTags(resource, inputs, session.settings);
  return {
    begin: (api) => guarded(api, async () => values),
    expected: () => inputs,
    kept: () => [],
    isUsed: () => false,
  };
}

/** Returns a client that refuses an endpoint which writes several fields until `current` has returned their values. */
function guarded(
  api: Api,
  values: (endpoint: Endpoint) => Promise<Values>,
): ReturnType<WholeObject["begin"]> {
  const ready = new Set<Endpoint>();
  return {
    async current(endpoint) {
      const found = await values(endpoint);
      ready.add(endpoint);
      return verbInputs(found);
    },
    api: {
      ...api,
      async send(endpoint, ...call) {
        if (endpoint.writes.length > 0 && !ready.has(endpoint as Endpoint))
          throw new Error(`${routeOf(endpoint as Endpoint)} needs the values of \`current\``);
        return api.send(endpoint, ...call);
      },
    },
  };
}

/** Returns the error of a change whose endpoint also writes fields that are not known. */
const unknownFields = (names: readonly string[]): InputError =>
  new InputError(
    names.map((name) => ({
      path: [name],
      problem: "is not known since the import: the API does not return it, and this change would remove it",
    })),
    [{ code: "set-fields", fields: names }],
  );

const routeOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

const notShown = (endpoint: Endpoint): CloudError =>
  new CloudError({
    failure: "rejected",
    route: routeOf(endpoint),
    reason: "the API does not show the object, so nothing was sent",
    status: 404,
  });

/** Returns the value in a response; undefined if the response lacks or masks it. Null means that none is set. */
function shownValue(field: Field, value: Value | undefined): Value | undefined {
  if (value === undefined || hasMask(value) || (value === null && isAlwaysShown(field))) return undefined;
  return value;
}

/**
 * Returns the value of a planned change: the entries of a map or of an unordered list that the plan does not change are
 * those that the API shows.
 */
function merged(
  field: Field,
  { before, after, shown }: { readonly before: Value; readonly after: Value; readonly shown: Value },
): Value {
  if (field.kind !== "field") return after;
  if (isRecord(shown) && (isRecord(before) || isRecord(after)))
    return mergedMap(isRecord(before) ? before : {}, isRecord(after) ? after : {}, shown);
  if (!field.options.unordered || !Array.isArray(shown) || !Array.isArray(after)) return after;
  const old = Array.isArray(before) ? before : [];
  const isIn = (list: readonly Value[], item: Value) =>
    list.some((other) => sameValue(field, [item], [other]));
  return [
    ...after.filter((item) => isIn(shown, item) || !isIn(old, item)),
    ...shown.filter((item) => !isIn(after, item) && !isIn(old, item)),
  ];
}

function mergedMap(before: Values, after: Values, shown: Values): Values {
  const spelled = spelledAs(shown, { ...before, ...after });
  const values = emptyRecord();
  for (const key of new Set([...Object.keys(after), ...Object.keys(before), ...Object.keys(spelled)])) {
    const value = equal(before[key] ?? null, after[key] ?? null) ? spelled[key] : after[key];
    if (value !== undefined) values[key] = value;
  }
  return values;
}
