import * as z from "zod/mini";
import { callOperation, type PreparedCall, prepareCall } from "../../library/call.ts";
import { mayHaveChanged } from "../../library/error.ts";
import { readsOf } from "../../library/reads.ts";
import type {
  Companion,
  CompanionRows,
  Destruction,
  Reads,
} from "../../operation/destruction/declaration.ts";
import {
  destructionOf,
  effectOfCall,
  nameIn,
  possibleEffect,
} from "../../operation/destruction/destruction.ts";
import { confirmationOf } from "../../operation/destruction/identifier.ts";
import { restorable } from "../../operation/destruction/table.ts";
import { type Effect, effectOf } from "../../operation/operation.ts";
import { allOperations, type NamedOperation } from "../../operation/operations.ts";
import { parameterSchema } from "../../operation/schema.ts";
import { secretParameters } from "../../operation/secret-field.ts";
import { CloudError, explain, InputError, isNotFound } from "../../provider/core/error.ts";
import { isMasked } from "../../provider/core/krn.ts";
import { didYouMean, nearest } from "../../provider/core/string.ts";
import type { Value, Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { readOnly, type Session } from "../../provider/engine/engine.ts";
import { type Found, messageOf, shownMessage, shownText } from "../object/data.ts";
import { escaped, type JsonObject } from "../text.ts";
import type { Call } from "../tool/tool.ts";
import { fingerprint } from "./fingerprint.ts";
import { type OfferSettings, offerOf, operationNamed } from "./offer.ts";
import { withoutSecretFields } from "./secret-field.ts";
import { createWriter, type Sent } from "./writer.ts";

/** Operations of the API with one key, for the tools of a server that may change something. Only plain values leave this module. */

export interface OperationFilter {
  readonly text: string | undefined;
  readonly area: string | undefined;
  readonly effect: string | undefined;
}

/** Call of an operation. */
export interface OperationCall {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Record of a preview: digests of the request and of the object, and the texts by which a person confirms. */
export interface PreviewRecord {
  readonly request: string;
  readonly object: string;
  /** ID of the object, and its name if it has one. */
  readonly confirmations: readonly string[];
  /** Text of the question about the destruction. */
  readonly about: string;
  /** Companions that could not be read, with the reasons. */
  readonly unread?: readonly string[];
}

/** Preview of a destruction. */
export type Preview =
  | { readonly data: JsonObject; readonly record: PreviewRecord }
  | { readonly error: string };

export interface Operations {
  list(filter: OperationFilter): Found;
  describe(name: string): Found;
  read(call: OperationCall, context: Call): Promise<Found>;
  change(call: OperationCall, context: Call): Promise<Found>;
  preview(call: OperationCall, context: Call): Promise<Preview>;
  /** Returns the digest of the request of a call, which sends nothing. */
  requestOf(call: OperationCall): Promise<{ readonly request: string } | { readonly error: string }>;
  /** Reads the object again and, if it is equal to that of the preview, sends the request. */
  destroy(call: OperationCall, record: PreviewRecord, context: Call): Promise<Found>;
  /** Waits for the responses to the requests that were sent. */
  settled(): Promise<void>;
}

/** Error whose text is for the client. */
class RefusedError extends Error {}

/** Maximum number of objects that a preview names of each companion, and of characters of a result and of a name in a question. */
const [mostNamed, mostCharacters, longestName] = [50, 200_000, 200];

/** Maximum number of characters of JSON of the object, of the request and of all that goes with it in a preview, and of one of these. */
const [mostShown, mostOfRow] = [48_000, 2_000];

/** Maximum number of parameters in a question, and of characters of an ID: the key of an object has up to 1,024. */
const [mostParameters, longestId] = [20, 1_100];

/** Matches the quoted names of parameters and operations in the texts of the table. */
const codeQuotes = /`([A-Za-z_]+)`/g;

/** Companions of a destruction, or the reason why they could not be read. */
interface ReadCompanion {
  readonly about: string;
  /** True if an operation lists them. */
  readonly isListed: boolean;
  readonly found?: CompanionRows;
  readonly problem?: string;
}

/** Minimum length of a name that confirms, in characters: a shorter one may be typed by mistake. */
const shortestName = 4;

/** Returns true for a name that confirms a destruction: one that is no answer to a question of yes or no. */
const confirms = (name: string): boolean =>
  name.trim().length >= shortestName &&
  !/^(yes|no|ok(ay)?|true|false|confirm(ed)?|sure|delete)$/i.test(name.trim());

/** Fields that identify an object in a row, in the order of their precedence. */
const idFields = ["krn", "krn_id", "krnid", "port_id", "floating_ip_krn", "id", "_id", "key", "template_krn"];

/** Matches the names of parameters in a text of the table. */
const named = /`(\w+)`/g;

const names = new Map(allOperations().map(({ method, name }) => [method, name]));

/** Returns a text of the table, which has the names of the client, with the names of operations. */
const spelled = (text: string): string => text.replace(named, (code, method) => names.get(method) ?? code);

/** Returns the operations in a session. `redact` removes secrets from texts. */
export function operationsIn(
  session: Session,
  {
    structured,
    redact,
    log,
  }: {
    readonly structured: (values: object) => JsonObject;
    readonly redact: (text: string) => string;
    readonly log: (line: string) => void;
  },
): Operations {
  const client = readOnly(session);
  const writer = createWriter({ client, log: (line) => log(redact(line)) });
  const { otpCommand, oneTimePassword, otpRequired } = session.settings;
  const settings = {
    hasPasswords: otpCommand !== undefined || oneTimePassword !== undefined || !otpRequired,
  };
  const shown = (values: object): JsonObject => structured(withoutSecretFields(values));

  /** Returns an operation that is offered for an effect. Throws `RefusedError`. */
  function offered(name: string): NamedOperation {
    const row = operationNamed(name);
    if (row === undefined) {
      const close = nearest(name.slice(0, 80), [...names.values()]);
      throw new RefusedError(
        `Unknown operation ${JSON.stringify(name.slice(0, 80))}${didYouMean(close)} (list_operations lists them)`,
      );
    }
    const offer = offerOf(row, settings);
    if ("reason" in offer) throw new RefusedError(`${row.name} is not offered: ${offer.reason}`);
    return row;
  }

  /** Checks a call. Throws `RefusedError`, or `InputError` with all problems. */
  async function prepared({ operation: name, parameters }: OperationCall): Promise<{
    readonly row: NamedOperation;
    readonly call: PreparedCall;
    readonly effect: Effect;
  }> {
    const row = offered(name);
    const secret = secretParameters(row).filter((parameter) => Object.hasOwn(parameters, parameter));
    if (secret.length > 0)
      throw new RefusedError(`${secret.join(", ")}: a secret is no parameter of a tool. Nothing was sent.`);
    const operation = { ...row.operation, answer: row.operation.answer && anyAnswer };
    const call = await prepareCall(client, operation, parameters);
    for (const value of Object.values(call.request.path ?? {}))
      if (["", ".", ".."].includes(value)) throw new RefusedError("An ID must not be empty, . or ..");
    return { row, call, effect: effectOfCall(row, call.inputs) };
  }

  const requestDigest = ({ name }: NamedOperation, { region, inputs, request }: PreparedCall): string =>
    fingerprint([name, region, inputs, request]);

  /** Reads the object of a destruction with its companions, and returns their digest. Throws `RefusedError`. */
  async function readTarget(row: NamedOperation, { inputs, region }: PreparedCall, { signal }: Call) {
    const destruction = destructionOf(row.name);
    if (destruction === undefined || typeof destruction.object !== "function")
      throw new RefusedError(`${row.name} is not offered`);
    const responses = new WeakSet<object>();
    const reads = noting(readsOf(client, { signal, timeoutMs: 60_000 }), responses);
    const args = region === "" ? inputs : { ...inputs, region };
    let object: unknown;
    try {
      object = await destruction.object(args, reads);
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isNotFound(error)) throw new RefusedError(`The object could not be read: ${textOfError(error)}`);
    }
    if (object === undefined || object === null)
      throw new RefusedError("The object was not found: it may be gone, or in another region or VPC.");
    const companions = await Promise.all(
      (destruction.companions ?? []).map((companion) =>
        companionsOf(companion, { args, reads, object, signal }),
      ),
    );
    const identities = companions.map(({ found, problem }) =>
      found === undefined
        ? problem
        : [found.rows, found.uncertain ?? []].map((rows) => rows.map(contentOf).toSorted()),
    );
    return {
      object,
      companions,
      unread: companions.flatMap(({ about, problem, isListed }) =>
        isListed && problem !== undefined ? [`${about} (${problem})`] : [],
      ),
      digest: fingerprint([fingerprint(object, destruction.volatile, responses), identities]),
    };
  }

  /** Reads companions. A 404 proves nothing: a listing that lags behind answers with it, too. */
  async function companionsOf(
    { about, read }: Companion,
    {
      args,
      reads,
      object,
      signal,
    }: {
      readonly args: Values;
      readonly reads: Reads;
      readonly object: unknown;
      readonly signal: AbortSignal;
    },
  ): Promise<ReadCompanion> {
    if (read === undefined) return { about, isListed: false, problem: "no operation lists them" };
    try {
      return { about, isListed: true, found: await read(args, reads, object) };
    } catch (error) {
      if (signal.aborted) throw error;
      return { about, isListed: true, problem: textOfError(error) };
    }
  }

  const textOfError = (error: unknown): string => {
    const { summary, detail } = explain(error, "pulumi");
    return messageOf([summary, detail], redact);
  };

  /** Runs a call. Returns the text of an error, with the next step. */
  async function explained<T>(work: () => Promise<T>): Promise<T | { readonly error: string }> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RefusedError) return { error: shownText(redact(error.message)) };
      if (error instanceof InputError)
        return { error: shownMessage(`${problemText(error)}\nNothing was sent.`, redact) };
      return { error: textOfError(error) };
    }
  }

  /** Returns the result of a request. */
  function resultOf({ name, operation }: NamedOperation, sent: Sent): Found {
    if ("answer" in sent) {
      const accepted = (response: unknown): Found => ({
        data: shown({ operation: name, result: "accepted", response }),
      });
      try {
        const response = sent.answer ?? null;
        const isLarge = (JSON.stringify(response)?.length ?? 0) > mostCharacters;
        return accepted(isLarge ? "(too large)" : response);
      } catch (error) {
        // The request was executed, whatever its response is.
        if (error instanceof RangeError) return accepted("(nested too deeply)");
        throw error;
      }
    }
    const { error, isSent } = sent;
    const isUnclear = error instanceof CloudError ? mayHaveChanged(error, operation) : isSent;
    const next = isUnclear
      ? `${name} may have been executed: read the object, for example with list_objects, before you call it again. A repetition could execute it twice.`
      : error instanceof CloudError && error.failure !== "unsent"
        ? "Nothing was changed."
        : "Nothing was sent.";
    return { error: `${textOfError(error)}\n${next}` };
  }

  return {
    list({ text, area, effect }) {
      if (text === undefined && area === undefined && effect === undefined)
        return { data: overview(settings) };
      const wanted = (text ?? "").toLowerCase();
      const rows = allOperations().flatMap((row) => {
        const offer = offerOf(row, settings);
        const listed = {
          ...{ operation: row.name, area: row.area, effect: possibleEffect(row) },
          ...(row.operation.endpoint.semantics === "metered" && { is_billed: true }),
          about: spelled(row.operation.about),
          ...("reason" in offer ? { not_offered: offer.reason } : { tools: [...offer.tools] }),
        };
        if (area !== undefined && area !== row.area) return [];
        if (effect !== undefined && !listed.effect.includes(effect)) return [];
        const isFound = [listed.operation, listed.area, listed.about].some((part) =>
          part.toLowerCase().includes(wanted),
        );
        return isFound ? [listed] : [];
      });
      return { data: { count: rows.length, operations: rows } };
    },
    describe(name) {
      const row = operationNamed(name);
      if (row === undefined)
        return {
          error: `Unknown operation ${JSON.stringify(shownText(name.slice(0, 80)))}${didYouMean(nearest(name.slice(0, 80), [...names.values()]))} (list_operations lists them)`,
        };
      return { data: description(row) };
    },
    read: (request, { signal }) =>
      explained(async (): Promise<Found> => {
        const { row } = await prepared(request);
        if (effectOf(row.operation) !== "reads")
          throw new RefusedError(`${row.name} is no read. Nothing was sent.`);
        const operation = { ...row.operation, answer: row.operation.answer && anyAnswer };
        const response = await callOperation(client, operation, request.parameters, {
          signal,
          timeoutMs: 120_000,
        });
        if ((JSON.stringify(response)?.length ?? 0) > mostCharacters)
          throw new RefusedError(
            `The response has more than ${mostCharacters} characters: read a page with fewer rows, or use list_objects.`,
          );
        return { data: shown({ operation: row.name, response: response ?? null }) };
      }),
    change: (request, { signal }) =>
      explained(async (): Promise<Found> => {
        const { row, call, effect } = await prepared(request);
        if (effect === "reads")
          throw new RefusedError(`${row.name} only reads: use read_operation. Nothing was sent.`);
        if (effect === "destroys")
          throw new RefusedError(
            `${row.name} destroys${lossText(row.name)}: call preview_destruction, then destroy with its digest. Nothing was sent.`,
          );
        return resultOf(row, await writer.send(row.name, call, signal));
      }),
    preview: (request, context) =>
      explained(async (): Promise<Preview> => {
        const { row, call, effect } = await prepared(request);
        if (effect !== "destroys")
          throw new RefusedError(
            `${row.name} destroys nothing with these parameters: use ${effect === "reads" ? "read_operation" : "change"}.`,
          );
        const { object, companions, unread, digest } = await readTarget(row, call, context);
        const id = confirmationOf(row, call.inputs);
        // A name that contains a secret is not shown, and confirms nothing.
        const named = nameIn(object);
        const name = named === undefined || redact(named) !== named ? undefined : named;
        const data = shown({
          operation: row.name,
          about: spelled(row.operation.about),
          ...lossOf(row.name),
          request: fitting({ path: row.operation.endpoint.path, ...call.inputs }, mostShown),
          object: fitting(object, mostShown),
          goes_with_it: companions.flatMap(({ about, found }) => {
            if (found === undefined) return [];
            const { rows, uncertain = [], hasMore = false } = found;
            const all = [...rows, ...uncertain];
            return [
              {
                ...{ about, count: all.length },
                ...(uncertain.length > 0 && { may_belong_to_it: uncertain.length }),
                ...(hasMore && { may_have_more: true }),
                objects: identitiesOf(all, mostShown / companions.length),
              },
            ];
          }),
          not_read: companions.flatMap(({ about, problem, isListed }) =>
            problem === undefined
              ? []
              : [{ about, reason: problem, ...(isListed && { prevents_destroy: true }) }],
          ),
        });
        const confirmations = [id, ...(name !== undefined && confirms(name) ? [name] : [])];
        const about = questionOf({ row, inputs: call.inputs, id, name, companions });
        return {
          data,
          record: { request: requestDigest(row, call), object: digest, confirmations, about, unread },
        };
      }),
    requestOf: (request) =>
      explained(async () => {
        const { row, call } = await prepared(request);
        return { request: requestDigest(row, call) };
      }),
    destroy: (request, record, context) =>
      explained(async (): Promise<Found> => {
        const { row, call, effect } = await prepared(request);
        if (effect !== "destroys" || requestDigest(row, call) !== record.request)
          throw new RefusedError(`The digest is that of another operation or of other parameters. ${again}`);
        const { unread: before = [] } = record;
        if (before.length > 0)
          throw new RefusedError(`At the preview, this could not be read: ${before.join("; ")}. ${again}`);
        // A command that returns a one-time password takes time, in which the object may change.
        const ready = await writer.ready(call, context.signal);
        let digest: string;
        let unread: readonly string[];
        try {
          ({ digest, unread } = await readTarget(row, call, context));
        } catch (error) {
          if (!(error instanceof RefusedError)) throw error;
          throw new RefusedError(`${error.message} ${again}`);
        }
        if (unread.length > 0)
          throw new RefusedError(`This could not be read: ${unread.join("; ")}. ${again}`);
        if (digest !== record.object)
          throw new RefusedError(
            `The object, or an object that goes with it, has changed since its preview. ${again}`,
          );
        return resultOf(row, await writer.send(row.name, ready, context.signal));
      }),
    settled: () => writer.settled(),
  };

  /** Returns the question about a destruction: what is sent, and what is lost. Each text of the cloud or of the agent is on a line of its own. */
  function questionOf({
    row,
    inputs,
    id,
    name,
    companions,
  }: {
    readonly row: NamedOperation;
    readonly inputs: Values;
    readonly id: string;
    readonly name: string | undefined;
    readonly companions: readonly ReadCompanion[];
  }): string {
    const secret = secretParameters(row);
    const quoted = (value: unknown, longest: number) =>
      JSON.stringify(
        typeof value === "string" ? shownMessage(value, redact, longest) : withoutSecretFields(value),
      );
    const title = name === undefined ? "" : `, named ${quoted(name, longestName)}`;
    const object = `Object: ${JSON.stringify(shownText(redact(id), longestId))}${title}.`;
    const parameters = Object.entries(inputs).flatMap(([parameter, value]) =>
      value === undefined || value === null || value === id || secret.includes(parameter)
        ? []
        : [`${parameter}: ${shownMessage(quoted(value, longestName), redact, longestName + 50)}`],
    );
    const more = parameters.length - mostParameters;
    const losses = companions.flatMap(({ about, found, problem, isListed }) => {
      if (found === undefined)
        return isListed ? [`not read: ${about} (${shownText(problem ?? "", longestName)})`] : [];
      const [certain, uncertain] = [found.rows.length, found.uncertain?.length ?? 0];
      if (certain + uncertain === 0) return [];
      const perhaps = uncertain === 0 ? "" : `, of which ${uncertain} may not belong to it`;
      const least = found.hasMore === true ? "at least " : "";
      return [`goes with it: ${least}${certain + uncertain} of ${about}${perhaps}`];
    });
    return [
      `${row.name}: ${spelled(row.operation.about)}${lossText(row.name)} ${object}`,
      ...parameters.slice(0, mostParameters),
      ...(more > 0 ? [`(${more} more parameters)`] : []),
      ...losses,
    ]
      .map((line) => escaped(line.replaceAll(codeQuotes, "$1")))
      .join("\n");
  }

  function description(row: NamedOperation): JsonObject {
    const { name, operation, area } = row;
    const { endpoint, about, section, listing } = operation;
    const schema = parameterSchema(operation);
    const secret = secretParameters(row);
    const properties = Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([parameter]) => !secret.includes(parameter))
        .map(([parameter, { description: text = "", ...rest }]) => [
          parameter,
          { ...rest, ...(text !== "" && { description: spelled(text) }) },
        ]),
    );
    const offer = offerOf(row, settings);
    return structured({
      operation: name,
      area,
      about: spelled(about),
      effect: possibleEffect(row),
      ...("reason" in offer ? { not_offered: offer.reason } : { tools: offer.tools }),
      ...(endpoint.semantics === "metered" && { is_billed: true, billing: "Each call is billed." }),
      request: `${endpoint.method} ${endpoint.path}`,
      section: `docs/contract.md#${section}`,
      parameters: { ...schema, properties },
      ...(secret.length > 0 && { not_parameters: secret.map((parameter) => `${parameter}: a secret`) }),
      ...(listing !== undefined && { is_listing: true }),
      ...lossOf(name),
      ...(restorable[name] !== undefined && { not_lost: restorable[name] }),
    });
  }
}

