import { SignInError } from "../../core/error.ts";
import type { Clock } from "../../platform/ports.ts";
import { singleFlight } from "./single-flight.ts";

export { createOneTimePasswords, type OneTimePasswords } from "./one-time-password.ts";
export { signIn } from "./sign-in.ts";

/** What a request shows of who asks. Each is an object of its own: two equal texts are still two proofs. */
export interface Credential {
  readonly authorization: string;
}

/** Keeps the proof of who asks; every attempt of every request asks it anew. */
export interface TokenSource {
  readonly kind: "API key" | "token";
  /** Resolves when there is a proof; rejects with why there is none, or with the signal's reason. */
  ready(signal: AbortSignal): Promise<void>;
  /** The proof of this moment. */
  credential(): Credential | undefined;
  /** After a 401 on it: whether the request may be repeated with another one. */
  renew(refused: Credential): boolean;
}

/** An API key does not age, and a refused one stays refused. */
export function apiKeySource(key: string): TokenSource {
  const proof = { authorization: `Bearer ${key}` };
  return { kind: "API key", ready: async () => {}, credential: () => proof, renew: () => false };
}

/** Five minutes (docs/contract.md#1.2). The cloud's own word on it is never compared with a clock of ours. */
const lifeMs = 300_000;
const marginMs = Math.min(60_000, lifeMs / 5);
/** Pause after a failed sign-in, and between two tokens requested because of a 401. */
const restMs = 30_000;

/**
 * Keeps a token: one sign-in at a time however many wait for it, ahead of the token's end, and no more of them than
 * the cloud can bear (docs/reliability.md#3.7). A token is as old as its answer, on the clock that never jumps.
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

  /** While no new token can be had, the old one serves to its end. */
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
