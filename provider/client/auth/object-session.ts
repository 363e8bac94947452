import * as z from "zod/mini";
import type { Settings } from "../../config/config.ts";
import { environmentOf } from "../../config/config.ts";
import { CloudError, ConfigError, type CredentialKind, isAmbiguous, SignInError } from "../../core/error.ts";
import { parseIsoTime } from "../../core/time.ts";
import type { Api } from "../../definition/api.ts";
import { endpoint } from "../../definition/endpoint.ts";
import { maybeText } from "../../definition/validator.ts";
import type { Ports } from "../../platform/ports.ts";
import { singleFlight } from "./single-flight.ts";

/** Sessions of object storage as the cloud writes them (docs/contract.md#9.5). */

const tokens = z.object({ sessionToken: z.string(), refreshToken: z.string() });

/** Tokens of a session: one authorizes requests, the other refreshes the session. */
export type Tokens = z.infer<typeof tokens>;

const times = z.object({ expiresAt: maybeText, lastActiveAt: maybeText });

/** When a session ends, and when it was used last. */
export type Times = Partial<z.infer<typeof times>>;

const activated = z.extend(tokens, times.shape);

/** A session that was just opened, and when it ends. */
export type Activated = z.infer<typeof activated>;

/** How sessions travel: but for the first, on their token alone. */
export const sessionRoutes = {
  activate: endpoint("sign-in", "POST /kos/v1/sessions/activate", activated, {
    region: "x-region-id",
    account: true,
  }),
  refresh: endpoint("sign-in", "POST /kos/v1/sessions/refresh/{token}", tokens, { region: false }),
  status: endpoint("read", "GET /kos/v1/sessions/status/{token}", times, { region: false }),
  deactivate: endpoint("delete", "DELETE /kos/v1/sessions/deactivate/{token}", undefined, { region: false }),
};

/** Opens a session of an access key. Throws `SignInError`. */
export async function activate(api: Api, keys: Settings["objectKeys"]): Promise<Activated> {
  try {
    return await api.send(sessionRoutes.activate, { body: { ...keys } });
  } catch (error) {
    throw error instanceof CloudError ? refusalOf(error) : error;
  }
}

/** Prolongs a session. Throws `SignInError`: another one of its key may have ended it. */
export async function refreshSession(api: Api, token: string, refreshToken: string): Promise<Tokens> {
  try {
    return await api.send(sessionRoutes.refresh, { path: { token }, body: { refreshToken } });
  } catch (error) {
    throw error instanceof CloudError ? refusalOf(error, "object session") : error;
  }
}

/** To what waits for a session a failure is either a refusal, or a request that never left. */
function refusalOf(error: CloudError, refused: CredentialKind = "access key"): SignInError {
  const { route, said, status, requestId, failure } = error;
  const about = { route, said, status, requestId };
  if (failure === "throttled")
    return new SignInError({ ...about, failure: "auth", credential: "object session" }, true);
  if (failure === "unsent" || isAmbiguous(error))
    return new SignInError({ ...about, failure: "unsent", credential: "object session" }, false);
  return new SignInError({ ...about, failure: "auth", credential: refused }, true);
}

/** When a session that was just opened ends: as the answer says, or else its status. Nothing where neither does. */
export async function sessionTimes(api: Api, opened: Activated): Promise<Times> {
  if (Number.isFinite(sessionLifetime(opened))) return opened;
  try {
    return (await api.find(sessionRoutes.status, { path: { token: opened.sessionToken } })) ?? {};
  } catch (error) {
    // It serves all the same, until it is refused.
    if (error instanceof CloudError) return {};
    throw error;
  }
}

/** How long a session lives in ms, by the cloud's own clock: a time of its is never compared with one of ours. */
export function sessionLifetime({ expiresAt = "", lastActiveAt = "" }: Times): number {
  const [end, begin] = [expiresAt, lastActiveAt].map(parseIsoTime);
  if (end === undefined || begin === undefined || end <= begin) return Number.POSITIVE_INFINITY;
  return end - begin;
}

