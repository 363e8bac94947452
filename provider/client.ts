import { backoff, pauseFor } from "./budget.ts";
import type { Switches } from "./config.ts";
import type { Endpoint } from "./endpoint.ts";
import { CloudError, isMissing } from "./errors.ts";
import { type Call, exchange, wireRequest } from "./exchange.ts";
import type { Outcome } from "./outcome.ts";
import type { WireRequest } from "./ports.ts";
import type { Session } from "./session.ts";
import type { Proof } from "./token.ts";
import { createTransfer, type Transfer } from "./transfer.ts";

/** The cloud, bound to one operation: its region, its deadline, its log. */
export interface Api {
  /** What the cloud's sources disagree about, as it was configured. */
  readonly switches: Switches;
  /** The account that object storage is asked for, where it is configured. */
  readonly account: string | undefined;
  /** The access key in whose session the provider itself reads and writes objects. */
  readonly accessKey: string | undefined;
  /** The customer's UUID, where it is configured or an answer told it (contract 1.4). */
  customer(): string | undefined;
  /** Sends it. Throws `CloudError` for whatever is not the promised answer. */
  send<A>(endpoint: Endpoint<A>, call?: Call): Promise<A>;
  /** Reads one object by its id: `undefined` when the cloud answers 404, which alone proves nothing yet. */
  find<A>(endpoint: Endpoint<A>, call?: Call): Promise<A | undefined>;
  /** Bytes to and from the pre-signed addresses that the cloud gives. */
  readonly transfer: Transfer;
}

/** How far a request got that may change something. */
export interface Departure {
  /** One has left, and no answer said that it did nothing. */
  left: boolean;
}

const tries = { read: 3, throttled: 20 };

/** An `Api` for one operation. Nothing is retried but what its endpoint's semantics allow (reliability 3.2). */
export function createApi(
  session: Session,
  region: string,
  signal: AbortSignal,
  departure: Departure = { left: false },
): Api {
  const { clock, random } = session.ports;
  const { budget, keeper, objects } = session;

  /** A place in the line, with a proof that is good when it is reached: the wait may outlast one. */
  async function depart(): Promise<{ proof: Proof; leave: () => void }> {
    for (;;) {
      await keeper.ready(signal);
      const leave = await budget.enter(signal);
      const proof = keeper.proof();
      if (proof !== undefined) return { proof, leave };
      leave();
    }
  }

  async function attempt<A>(endpoint: Endpoint<A>, request: WireRequest) {
    const token = endpoint.objectSession ? await objects.token(region, signal) : undefined;
    const { proof, leave } = await depart();
    const before = departure.left;
    try {
      const headers: Record<string, string> = { ...request.headers };
      if (token !== undefined) headers["x-session-token"] = token;
      headers.authorization = proof.authorization;
      const outcome = await exchange(session, endpoint, { ...request, headers }, signal, () => {
        departure.left ||= endpoint.semantics !== "read";
      });
      if (harmless.has(outcome.kind) && endpoint.semantics !== "read") departure.left = before;
      return { outcome, proof, token };
    } finally {
      leave();
    }
  }

  async function send<A>(endpoint: Endpoint<A>, call: Call = {}): Promise<A> {
    const request = wireRequest(session, endpoint, region, call);
    let renewed = false;
    let reopened = false;
    for (let sent = 1; ; sent++) {
      const { outcome, proof, token } = await attempt(endpoint, request);
      if (outcome.kind === "executed") {
        budget.succeed();
        return outcome.answer;
      }
      const once = endpoint.semantics === "guarded-delete";
      const refused = outcome.kind === "auth" && !once;
      // Nothing tells which of both was refused; the session is the one that somebody else may end.
      if (refused && token !== undefined && !reopened && objects.renew(token)) reopened = true;
      else if (refused && !renewed && keeper.renew(proof)) renewed = true;
      else if (outcome.kind === "throttled" && sent < patienceOf(endpoint, outcome) && budget.spend(5))
        budget.pause(pauseFor(outcome.retryAfter, backoff(random, sent, 1_000, 60_000)));
      else if (mayRepeat(endpoint, outcome) && sent < tries.read && budget.spend(5))
        await clock.sleep(backoff(random, sent, 500, 8_000), signal);
      else throw failure(endpoint, outcome, keeper.kind);
    }
  }

  return {
    switches: session.settings.switches,
    account: session.settings.accountId,
    accessKey: session.settings.objectKeys?.accessKey,
    transfer: createTransfer(session, signal, departure),
    customer: () => session.customer.id(),
    send,
    async find(endpoint, call) {
      try {
        return await send(endpoint, call);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
  };
}

/** Outcomes of which it is sure that nothing was executed (reliability 3.1). */
const harmless: ReadonlySet<Outcome<unknown>["kind"]> = new Set(["unsent", "rejected", "auth", "throttled"]);

/** How often what the cloud asks to send later is sent. A sign-in waits only where it is told for how long. */
const patienceOf = (
  { semantics }: Endpoint,
  { retryAfter }: { readonly retryAfter?: number | undefined },
): number => (semantics !== "sign-in" ? tries.throttled : retryAfter === undefined ? 1 : tries.read);

/** What never left may be sent again; what may have done something only if it changes nothing. */
const mayRepeat = (endpoint: Endpoint, outcome: Outcome<unknown>): boolean =>
  outcome.kind === "unsent" ||
  (endpoint.semantics === "read" && (outcome.kind === "ambiguous" || outcome.kind === "unreadable"));

function failure(
  endpoint: Endpoint,
  outcome: Exclude<Outcome<unknown>, { kind: "executed" }>,
  credential: "API key" | "token",
): CloudError {
  const about = { ...outcome, failure: outcome.kind, route: `${endpoint.method} ${endpoint.path}` };
  if (outcome.kind !== "auth") return new CloudError(about);
  const said = `${proofsOf(endpoint, credential)} was refused: ${outcome.said}`;
  return new CloudError({
    ...about,
    credential: endpoint.objectSession ? "object session" : credential,
    said,
  });
}

/** What was shown of who asks: a refusal does not tell which part of it was meant. */
function proofsOf({ semantics, objectSession }: Endpoint, credential: "API key" | "token"): string {
  if (semantics === "guarded-delete") return `the one-time password or the ${credential}`;
  if (semantics === "sign-in") return `the access key or the ${credential}`;
  return objectSession ? `the object session or the ${credential}` : `the ${credential}`;
}
