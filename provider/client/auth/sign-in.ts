import * as z from "zod/mini";
import { type CredentialKind, type Failure, SignInError } from "../../core/error.ts";
import { type Text, wording } from "../../core/wording.ts";
import { type Endpoint, endpoint, json } from "../../definition/endpoint.ts";
import type { Login } from "../../definition/function.ts";
import type { Connection } from "../connection.ts";
import { backoff, pauseFor } from "../rate-limiter.ts";
import { sendRequest, wireRequest } from "../request.ts";
import { type FailedOutcome, mayRepeatSignIn } from "../response.ts";

/** Sign-in with email and password (docs/contract.md#1.2), the only documented way to renew a token. */

/**
 * Schema of the response to a sign-in. `refresh_token` and `mfaEnabled` are not validated: some sources omit them, others
 * document values of different types.
 */
const answer = z.object({
  access_token: z.nullish(z.string()),
  refresh_token: z.optional(z.unknown()),
  mfaEnabled: z.optional(z.unknown()),
});
type Answer = z.infer<typeof answer>;

const options = { region: false, anonymous: true, secrets: ["access_token", "refresh_token"] } as const;
/** Route that signs in the root user. */
export const asRoot = endpoint("sign-in", "POST /iam/v1/signInAsRootUser", answer, {
  ...options,
  body: json<{ email: string; password: string }>(),
});
/** Route that signs in a user of the account. */
export const asUser = endpoint("sign-in", "POST /iam/v1/signInAsIAMUser", answer, {
  ...options,
  body: json<{ email: string; password: string; accountId: string }>(),
});

const tries = 3;

/** Signs in and returns a new token. Throws `SignInError`, or the signal's reason. */
export async function signIn(
  connection: Connection,
  { email, password, account }: Login,
  signal: AbortSignal,
): Promise<string> {
  const route = account === undefined ? asRoot : asUser;
  const body = { email, password, ...(account === undefined ? {} : { accountId: account }) };
  const request = wireRequest(connection, route, "", { body });
  const { rateLimiter, ports } = connection;
  for (let sent = 1; ; sent++) {
    const release = await rateLimiter.acquire(signal);
    const outcome = await sendRequest(connection, { endpoint: route, request, signal }).finally(release);
    if (outcome.kind === "executed") {
      rateLimiter.succeed();
      connection.log("info", "signed in", {
        as: account === undefined ? "root user" : "user of the account",
      });
      return tokenOf(route, outcome.answer);
    }
    if (!mayRepeatSignIn(outcome) || sent === tries || !rateLimiter.spendRetry(5))
      throw failure(route, outcome, sent);
    const pause = backoff(ports.random, sent, 1_000, 8_000);
    if (outcome.kind === "throttled") rateLimiter.pause(pauseFor(outcome.retryAfter, pause));
    else await ports.clock.sleep(pause, signal);
  }
}

const triesOf = (sent: number): string =>
  sent === 1 ? "the sign-in failed" : `the sign-in failed ${sent} times`;

/**
 * Converts the outcome to the error of the requests that wait for the token: `unsent` if a later attempt may succeed,
 * otherwise `auth`, which is final if the API rejected the sign-in.
 */
function failure(route: Endpoint, outcome: FailedOutcome, sent: number): SignInError {
  const { kind, reason } = outcome;
  if (mayRepeatSignIn(outcome))
    return failed(route, {
      ...outcome,
      failure: "unsent",
      credential: "sign-in",
      reason: wording`${triesOf(sent)}: ${reason}`,
    });
  if (kind === "ambiguous" || kind === "unreadable")
    return failed(route, {
      ...outcome,
      credential: "sign-in address",
      reason: wording`the response is not that of a sign-in: ${reason}`,
    });
  return failed(route, {
    ...outcome,
    credential: "sign-in",
    reason: wording`the sign-in was rejected: ${reason}`,
    final: true,
  });
}

/**
 * Returns the token from the response to a sign-in. Throws `SignInError` for a response without a usable token: the
 * account requires a second factor, so the user needs an API key, or the address is wrong (docs/contract.md#17.1).
 */
function tokenOf(route: Endpoint, { access_token: token, mfaEnabled }: Answer): string {
  if (token && notInHeader.test(token))
    throw failed(route, {
      credential: "sign-in address",
      reason: "its access_token contains a character that is not allowed in a header",
    });
  if (token) return token;
  if (isOn(mfaEnabled))
    throw failed(route, {
      credential: "second factor",
      reason: "the API asks for a second factor",
      final: true,
    });
  throw failed(route, { credential: "sign-in address", reason: "the response contains no access_token" });
}

const notInHeader = /[^\x21-\x7e]/;

/** Returns true if a flag is set: the only sources with this flag use an integer. */
const isOn = (flag: unknown): boolean => flag === true || Number(flag) > 0;

interface FailedSignIn {
  readonly failure?: Failure;
  readonly credential: CredentialKind;
  readonly reason: Text;
  readonly status?: number;
  readonly requestId?: string;
  readonly final?: boolean;
}

function failed(
  { method, path }: Endpoint,
  { failure = "auth", credential, reason, status, requestId, final = false }: FailedSignIn,
): SignInError {
  const route = `${method} ${path}`;
  return new SignInError({ failure, route, reason, credential, status, requestId }, final);
}