/** Returns the names of all operations, by area and effect. */
function overview(settings: OfferSettings): JsonObject {
  const rows = allOperations();
  const areas = Map.groupBy(rows, ({ area }) => area);
  return {
    count: rows.length,
    areas: Object.fromEntries(
      [...areas].map(([area, some]) => {
        const offered = some.filter((row) => "tools" in offerOf(row, settings));
        const others = some.filter((row) => !offered.includes(row)).map(({ name }) => name);
        const groups = [...Map.groupBy(offered, possibleEffect)].map(([effect, each]) => [
          effect,
          each.map(({ name }) => name),
        ]);
        return [area, { ...Object.fromEntries(groups), ...(others.length > 0 && { not_offered: others }) }];
      }),
    ),
    next: "list_operations with an area, a text or an effect describes them, and has the reasons.",
  };
}

const again = "Call preview_destruction again, and look at its result. Nothing was sent.";

/** Schema of every response: one of another form than that of the table is returned as it is. */
const anyAnswer = z.unknown();

/** Returns the problems of parameters, each as a line. */
const problemText = ({ problems }: InputError): string =>
  problems
    .map(({ path, problem }) => [path.join("."), inWordsOf("pulumi", problem)].filter(Boolean).join(": "))
    .join("\n");

/** Returns the sentence about what is lost, in a sentence; empty if the one of the operation has it. */
function lossText(name: string): string {
  const { about, when } = destructionOf(name) ?? {};
  const text = when?.about ?? about;
  return text === undefined ? "" : ` (${text.replace(/\.$/, "")})`;
}

