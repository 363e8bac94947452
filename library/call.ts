import { type Operation, parametersOf } from "../operation/operation.ts";
import { type Client, createApi, redactor } from "../provider/client/client.ts";
import { checkSettings, missingProblem } from "../provider/config/config.ts";
import { CloudError, ConfigError, InputError, type Problem, StopError } from "../provider/core/error.ts";
import { fullRegionOf, spellRegion } from "../provider/core/krn.ts";
import { memoize } from "../provider/core/memoize.ts";
import { isRecord, type Values } from "../provider/core/value.ts";
import type { Api, ApiCall, RequestTracker } from "../provider/definition/api.ts";
import { check } from "../provider/definition/check.ts";
import type { Content } from "../provider/definition/content.ts";
import type { Endpoint } from "../provider/definition/endpoint.ts";
import { type Fields, referenceNames } from "../provider/definition/field.ts";
import { secretsIn } from "../provider/definition/secret.ts";
import { verbInputs } from "../provider/definition/verb-inputs.ts";
import { onAbort } from "../provider/platform/abort.ts";
import { contentOf } from "./content.ts";
import type { CallOptions } from "./option.ts";

/** Calls of operations: the check of the arguments, the request, and the limits of time. */

/** Call with checked arguments. */
export interface PreparedCall {
  readonly endpoint: Endpoint;
  readonly request: ApiCall;
  readonly region: string;
  /** Arguments with defaults. */
  readonly inputs: Values;
  readonly content: Content | undefined;
}

/** Checks the arguments and returns the request, without sending it. Throws `InputError` with all problems. */
export async function prepareCall(
  client: Client,
  operation: Operation,
  written: unknown = {},
): Promise<PreparedCall> {
  const { fields, rules, content: contentAbout } = operation;
  if (typeof written !== "object" || !isRecord(written as Values))
    throw new InputError([{ path: [], problem: "the arguments must be an object" }]);
  const { content: source, ...rest } = written as Values;
  const plain = contentAbout === undefined && source !== undefined ? (written as Values) : rest;
  const { inputs, problems } = check({ fields, rules }, plain);
  const [content, wrong] = contentAbout === undefined ? [undefined, []] : await contentOf(source);
  const all: Problem[] = [...problems, ...wrong];
  const region = parametersOf(operation).includes("region") ? regionOf(client, operation, inputs, all) : "";
  if (all.length > 0) throw new InputError(all);
  const { settings } = client;
  const context = {
    switches: settings.switches,
    account: settings.accountId,
    customer: client.owner.customer(),
    region,
    content,
  };
  // The region is part of the context: an endpoint sends it as a header, or the operation in its path or body.
  const { region: _, ...parameters } = inputs;
  return {
    endpoint: endpointOf(operation, operation.path(context)),
    request: operation.request(verbInputs(parameters), context),
    region,
    inputs,
    content,
  };
}

/** Returns the endpoint of an operation with the schema and the secrets of its row. */
const endpointIn = memoize(
  ({ endpoint, answer, secrets }: Operation): Endpoint => ({
    ...endpoint,
    answer,
    secrets,
  }),
);

/** Returns the endpoint of an operation at a path, which a setting may change. */
function endpointOf(operation: Operation, path: string): Endpoint {
  const endpoint = endpointIn(operation);
  return endpoint.path === path ? endpoint : { ...endpoint, path };
}

/**
 * Returns the region: the given one, otherwise that of an ID of another object, otherwise that of the client. Throws `ConfigError` if there
 * is none; adds a problem for an invalid one.
 */
function regionOf({ settings }: Client, { fields }: Operation, inputs: Values, problems: Problem[]): string {
  const decided = inputs.region ?? regionIn(referenceNames(fields), inputs) ?? settings.region;
  if (typeof decided !== "string" || decided === "") {
    if (problems.length > 0) return "";
    throw new ConfigError([missingProblem.region]);
  }
  const region = spellRegion(decided);
  if (region !== settings.region) problems.push(...checkSettings({ region }));
  return region;
}