/**
 * The session in which a process reads and writes objects (docs/contract.md#9.5). Of an access key only one is active,
 * and to activate another one ends it: all of a process share one, and it is ended at the process's end.
 */
export interface ObjectSession {
  /**
   * Its token; the first one to ask opens it. Throws `ConfigError` where there is no access key, `SignInError` where no
   * session is to be had, or the signal's reason.
   */
  token(region: string, signal: AbortSignal): Promise<string>;
  /** After a 401 on it: whether the request may be repeated in another session. */
  renew(refused: string): boolean;
  /** Ends it, where there is one; says nothing of a failure, since it ends by itself. */
  end(): Promise<void>;
}

interface Open {
  readonly token: string;
  readonly refreshToken: string;
  /** On the monotonic clock. */
  readonly born: number;
  /** How long it lives, where its times tell; else it lives until the cloud says otherwise. */
  readonly lifeMs: number;
}

/** Pause after a failed activation, and between two sessions opened because of a 401. */
const restMs = 30_000;
const endMs = 2_000;

const marginOf = (lifeMs: number): number => Math.min(60_000, lifeMs / 5);

type Keys = Pick<Settings, "objectKeys">;

/** No session yet. `api` asks the cloud. */
export function createObjectSession(
  { objectKeys }: Keys,
  { clock, ends }: Pick<Ports, "clock" | "ends">,
  learn: (secret: string) => void,
  api: (region: string, signal: AbortSignal) => Api,
): ObjectSession {
  let open: Open | undefined;
  let failure: { readonly error: SignInError; readonly until: number } | undefined;
  let reopened = -restMs;
  let place = "";

  const resting = () => failure !== undefined && clock.monotonic() < failure.until;

  /** What serves: while nothing new can be had, to its end; else so long that a request may be on its way for a while. */
  function serving(): Open | undefined {
    if (open === undefined) return undefined;
    const life = resting() ? open.lifeMs : open.lifeMs - marginOf(open.lifeMs);
    return clock.monotonic() - open.born < life ? open : undefined;
  }

  function keep({ sessionToken, refreshToken }: Tokens, lifeMs: number): void {
    learn(sessionToken);
    learn(refreshToken);
    open = { token: sessionToken, refreshToken, born: clock.monotonic(), lifeMs };
    ends?.add(end);
    failure = undefined;
  }

  /** Longer life for the one that is about to end; undefined where only a new one helps. */
  async function refreshed({ token, refreshToken, lifeMs }: Open, cloud: Api): Promise<Tokens | undefined> {
    if (lifeMs === Number.POSITIVE_INFINITY) return undefined;
    try {
      return await refreshSession(cloud, token, refreshToken);
    } catch (error) {
      if (error instanceof SignInError) return undefined;
      throw error;
    }
  }

  const flight = singleFlight(async (signal) => {
    const cloud = api(place, signal);
    const tokens = open && (await refreshed(open, cloud));
    if (open !== undefined && tokens !== undefined) return keep(tokens, open.lifeMs);
    try {
      const activated = await activate(cloud, objectKeys);
      keep(activated, sessionLifetime(await sessionTimes(cloud, activated)));
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      const until = error.final ? Number.POSITIVE_INFINITY : clock.monotonic() + restMs;
      failure = { error, until };
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
      if (objectKeys === undefined) throw missingKeys();
      signal.throwIfAborted();
      place ||= region;
      if (serving() === undefined && !resting()) await flight.join(signal);
      const now = serving();
      if (now !== undefined) return now.token;
      throw failure?.error ?? new TypeError("no session, and no failure");
    },
    renew(refused) {
      if (open?.token !== refused) return true;
      const now = clock.monotonic();
      if (now - reopened < restMs) return false;
      reopened = now;
      open = undefined;
      ends?.delete(end);
      return true;
    },
    end,
  };
}

function missingKeys(): ConfigError {
  const names = "set access_key and secret_key, or both in the environment";
  const variables = `${environmentOf("accessKey")}, ${environmentOf("secretKey")}`;
  const problem = `is missing: objects are read and written in a session of an access key; ${names} (${variables})`;
  return new ConfigError([{ path: ["accessKey"], problem }]);
}
