import * as z from "zod/mini";
import { callOperation, type PreparedCall, prepareCall } from "../../library/call.ts";
import { mayHaveChanged } from "../../library/error.ts";
import { readsOf } from "../../library/reads.ts";
import type { Companion, CompanionRows, Reads } from "../../operation/destruction/declaration.ts";
import { destructionOf, effectOfCall, nameIn } from "../../operation/destruction/destruction.ts";
import { confirmationOf, confirmsByName } from "../../operation/destruction/identifier.ts";
import { type Effect, effectOf } from "../../operation/operation.ts";
import type { NamedOperation } from "../../operation/operations.ts";
import { secretParameters } from "../../operation/secret-field.ts";
import { CloudError, explain, InputError, isNotFound } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { readOnly, type Session } from "../../provider/engine/engine.ts";
import { type Found, messageOf, shownMessage, shownText } from "../object/data.ts";
import { escaped, type JsonObject } from "../text.ts";
import type { Call } from "../tool/tool.ts";
import {
  description,
  lossOf,
  lossText,
  type OperationFilter,
  operationList,
  quotedName,
  spelled,
  unknownOperation,
} from "./description.ts";
import { fingerprint } from "./fingerprint.ts";
import { offerOf, operationNamed } from "./offer.ts";
import { contentOf, fitting, identitiesOf } from "./row.ts";
import { withoutSecretFields } from "./secret-field.ts";
import { createWriter, type Sent } from "./writer.ts";

/** Operations of the API with one key, for the tools of a server that may change something. Only plain values leave this module. */

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

/** Maximum number of characters of a result, and of a name in a question. */
const [mostCharacters, longestName] = [200_000, 200];

/** Maximum number of characters of JSON of the object, of the request and of all that goes with it in a preview. */
const mostShown = 48_000;

/** Maximum number of parameters in a question, and of characters of an ID: the key of an object has up to 1,024. */
const [mostParameters, longestId] = [20, 1_100];

/** Companions of a destruction, or the reason why they could not be read. */
interface ReadCompanion {
  readonly about: string;
  /** True if an operation lists them. */
  readonly isListed: boolean;
  readonly found?: CompanionRows;
  readonly problem?: string;
}

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
    if (row === undefined) throw new RefusedError(unknownOperation(name));
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
    list: (filter) => ({ data: operationList(filter, settings) }),
    describe(name) {
      const row = operationNamed(name);
      return row === undefined
        ? { error: shownText(unknownOperation(name)) }
        : { data: structured(description(row, settings)) };
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
        const confirmations = [id, ...(name !== undefined && confirmsByName(name) ? [name] : [])];
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
      .map((line) => escaped(line.replaceAll(quotedName, "$1")))
      .join("\n");
  }
}

const again = "Call preview_destruction again, and look at its result. Nothing was sent.";

/** Schema of every response: one of another form than that of the table is returned as it is. */
const anyAnswer = z.unknown();

/** Returns the problems of parameters, each as a line. */
const problemText = ({ problems }: InputError): string =>
  problems
    .map(({ path, problem }) => [path.join("."), inWordsOf("pulumi", problem)].filter(Boolean).join(": "))
    .join("\n");

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
