import { randomUUID } from "node:crypto";
import { everything } from "../../account/filter.ts";
import { InventoryError, readInventory } from "../../account/inventory.ts";
import type { Given } from "../../provider/config/config.ts";
import { explain, FailedError, OperationError } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import type { ExplainedWarning } from "../../provider/core/warning.ts";
import { inWordsOf, type Text } from "../../provider/core/wording.ts";
import type { ImportTarget } from "../../provider/definition/import-id.ts";
import { listingParents, type Resource } from "../../provider/definition/resource.ts";
import { engine, openSession, readOnly, type Session } from "../../provider/engine/engine.ts";
import type { Ports } from "../../provider/platform/ports.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { resources } from "../../resources/index.ts";
import { credentialsIn } from "../key.ts";
import { type Operations, operationsIn } from "../operation/operations.ts";
import type { Json, JsonObject } from "../text.ts";
import type { Call } from "../tool/tool.ts";
import { type Found, messageOf, shownMessage, shownText, structured } from "./data.ts";
import { inputsIn, namesOf } from "./input.ts";
import { type Kind, kinds } from "./kind.ts";
import { problemText } from "./setting.ts";
import { writtenValues } from "./shape.ts";

/**
 * Look-ups of objects with one API key. The session sends reads only. Only plain values leave this module, since it is a part of the
 * program with classes of its own.
 */

export interface Objects {
  list(request: ListRequest, call: Call): Promise<Found>;
  get(request: ObjectRequest, call: Call): Promise<Found>;
  account(request: AccountRequest, call: Call): Promise<Found>;
  /** Returns true once the API has accepted the key. */
  isAccepted(): boolean;
  /** Operations of the API, if the server may change something. */
  readonly operations: Operations | undefined;
  /** Waits for the responses to the changes that were sent, and ends the session of the object storage. */
  close(): Promise<void>;
}

/** Rights of a server, and its log. */
export interface Rights {
  /** True if tools may change something. */
  readonly allowsWrites: boolean;
  log(line: string): void;
}

const noRights: Rights = { allowsWrites: false, log: () => {} };

