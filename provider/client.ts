import { backoff, pauseFor } from "./budget.ts";
import type { Switches } from "./config.ts";
import type { Endpoint } from "./endpoint.ts";
import { CloudError, isMissing } from "./errors.ts";
import { type Call, exchange, wireRequest } from "./exchange.ts";
import type { Outcome } from "./outcome.ts";
import type { WireRequest } from "./ports.ts";
import type { Session } from "./session.ts";
import type { Proof } from "./token.ts";

/** The cloud, bound to one operation: its region, its deadline, its log. */
export interface Api {
  /** What the cloud's sources disagree about, as it was configured. */
  readonly switches: Switches;
  /** Sends it. Throws `CloudError` for whatever is not the promised answer. */
  send<A>(endpoint: Endpoint<A>, call?: Call): Promise<A>;
  /** Reads one object by its id: `undefined` when the cloud answers 404, which alone proves nothing yet. */
  find<A>(endpoint: Endpoint<A>, call?: Call): Promise<A | undefined>;
}

/** How far a request got that may change something. */
export interface Departure {
  /** It has left, and no answer said that it did nothing. */
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
  const { budget, keeper } = session;

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
    const { proof, leave } = await depart();
    try {
      const headers = { ...request.headers, authorization: proof.authorization };
      const outcome = await exchange(session, endpoint, { ...request, headers }, signal, () => {
        departure.left ||= endpoint.semantics !== "read";
      });
      if (harmless.has(outcome.kind)) departure.left = false;
      return { outcome, proof };
    } finally {
      leave();
    }
  }

  async function send<A>(endpoint: Endpoint<A>, call: Call = {}): Promise<A> {
    const request = wireRequest(session, endpoint, region, call);
    let renewed = false;
    for (let sent = 1; ; sent++) {
      const { outcome, proof } = await attempt(endpoint, request);
      if (outcome.kind === "executed") {
        budget.succeed();
        return outcome.answer;
      }
      if (outcome.kind === "auth" && !renewed && keeper.renew(proof)) renewed = true;
      else if (outcome.kind === "throttled" && sent < tries.throttled && budget.spend(5))
        budget.pause(pauseFor(outcome.retryAfter, backoff(random, sent, 1_000, 60_000)));
      else if (mayRepeat(endpoint, outcome) && sent < tries.read && budget.spend(5))
        await clock.sleep(backoff(random, sent, 500, 8_000), signal);
      else throw failure(endpoint, outcome, keeper.kind);
    }
  }

  return {
    switches: session.settings.switches,
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
  return new CloudError({ ...about, credential, said: `the ${credential} was refused: ${outcome.said}` });
}
