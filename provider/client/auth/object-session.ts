import type { Settings } from "../../config/config.ts";
import { environmentOf } from "../../config/setting.ts";
import { ConfigError, SignInError } from "../../core/error.ts";
import type { Ports } from "../../platform/ports.ts";
import type { Api } from "../client.ts";
import { activate, lifeOf, prolong, sessionRoutes, type Tokens, timesOf } from "./object-session-route.ts";
import { createFlight } from "./single-flight.ts";

/**
 * The session in which a process reads and writes objects (contract 9.5). Of an access key only one is active, and to
 * activate another one ends it: all of a process share one, and it is ended at the process's end.
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

/** So long nothing more is tried after a failure, and no second session is opened because of a 401. */
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
      return await prolong(cloud, token, refreshToken);
    } catch (error) {
      if (error instanceof SignInError) return undefined;
      throw error;
    }
  }

  const flight = createFlight(async (signal) => {
    const cloud = api(place, signal);
    const tokens = open && (await refreshed(open, cloud));
    if (open !== undefined && tokens !== undefined) return keep(tokens, open.lifeMs);
    try {
      const activated = await activate(cloud, objectKeys);
      keep(activated, lifeOf(await timesOf(cloud, activated)));
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
      if (serving() === undefined && !resting()) await flight.board(signal);
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