export interface ObjectRequest {
  readonly kind: string;
  /** Attributes that select the objects, by their names in Terraform or Pulumi. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Paged {
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}

export interface ListRequest extends ObjectRequest, Paged {}

export interface AccountRequest extends Paged {
  readonly kinds: readonly string[];
  readonly vpcs: readonly string[];
  readonly names: readonly string[];
  readonly tags: readonly string[];
}

/** Default number of objects on a page, and its maximum size in bytes. */
const [usualLimit, mostBytes] = [50, 48_000];

/** Time in ms for which the rest of a list can be read, and the number of lists. */
const [restMs, mostLists] = [300_000, 8];

/** Session of the object storage that is never opened: opening one would end that of another program with the same access key. */
const noObjectSession: Session["objectSession"] = {
  async token() {
    throw new FailedError(
      "the objects of a bucket are shown in an object session only, which would end the one of another program with the same access key: start the server with --allow-writes, or use kcloud call",
    );
  },
  renew: () => false,
  async end() {},
};

/** Opens the look-ups with these settings; sends nothing. Returns the problem of a setting that is missing or invalid. */
export function openObjects(
  given: Given,
  rights: Rights = noRights,
  ports: Ports = realPorts,
): Objects | { readonly problem: string } {
  try {
    return objectsIn(readOnly(openSession(given, ports, undefined, "mcp")), credentialsIn(given), rights);
  } catch (error) {
    return { problem: problemText(error) };
  }
}

/** Returns the look-ups in a session. No result has the secrets. */
export function objectsIn(
  opened: Session,
  secrets: readonly string[],
  { allowsWrites, log }: Rights = noRights,
): Objects {
  const session = allowsWrites ? opened : { ...opened, objectSession: noObjectSession };
  const { ports } = session;
  // The session knows those with which it signs its requests.
  for (const secret of secrets) session.learn(secret);
  const { redact } = session;
  const operations = allowsWrites
    ? operationsIn(session, { structured: (values) => structured(values, redact), redact, log })
    : undefined;
  const lists = new Map<string, List>();
  const page = (list: List, from: number, limit = usualLimit): Found => {
    const objects: Json[] = [];
    let size = 0;
    for (const row of list.rows.slice(from, from + limit)) {
      size += JSON.stringify(row).length;
      if (size > mostBytes && objects.length > 0) break;
      objects.push(row);
    }
    const next = from + objects.length;
    const isLast = next >= list.rows.length;
    if (!isLast) remember(lists, list, ports.clock.monotonic());
    return {
      data: {
        ...list.about,
        count: list.rows.length,
        objects,
        ...(!isLast && { next_cursor: `${list.id}.${next}` }),
      },
    };
  };
  const rest = ({ cursor = "", limit }: Paged): Found => {
    const [, id = "", from = ""] = /^([\w-]+)\.(\d{1,9})$/.exec(cursor) ?? [];
    const list = lists.get(id);
    if (list === undefined || ports.clock.monotonic() - list.at > restMs)
      return { error: "The cursor is not valid, or no longer: call the tool again without it." };
    return page(list, Number(from), limit);
  };
  let isAccepted = false;
  const explained = async (work: () => Promise<Found>): Promise<Found> => {
    const found = await reporting(session, work);
    isAccepted ||= "data" in found;
    return "error" in found ? { error: shownText(found.error) } : { data: structured(found.data, redact) };
  };
  return {
    list: (request, call) =>
      explained(async () => {
        if (request.cursor !== undefined) return rest(request);
        const { kind } = request;
        const { all } = kindNamed(kind);
        if (all === undefined)
          return { error: `The API does not list objects of the kind ${kind}: use get_object.` };
        const { values, problems } = inputsIn(request.attributes, namesOf(all));
        if (problems !== "") return { error: problems };
        const answer = await engine.lookup(session, all, values, callOf(session, call));
        const result = writtenValues(all.fields, answer);
        const [name = "", rows = []] = Object.entries(result).find(([, value]) => Array.isArray(value)) ?? [];
        const { [name]: _, ...about } = result;
        return page(
          { id: randomUUID(), at: 0, about: { kind, ...about }, rows: rows as Json[] },
          0,
          request.limit,
        );
      }),
    get: ({ kind: name, attributes }, call) =>
      explained(async () => {
        const kind = kindNamed(name);
        const { one, resource } = kind;
        if (one !== undefined) {
          const { values, problems } = inputsIn(attributes, namesOf(one));
          if (problems !== "") return { error: problems };
          const answer = await engine.lookup(session, one, values, callOf(session, call));
          return { data: { kind: name, object: writtenValues(one.fields, answer) } };
        }
        if (resource === undefined || !kind.isRead) return { error: unreadable(kind) };
        const target = targetOf(resource, attributes);
        if ("error" in target) return target;
        const { id = target.id, values } = await engine.import(
          session,
          resource,
          target,
          callOf(session, call),
        );
        return { data: { kind: name, object: { id, ...writtenValues(resource.fields, values) } } };
      }),
    account: (request, call) =>
      explained(async () => {
        if (request.cursor !== undefined) return rest(request);
        const { vpcs, names, tags } = request;
        const inventory = await readInventory(session, {
          resources,
          filter: { ...everything, kinds: request.kinds, vpcs, names, tags },
          stop: call.signal,
          report: ({ listings, objects }) =>
            call.report(`${listings.done} of ${listings.known} listings, ${objects} objects`, {
              done: listings.done,
            }),
        });
        const rows = inventory.objects.map(({ resource, id, name: called, region, parents }) => ({
          kind: resource.name,
          id,
          ...(called !== id && { name: called }),
          ...(region && { region }),
          ...writtenValues(resource.fields, placeOf(resource, parents)),
        }));
        const gaps = inventory.gaps.map(({ kind, scope, reason, isIncomplete }) => ({
          kind,
          ...(scope !== undefined && { of: scope }),
          reason: inWordsOf("terraform", reason),
          may_lack_objects: isIncomplete,
        }));
        return page({ id: randomUUID(), at: 0, about: { not_read: gaps }, rows }, 0, request.limit);
      }),
    isAccepted: () => isAccepted,
    operations,
    async close() {
      await operations?.settled();
      await session.objectSession.end();
    },
  };
}

/** Returns the attributes with which `get_object` finds an object by its ID. */
function placeOf({ name }: Resource, parents: Values): Values {
  const { one } = kindNamed(name);
  if (one === undefined) return parents;
  const { required } = namesOf(one);
  return Object.fromEntries(Object.entries(parents).filter(([parent]) => required.includes(parent)));
}

/** List of which pages are read. */
interface List {
  readonly id: string;
  readonly at: number;
  readonly about: JsonObject;
  readonly rows: readonly Json[];
}

/** Keeps a list for its next pages, and removes the oldest one if there are too many. */
function remember(lists: Map<string, List>, list: List, now: number): void {
  lists.delete(list.id);
  lists.set(list.id, { ...list, at: now });
  const [oldest] = lists.keys();
  if (lists.size > mostLists && oldest !== undefined) lists.delete(oldest);
}

function kindNamed(name: string): Kind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new TypeError(`no kind ${name}`);
  return kind;
}

const unreadable = ({ name, all }: Kind): string =>
  all === undefined
    ? `The API shows no objects of the kind ${name}.`
    : `The API shows objects of the kind ${name} only in a list: use list_objects.`;

/** Maximum length of a message in characters. */
const longestMessage = 500;

/** Returns the arguments of an operation of the engine. */
const callOf = ({ redact }: Session, { signal, report, log }: Call) => ({
  stop: signal,
  report: (status: Text) => report(shownMessage(inWordsOf("terraform", status), redact, longestMessage)),
  warn: ({ summary, detail }: ExplainedWarning) => {
    const text = `${inWordsOf("terraform", summary)}: ${inWordsOf("terraform", detail)}`;
    log("warning", shownMessage(text, redact, longestMessage));
  },
});

/** Returns the object to read by its ID, its parents and its region. */
function targetOf(
  resource: Resource,
  attributes: ObjectRequest["attributes"],
): ImportTarget | { readonly error: string } {
  const required = ["id", ...new Set([...(resource.parents ?? []), ...listingParents(resource)])];
  const optional = resource.regional === false ? [] : ["region"];
  const { values, problems } = inputsIn(attributes, { required, optional });
  if (problems !== "") return { error: problems };
  const { id, region, ...parents } = values;
  return {
    id: String(id),
    region: region === undefined ? undefined : String(region),
    values: Object.fromEntries(Object.entries(parents).map(([name, value]) => [name, String(value)])),
  };
}

/** Runs a look-up. Returns the text of an error, which names the reason and the next step. */
async function reporting(session: Session, work: () => Promise<Found>): Promise<Found> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InventoryError) return { error: messageOf([error.message], session.redact) };
    const { summary, detail } = explain(error);
    const isStopped = error instanceof OperationError && /^Stopped/.test(summary);
    return { error: messageOf(isStopped ? [summary] : [summary, detail], session.redact) };
  }
}