/** Returns the declared loss of an operation. */
function lossOf(name: string): { readonly loss?: object } {
  const destruction: Destruction | undefined = destructionOf(name);
  if (destruction === undefined) return {};
  const { about, when, companions = [], volatile = [], object } = destruction;
  const loss = {
    ...(when === undefined ? {} : { with_some_parameters: when.about }),
    ...(about === undefined ? {} : { about }),
    ...(typeof object === "string" ? { not_readable: object } : {}),
    ...(companions.length > 0 && { may_go_with_it: companions.map((companion) => companion.about) }),
    ...(volatile.length > 0 && { not_compared: volatile }),
  };
  return Object.keys(loss).length > 0 ? { loss } : {};
}

/** Returns reads that add each response to a set. */
function noting(reads: Reads, responses: WeakSet<object>): Reads {
  const noted = async (pending: Promise<unknown>) => {
    const response = await pending;
    if (typeof response === "object" && response !== null) responses.add(response);
    return response;
  };
  return {
    ...reads,
    one: (operation, args) => noted(reads.one(operation, args)),
    find: (operation, args) => noted(reads.find(operation, args)),
  };
}

/** Fields of a row that differ when its content differs, although its ID does not. */
const contentFields = [
  ...["size", "Size", "size_bytes", "etag", "lastModified", "last_modified", "updated_at", "updatedAt"],
  ...["versionId", "checksum"],
];

