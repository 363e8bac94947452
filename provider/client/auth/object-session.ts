import * as z from "zod/mini";
import type { Settings } from "../../config/config.ts";
import { missingProblem } from "../../config/config.ts";
import {
  CloudError,
  ConfigError,
  type CredentialKind,
  isAmbiguous,
  isThrottled,
  SignInError,
} from "../../core/error.ts";
import { parseIsoTime } from "../../core/time.ts";
import type { Api } from "../../definition/api.ts";
import { endpoint, json } from "../../definition/endpoint.ts";
import { maybeText } from "../../definition/validator.ts";
import type { Ports } from "../../platform/ports.ts";
import { backoff, pauseFor } from "../rate-limiter.ts";
import { singleFlight } from "./single-flight.ts";

/** Sessions of object storage in the format of the API (docs/contract.md#9.5). */

const tokens = z.object({ sessionToken: z.string(), refreshToken: z.string() });

/** Tokens of a session: `sessionToken` authorizes requests, `refreshToken` refreshes the session. */
export type Tokens = z.infer<typeof tokens>;

const times = z.object({ expiresAt: maybeText, lastActiveAt: maybeText });

/** Expiry and last activity of a session, as ISO 8601 texts. */
export type Times = Partial<z.infer<typeof times>>;

const activated = z.extend(tokens, times.shape);

/** Response to an activation: the tokens and, if the API returns them, the times. */
export type Activated = z.infer<typeof activated>;

const secrets = ["sessionToken", "refreshToken"];

/** Routes of sessions. All except `activate` identify the session by its token and have neither region nor account. */
export const sessionRoutes = {
  activate: endpoint("sign-in", "POST /kos/v1/sessions/activate", activated, {
    region: "x-region-id",
    account: true,
    secrets,
    body: json<Partial<NonNullable<Settings["objectKeys"]>>>(),
  }),
  refresh: endpoint("sign-in", "POST /kos/v1/sessions/refresh/{token}", tokens, {
    region: false,
    secrets,
    body: json<{ refreshToken: string }>(),
  }),
  status: endpoint("read", "GET /kos/v1/sessions/status/{token}", times, { region: false }),
  deactivate: endpoint("delete", "DELETE /kos/v1/sessions/deactivate/{token}", undefined, { region: false }),
};

/** Opens a session with an access key. Throws `SignInError` if the request fails. */
export async function activate(api: Api, keys: Settings["objectKeys"]): Promise<Activated> {
  try {
    return await api.send(sessionRoutes.activate, { body: { ...keys } });
  } catch (error) {
    throw error instanceof CloudError ? refusalOf(error) : error;
  }
}

/** Refreshes a session. Throws `SignInError` if the request fails: another session of the key may have ended it. */
export async function refreshSession(
  api: Api,
  { token, refreshToken }: { readonly token: string; readonly refreshToken: string },
): Promise<Tokens> {
  try {
    return await api.send(sessionRoutes.refresh, { path: { token }, body: { refreshToken } });
  } catch (error) {
    throw error instanceof CloudError ? refusalOf(error, "object session") : error;
  }
}

/**
 * Converts a failure for the requests that wait for the session: to a final `auth` failure, or to `unsent` if a later
 * attempt may succeed.
 */
function refusalOf(error: CloudError, refused: CredentialKind = "access key"): SignInError {
  const { route, reason, status, requestId, failure, retryAfter } = error;
  const about = { route, reason, status, requestId, retryAfter };
  if (failure === "unsent" || isThrottled(error) || isAmbiguous(error))
    return new SignInError({ ...about, failure: "unsent", credential: "object session" }, false);
  return new SignInError({ ...about, failure: "auth", credential: refused }, true);
}

/**
 * Returns the times of a new session: from the response to the activation if they are complete, otherwise from a status
 * request. Empty if that request fails.
 */
export async function sessionTimes(api: Api, opened: Activated): Promise<Times> {
  if (Number.isFinite(sessionLifetime(opened))) return opened;
  try {
    return (await api.find(sessionRoutes.status, { path: { token: opened.sessionToken } })) ?? {};
  } catch (error) {
    // A session without known times is used until the API rejects it.
    if (error instanceof CloudError) return {};
    throw error;
  }
}

/**
 * Returns the lifetime of a session in ms: the difference of two times of the API, which are never compared with the
 * local clock. Infinite if a time is missing or invalid.
 */
export function sessionLifetime({ expiresAt = "", lastActiveAt = "" }: Times): number {
  const [end, begin] = [expiresAt, lastActiveAt].map(parseIsoTime);
  if (end === undefined || begin === undefined || end <= begin) return Number.POSITIVE_INFINITY;
  return end - begin;
}

/**
 * Session in which a process reads and writes objects (docs/contract.md#9.5). An access key has at most one session:
 * activating another one ends the first. All requests of a process therefore share one session, which is deactivated when
 * the process ends.
 */
