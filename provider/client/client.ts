import type { Given } from "../config/config.ts";
import { resolveSettings } from "../config/config.ts";
import { CloudError, isNotFound } from "../core/error.ts";
import { inAllWords, type Text, wording } from "../core/wording.ts";
import type { Api, ApiCall, RequestTracker } from "../definition/api.ts";
import { type Endpoint, neverRepeated } from "../definition/endpoint.ts";
import { type Log, noLog } from "../platform/log.ts";
import type { Ports, WireRequest } from "../platform/ports.ts";
import { apiKeySource, type Credential, signInTokenSource, type TokenSource } from "./auth/auth.ts";
import { createObjectSession, type ObjectSession } from "./auth/object-session.ts";
import { createOneTimePasswords, type OneTimePasswords } from "./auth/one-time-password.ts";
import { signIn } from "./auth/sign-in.ts";
import { type Connection, openConnection } from "./connection.ts";
import { backoff, pauseFor } from "./rate-limiter.ts";
import { sendRequest, wireRequest } from "./request.ts";
import { type FailedOutcome, mayRepeatSignIn, type ResponseOutcome } from "./response.ts";
import { createTransfer } from "./transfer.ts";

export { cleaned, quoted } from "./quote.ts";
export { backoff, pauseFor } from "./rate-limiter.ts";
export { redactor } from "./redact.ts";

/** Connection with its credentials, shared by all requests of one configuration. */
export interface Client extends Connection {
  readonly tokenSource: TokenSource;
  readonly oneTimePasswords: OneTimePasswords;
  /** Session for requests that read and write objects; deactivated when the process ends. */
  readonly objectSession: ObjectSession;
  /** True if every request that may change something is refused before it is sent, except one that obtains a credential. */
  readonly isReadOnly?: true;
  /** Returns true for a request that a read-only client sends although it may change something. */
  readonly accepts?: (endpoint: Endpoint, call: ApiCall) => boolean;
}

/** Opens a client with these settings; sends nothing. Throws `ConfigError` for invalid or missing settings. */
export function openClient(configured: Given, ports: Ports, log: Log = noLog, adapter?: string): Client {
  const settings = resolveSettings(configured);
  const { identity } = settings;
  const connection = openConnection(settings, ports, log, adapter);
  const { learn } = connection;
  const client: Client = {
    ...connection,
    oneTimePasswords: createOneTimePasswords(settings, ports, learn),
    objectSession: createObjectSession(settings, ports, (region, signal) =>
      createApi(client, { region, signal }),
    ),
    tokenSource:
      "apiKey" in identity
        ? apiKeySource(identity.apiKey)
        : signInTokenSource(ports.clock, (signal) => signIn(connection, identity, signal)),
  };
  return client;
}

/** Pauses of an operation that responses demand. */
export interface Pauses {
  /** Receives the reason before a pause. */
  report(status: Text): void;
  /** Last response, if it was a 429 whose request will be sent again. */
  throttled?: CloudError | undefined;
}

const tries = { read: 3, throttled: 20 };

/** Operation that an `Api` belongs to. */
export interface ApiScope {
  readonly region: string;
  /** Prevents the next request. */
  readonly signal: AbortSignal;
  /** Aborts a sent request that may change something. Default: `signal`. */
  readonly inFlight?: AbortSignal;
  readonly tracker?: RequestTracker | undefined;
  readonly pauses?: Pauses;
}