/** Returns the digest of the ID of a row with the fields that show its content; of the whole row if it has no ID. */
function contentOf(row: unknown): string {
  if (typeof row !== "object" || row === null) return fingerprint(row);
  const record = row as { readonly [field: string]: Value };
  const id = idFields
    .map((field) => record[field])
    .find((value) => typeof value === "string" && value !== "");
  // A masked ID can be that of several objects.
  const isKnown = typeof id === "string" && !isMasked(id);
  return fingerprint(isKnown ? [id, contentFields.map((field) => record[field] ?? null)] : row);
}

/** Returns a value that is at most `most` characters of JSON long: parts that do not fit are replaced by their lengths. */
function fitting(value: unknown, most: number): unknown {
  const lengthOf = (part: unknown) => JSON.stringify(part)?.length ?? 0;
  if (lengthOf(value) <= most) return value;
  const note = (part: unknown) => `(not shown: ${lengthOf(part)} characters)`;
  if (typeof value !== "object" || value === null) return note(value);
  let left = most;
  const cut = (part: unknown): unknown => {
    left -= lengthOf(part) + 4;
    if (left >= 0) return part;
    left += lengthOf(part);
    return note(part);
  };
  const entries = Object.entries(value).slice(0, mostFields);
  const parts = entries.map(([name, part]) => [name.slice(0, longestName), cut(part)] as const);
  const more = Object.keys(value).length - entries.length;
  return {
    ...Object.fromEntries(parts),
    ...(more > 0 && { more_fields: more }),
    is_cut: `Only ${most} characters are shown. The digest covers all.`,
  };
}

/** Returns the identities of the first rows, as many as fit into `most` characters of JSON. */
function identitiesOf(rows: readonly unknown[], most: number): readonly unknown[] {
  let left = most;
  return rows
    .slice(0, mostNamed)
    .map((row) => fitting(identityOf(row), mostOfRow))
    .filter((identity) => {
      left -= JSON.stringify(identity)?.length ?? 0;
      return left >= 0;
    });
}

/** Maximum number of fields of an object that does not fit into a preview. */
const mostFields = 100;

/** Returns ID, name and status of a row. */
function identityOf(row: unknown): unknown {
  if (typeof row !== "object" || row === null) return row;
  const record = row as { readonly [field: string]: unknown };
  const id = idFields
    .map((field) => record[field])
    .find((value) => typeof value === "string" && value !== "");
  const name = nameIn(row);
  if (id === undefined) return row;
  return {
    id,
    ...(name !== undefined && { name }),
    ...(typeof record.status === "string" && { status: record.status }),
  };
}