export interface ObjectSession {
  /**
   * Returns the session token; opens the session on first use and refreshes it before it expires. Throws `ConfigError`
   * if no access key is configured, `SignInError` if no session can be opened, or the signal's reason.
   */
  token(region: string, signal: AbortSignal): Promise<string>;
  /**
   * Handles a 401 for a token. Returns true if the request may be repeated in another session, which is activated after
   * a pause with jitter: another run with the access key has probably ended this session.
   */
  renew(refused: string): boolean;
  /** Deactivates the session, if there is one. Ignores a failure, since a session expires by itself. */
  end(): Promise<void>;
}

interface Open {
  readonly token: string;
  readonly refreshToken: string;
  /** Time of opening or refresh, in ms of the monotonic clock. */
  readonly createdAt: number;
  /** Lifetime in ms; infinite if the API does not return it. */
  readonly lifeMs: number;
}

/** Pause in ms after a failed activation. */
const activationPauseMs = 30_000;
/**
 * Maximum number of consecutive sessions lost to other runs with the access key, which use the pause before the next
 * activation for their requests. A session that lasted for `calmMs` resets the count.
 */
const maxLost = 8;
const calmMs = 120_000;
const endMs = 2_000;

const marginOf = (lifeMs: number): number => Math.min(60_000, lifeMs / 5);

type Keys = Pick<Settings, "objectKeys">;

/** Creates the session without opening it. `api` returns the API client for the session routes. */
export function createObjectSession(
  { objectKeys }: Keys,
  { clock, random, ends }: Pick<Ports, "clock" | "random" | "ends">,
  api: (region: string, signal: AbortSignal) => Api,
): ObjectSession {
  let open: Open | undefined;
  let failure: { readonly error: SignInError; readonly until: number } | undefined;
  let lost = 0;
  let activatesAt = 0;
  let place = "";

  const isPaused = () => failure !== undefined && clock.monotonic() < failure.until;

  /**
   * Returns the open session until a margin before it expires, which leaves time for requests in flight or, while
   * activation pauses after a failure, until it expires.
   */
  function usable(): Open | undefined {
    if (open === undefined) return undefined;
    const life = isPaused() ? open.lifeMs : open.lifeMs - marginOf(open.lifeMs);
    return clock.monotonic() - open.createdAt < life ? open : undefined;
  }

  function keep({ sessionToken, refreshToken }: Tokens, lifeMs: number): void {
    open = { token: sessionToken, refreshToken, createdAt: clock.monotonic(), lifeMs };
    ends?.add(end);
    failure = undefined;
  }

  /**
   * Refreshes a session that expires soon. Returns undefined if a new session has to be activated. Throws `SignInError` if
   * the session is still valid and a later refresh may succeed.
   */
  async function refreshed(
    { token, refreshToken, createdAt, lifeMs }: Open,
    cloud: Api,
  ): Promise<Tokens | undefined> {
    if (lifeMs === Number.POSITIVE_INFINITY || clock.monotonic() - createdAt >= lifeMs) return undefined;
    try {
      return await refreshSession(cloud, { token, refreshToken });
    } catch (error) {
      if (error instanceof SignInError && error.final) return undefined;
      throw error;
    }
  }

  const flight = singleFlight(async (signal) => {
    const cloud = api(place, signal);
    const pause = activatesAt - clock.monotonic();
    if (pause > 0) await clock.sleep(pause, signal);
    try {
      const tokens = open && (await refreshed(open, cloud));
      if (open !== undefined && tokens !== undefined) return keep(tokens, open.lifeMs);
      const activated = await activate(cloud, objectKeys);
      // Stored before its times are known: after a stop during the status request, the end of the process deactivates it.
      keep(activated, sessionLifetime(activated));
      const lifeMs = sessionLifetime(await sessionTimes(cloud, activated));
      if (open?.token === activated.sessionToken) open = { ...open, lifeMs };
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      const rest = error.final ? Number.POSITIVE_INFINITY : pauseFor(error.retryAfter, activationPauseMs);
      failure = { error, until: clock.monotonic() + rest };
    }
  });

  async function end(): Promise<void> {
    ends?.delete(end);
    if (open === undefined) return;
    const { token } = open;
    open = undefined;
    const limit = new AbortController();
    const over = new AbortController();
    const late = clock.sleep(endMs, over.signal).then(
      () => limit.abort("over"),
      () => {},
    );
    await api(place, limit.signal)
      .send(sessionRoutes.deactivate, { path: { token } })
      .catch(() => {});
    over.abort("over");
    await late;
  }

  return {
    async token(region, signal) {
      if (objectKeys === undefined) throw new ConfigError([missingProblem.objectKeys]);
      signal.throwIfAborted();
      place ||= region;
      if (usable() === undefined && !isPaused()) await flight.join(signal);
      const now = usable();
      if (now !== undefined) return now.token;
      throw failure?.error ?? new TypeError("no session, and no failure");
    },
    renew(refused) {
      if (open?.token !== refused) return true;
      const now = clock.monotonic();
      if (now - open.createdAt >= calmMs) lost = 0;
      if (lost === maxLost) return false;
      lost += 1;
      activatesAt = now + backoff(random, lost, 2_000, 60_000);
      open = undefined;
      // The failed refresh was that of the lost session.
      if (failure?.error.final === false) failure = undefined;
      ends?.delete(end);
      return true;
    },
    end,
  };
}