/** Creates the `Api` of one operation. Retries only what the endpoint's semantics allow (docs/reliability.md#3.2). */
export function createApi(
  client: Client,
  { region, signal, inFlight = signal, tracker = { sent: false }, pauses = { report() {} } }: ApiScope,
): Api {
  const { clock, random } = client.ports;
  const { rateLimiter, tokenSource, objectSession } = client;

  /**
   * Acquires a slot of the rate limiter and, unless the request is anonymous, a credential. Repeats if the credential
   * expires during the wait.
   */
  async function acquireSlot(
    isAnonymous: boolean,
  ): Promise<{ credential: Credential | undefined; release: () => void }> {
    if (isAnonymous) return { credential: undefined, release: await rateLimiter.acquire(signal) };
    for (;;) {
      await tokenSource.ready(signal);
      const release = await rateLimiter.acquire(signal);
      const credential = tokenSource.credential();
      if (credential !== undefined) return { credential, release };
      release();
    }
  }

  async function attempt<A>(endpoint: Endpoint<A>, request: WireRequest) {
    const token = endpoint.objectSession ? await objectSession.token(region, signal) : undefined;
    const { credential, release } = await acquireSlot(endpoint.anonymous);
    const before = { ...tracker };
    try {
      const headers: Record<string, string> = { ...request.headers };
      if (token !== undefined) headers["x-session-token"] = token;
      if (credential !== undefined) headers.authorization = credential.authorization;
      signal.throwIfAborted();
      const limit = endpoint.semantics === "read" ? signal : inFlight;
      const outcome = await sendRequest(
        client,
        { endpoint, request: { ...request, headers }, signal: limit },
        () => {
          tracker.asked = true;
          if (endpoint.semantics === "read") return;
          tracker.sent = true;
          tracker.sentAt ??= client.serverClock.known();
          tracker.acted ||= !repeatable.has(endpoint.semantics);
        },
      );
      if (harmless.has(outcome.kind) && endpoint.semantics !== "read") tracker.sent = before.sent;
      if (outcome.kind === "unsent") {
        tracker.sentAt = before.sentAt;
        tracker.acted = before.acted ?? false;
        signal.throwIfAborted();
      }
      return { outcome, credential, token };
    } finally {
      release();
    }
  }

  /** Returns true for a rejection that can follow an executed create: 404 and 429 (docs/contract.md#2.3). */
  const mayFollowCreate = ({ semantics }: Endpoint, { kind, status }: FailedOutcome): boolean =>
    tracker.searches === true &&
    semantics === "create" &&
    (kind === "throttled" || (kind === "rejected" && status === 404));

  async function send<A>(endpoint: Endpoint<A>, call: ApiCall = {}): Promise<A> {
    const isRefused = client.isReadOnly && !readingOnly.has(endpoint.semantics);
    if (isRefused && client.accepts?.(endpoint, call) !== true)
      throw new TypeError(`${endpoint.method} ${endpoint.path} is no read, and the session is read-only`);
    const request = wireRequest(client, endpoint, region, call);
    const failed = (outcome: FailedOutcome, mayHaveExecuted = false) =>
      failure({ endpoint, call, credential: tokenSource.kind, mayHaveExecuted }, outcome);
    let renewed = false;
    for (let sent = 1; ; ) {
      const { outcome, credential, token } = await attempt(endpoint, request);
      pauses.throttled = undefined;
      if (outcome.kind === "executed") {
        rateLimiter.succeed();
        return outcome.answer;
      }
      if (mayFollowCreate(endpoint, outcome)) throw failed(outcome, true);
      // A read-only client accepts one request, sent once: what its caller knows of the object may no longer be true later.
      if (isRefused) throw failed(outcome);
      const once = endpoint.semantics === "guarded-delete";
      const refused = outcome.kind === "auth" && !once;
      // The 429 may concern only sign-ins: after some attempts, other requests no longer wait for the pause.
      const waitsAlone = endpoint.semantics === "sign-in" && sent >= tries.read;
      const pause =
        outcome.kind === "throttled" ? pauseFor(outcome.retryAfter, backoff(random, sent, 1_000, 60_000)) : 0;
      if (pause > 0 && !waitsAlone) rateLimiter.pause(pause);
      // A 401 does not show which of the two credentials was rejected. The session is renewed first, since another run may
      // have ended it any number of times: such an attempt does not count.
      if (refused && token !== undefined && objectSession.renew(token)) {
        pauses.report(outcome.reason);
        continue;
      }
      if (refused && !renewed && credential !== undefined && tokenSource.renew(credential)) renewed = true;
      else if (outcome.kind === "throttled" && sent < maxAttempts(endpoint, outcome)) {
        pauses.throttled = failed(outcome);
        pauses.report(outcome.reason);
        if (waitsAlone) await clock.sleep(pause, signal);
      } else if (mayRepeat(endpoint, outcome) && sent < tries.read && rateLimiter.spendRetry(5))
        await clock.sleep(backoff(random, sent, 500, 8_000), signal);
      else throw failed(outcome);
      sent += 1;
    }
  }

  return {
    switches: client.settings.switches,
    account: client.settings.accountId,
    accessKey: client.settings.objectKeys?.accessKey,
    transfer: createTransfer(client, { signal, inFlight, tracker }),
    customer: () => client.owner.customer(),
    send,
    async find<A>(endpoint: Endpoint<A>, call?: ApiCall) {
      try {
        return await send(endpoint, call);
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
  };
}

/** Semantics of requests that have the same effect when they are executed twice. */
const repeatable: ReadonlySet<Endpoint["semantics"]> = new Set(["read", "update", "delete"]);

/** Semantics of the requests that a read-only client sends: a credential may be needed to read. */
const readingOnly: ReadonlySet<Endpoint["semantics"]> = new Set(["read", "sign-in"]);

/** Outcomes of requests that were certainly not executed (docs/reliability.md#3.1). */
const harmless: ReadonlySet<ResponseOutcome<unknown>["kind"]> = new Set([
  "unsent",
  "rejected",
  "auth",
  "throttled",
]);

/**
 * Returns the maximum number of attempts after a 429. A `sign-in` endpoint is retried only if the response has a
 * `Retry-After`. A request in `neverRepeated` is not retried, as a 429 does not prove that nothing was executed.
 */
function maxAttempts(
  { semantics }: Endpoint,
  { retryAfter }: { readonly retryAfter?: number | undefined },
): number {
  if (neverRepeated.has(semantics)) return 1;
  return semantics === "sign-in" && retryAfter === undefined ? 1 : tries.throttled;
}

/**
 * Returns true for a request that was not sent, for a read with an ambiguous or unreadable outcome, and for the activation
 * or refresh of an object session that may succeed in another attempt. A 429 has separate limits.
 */
function mayRepeat({ semantics }: Endpoint, outcome: FailedOutcome): boolean {
  const { kind } = outcome;
  if (semantics === "sign-in") return kind !== "throttled" && mayRepeatSignIn(outcome);
  return kind === "unsent" || (semantics === "read" && (kind === "ambiguous" || kind === "unreadable"));
}

/** Request that failed. */
interface FailedRequest {
  readonly endpoint: Endpoint;
  readonly call: ApiCall;
  readonly credential: "API key" | "token";
  readonly mayHaveExecuted: boolean;
}

function failure(
  { endpoint, call, credential, mayHaveExecuted }: FailedRequest,
  outcome: FailedOutcome,
): CloudError {
  const route = `${endpoint.method} ${endpoint.path}`;
  const about = { ...outcome, failure: outcome.kind, route, mayHaveExecuted };
  if (outcome.kind === "rejected")
    return new CloudError({ ...about, path: namedAttribute(call, outcome.reason) });
  if (outcome.kind !== "auth") return new CloudError(about);
  const message = wording`${credentialNames(endpoint, credential)} was rejected: ${outcome.reason}`;
  return new CloudError({
    ...about,
    credential: endpoint.anonymous ? "sign-in" : endpoint.objectSession ? "object session" : credential,
    reason: message,
  });
}

/** Returns the path of the attribute whose body field is a word of the message; undefined if there is none. */
function namedAttribute({ attributes = {} }: ApiCall, message: Text): [string] | undefined {
  const words = new Set(inAllWords(message).match(/\w+/g));
  const [, attribute] = Object.entries(attributes).find(([field]) => words.has(field)) ?? [];
  return attribute === undefined ? undefined : [attribute];
}

/** Returns the credentials of a request for the error text: a 401 does not show which of them was rejected. */
function credentialNames(
  { semantics, objectSession, anonymous }: Endpoint,
  credential: "API key" | "token",
): string {
  if (anonymous) return "the sign-in";
  if (semantics === "guarded-delete") return `the one-time password or the ${credential}`;
  if (semantics === "sign-in") return `the access key or the ${credential}`;
  return objectSession ? `the object session or the ${credential}` : `the ${credential}`;
}