/** Returns the region in the first of these IDs that has one. */
function regionIn(names: readonly string[], inputs: Values): string | undefined {
  for (const name of names) {
    const id = inputs[name];
    const region = typeof id === "string" ? fullRegionOf(id) : undefined;
    if (region !== undefined) return region;
  }
  return undefined;
}

/** Returns true if a field, or a field in a group, is secret. */
const hasSecret = memoize((fields: Fields): boolean =>
  Object.values(fields).some((field) =>
    field.kind === "group" ? hasSecret(field.fields) : field.options.secret === true,
  ),
);

/** Returns a client that also redacts the secrets of these arguments from every text, since the API may quote them. */
export function withRedaction(client: Client, { fields }: Operation, inputs: Values): Client {
  if (!hasSecret(fields)) return client;
  let redact: ((text: string) => string) | undefined;
  return {
    ...client,
    redact(text) {
      redact ??= redactor(secretsIn(fields, inputs));
      return redact(client.redact(text));
    },
  };
}

/** Signal of calls without a limit. */
const never = new AbortController().signal;

/** Returns the signal of a call, and a function that ends its timer. */
function limited(client: Client, { signal, timeoutMs }: CallOptions): readonly [AbortSignal, () => void] {
  if (timeoutMs === undefined) return [signal ?? never, () => {}];
  const limit = new AbortController();
  const over = new AbortController();
  const unlink = signal === undefined ? () => {} : onAbort(signal, (reason) => limit.abort(reason));
  client.ports.clock.sleep(timeoutMs, over.signal).then(
    () => limit.abort(new StopError("deadline", timeoutMs / 1000)),
    () => {},
  );
  const end = () => {
    unlink();
    over.abort("over");
  };
  return [limit.signal, end];
}

/** Runs work with an `Api` that ends with the signal of the caller and the time limit. */
export async function withApi<T>(
  client: Client,
  region: string,
  options: CallOptions,
  work: (api: Api, limit: AbortSignal) => Promise<T>,
  route: string,
): Promise<T> {
  const [limit, end] = limited(client, options);
  // A create is repeated after a 429 or a 404 only after a search (docs/reliability.md#3.2), which is up to the caller.
  const tracker: RequestTracker = { sent: false, searches: true };
  try {
    limit.throwIfAborted();
    return await work(createApi(client, { region, signal: limit, tracker }), limit);
  } catch (error) {
    if (!limit.aborted || error !== limit.reason || !tracker.sent) throw error;
    const reason = "the call ended after the request was sent, and before its response";
    throw Object.assign(new CloudError({ failure: "ambiguous", route, reason }), { cause: error });
  } finally {
    end();
  }
}

/**
 * Calls an operation that sends one JSON request and returns the response or, with `row`, the rows of the response, which is then read row by
 * row.
 */
export async function callOperation(
  client: Client,
  operation: Operation,
  written: unknown,
  options: CallOptions = {},
  row?: Endpoint["row"],
): Promise<unknown> {
  const { endpoint: whole, request, region, inputs } = await prepareCall(client, operation, written);
  const endpoint = row === undefined ? whole : { ...whole, row };
  const route = `${endpoint.method} ${endpoint.path}`;
  return withApi(
    withRedaction(client, operation, inputs),
    region,
    options,
    async (api, limit) => {
      const call = await withPassword(client, endpoint, request, limit);
      return api.send<unknown, never, object>(endpoint as Endpoint<unknown, never>, call);
    },
    route,
  );
}

/** Returns the request of a guarded delete with a one-time password of the settings, unless it has one. */
export async function withPassword(
  { oneTimePasswords }: Client,
  { semantics, path }: Endpoint,
  request: ApiCall,
  signal: AbortSignal,
): Promise<ApiCall> {
  if (semantics !== "guarded-delete" || request.body !== undefined) return request;
  const what = Object.values(request.path ?? {}).at(-1) ?? path;
  const otp = await oneTimePasswords.next(what, signal);
  return otp === undefined ? request : { ...request, body: { otp } };
}
