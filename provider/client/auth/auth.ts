import { SignInError } from "../../core/error.ts";
import type { Clock } from "../../platform/ports.ts";
import { singleFlight } from "./single-flight.ts";

/** Credential of a request. Compared by object identity: two credentials with equal texts are distinct. */
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

/** Returns the source of an API key, which does not expire. A 401 for the key is final. */
export function apiKeySource(key: string): TokenSource {
  const credential = { authorization: `Bearer ${key}` };
  return { kind: "API key", ready: async () => {}, credential: () => credential, renew: () => false };
}

/** Token lifetime in ms: five minutes (docs/contract.md#1.2). Times of the API are never compared with the local clock. */
const lifeMs = 300_000;
const marginMs = Math.min(60_000, lifeMs / 5);
/** Pause in ms after a failed sign-in, and between two tokens requested because of a 401. */
const signInPauseMs = 30_000;

/**
 * Returns the source of tokens. It signs in before the token expires, once for all waiting requests, and limits the number
 * of sign-ins (docs/reliability.md#3.7). The age of a token starts with its response, on the monotonic clock.
 *
 * @param signIn rejects with a `SignInError`, or with its signal's reason
 */
export function signInTokenSource(
  clock: Clock,
  signIn: (signal: AbortSignal) => Promise<string>,
): TokenSource {
  let token: { readonly value: Credential; readonly createdAt: number } | undefined;
  let failure: { readonly error: SignInError; readonly until: number } | undefined;
  let renewed = -signInPauseMs;

  const isPaused = () => failure !== undefined && clock.monotonic() < failure.until;

  /** Returns the token until `marginMs` before it expires or, while sign-in pauses after a failure, until it expires. */
  function credential(): Credential | undefined {
    if (token === undefined) return undefined;
    const life = isPaused() ? lifeMs : lifeMs - marginMs;
    return clock.monotonic() - token.createdAt < life ? token.value : undefined;
  }

  async function renewToken(signal: AbortSignal): Promise<void> {
    try {
      const text = await signIn(signal);
      token = { value: { authorization: `Bearer ${text}` }, createdAt: clock.monotonic() };
      failure = undefined;
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      const until = error.final ? Number.POSITIVE_INFINITY : clock.monotonic() + signInPauseMs;
      failure = { error, until };
    }
  }

  const flight = singleFlight(renewToken);

  return {
    kind: "token",
    credential,
    async ready(signal) {
      signal.throwIfAborted();
      if (credential() !== undefined) return;
      if (!isPaused()) await flight.join(signal);
      if (credential() === undefined && failure !== undefined) throw failure.error;
    },
    renew(refused) {
      if (token?.value !== refused) return true;
      const now = clock.monotonic();
      if (now - renewed < signInPauseMs) return false;
      renewed = now;
      token = undefined;
      return true;
    },
  };
}
