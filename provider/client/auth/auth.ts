import { SignInError } from "../../core/error.ts";
import type { Clock } from "../../platform/ports.ts";
import { singleFlight } from "./single-flight.ts";

export { createOneTimePasswords, type OneTimePasswords } from "./one-time-password.ts";
export { signIn } from "./sign-in.ts";

/** Credential of a request. Compared by object identity: two credentials with equal text are distinct. */
export interface Credential {
  readonly authorization: string;
}

/** Source of credentials, queried for each attempt of each request. */
export interface TokenSource {
  readonly kind: "API key" | "token";
  /** Resolves when a credential is available; rejects with the sign-in error, or with the signal's reason. */
  ready(signal: AbortSignal): Promise<void>;
  /** Returns the current credential; undefined if none is usable. */
  credential(): Credential | undefined;
  /** Handles a 401 for a credential. Returns true if the request may be repeated with another credential. */
  renew(refused: Credential): boolean;
}

/** Returns the source of an API key, which does not expire. A 401 for it is final. */
export function apiKeySource(key: string): TokenSource {
  const proof = { authorization: `Bearer ${key}` };
  return { kind: "API key", ready: async () => {}, credential: () => proof, renew: () => false };
}

/** Token lifetime: five minutes (docs/contract.md#1.2). Times of the API are never compared with the local clock. */
const lifeMs = 300_000;
const marginMs = Math.min(60_000, lifeMs / 5);
/** Pause after a failed sign-in, and between two tokens requested because of a 401. */
const restMs = 30_000;

/**
 * Returns the source of tokens. Signs in before the token expires, once for all waiting requests, and limits how often
 * it signs in (docs/reliability.md#3.7). The age of a token counts from its response, on the monotonic clock.
 *
 * @param signIn rejects with a `SignInError`, or with its signal's reason
 */
export function signInTokenSource(
  clock: Clock,
  signIn: (signal: AbortSignal) => Promise<string>,
): TokenSource {
  let token: { readonly proof: Credential; readonly born: number } | undefined;
  let failure: { readonly error: SignInError; readonly until: number } | undefined;
  let renewed = -restMs;

  const resting = () => failure !== undefined && clock.monotonic() < failure.until;

  /** Returns the token until a margin before it expires; until it expires while sign-in pauses after a failure. */
  function proof(): Credential | undefined {
    if (token === undefined) return undefined;
    const life = resting() ? lifeMs : lifeMs - marginMs;
    return clock.monotonic() - token.born < life ? token.proof : undefined;
  }

  async function fly(signal: AbortSignal): Promise<void> {
    try {
      const value = await signIn(signal);
      token = { proof: { authorization: `Bearer ${value}` }, born: clock.monotonic() };
      failure = undefined;
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      const until = error.final ? Number.POSITIVE_INFINITY : clock.monotonic() + restMs;
      failure = { error, until };
    }
  }

  const flight = singleFlight(fly);

  return {
    kind: "token",
    credential: proof,
    async ready(signal) {
      signal.throwIfAborted();
      if (proof() !== undefined) return;
      if (!resting()) await flight.join(signal);
      if (proof() === undefined && failure !== undefined) throw failure.error;
    },
    renew(refused) {
      if (token?.proof !== refused) return true;
      const now = clock.monotonic();
      if (now - renewed < restMs) return false;
      renewed = now;
      token = undefined;
      return true;
    },
  };
}
