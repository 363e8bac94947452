import * as z from "zod/mini";
import type { Settings } from "../../config/config.ts";
import { CloudError, type Credential, isUnclear, SignInError } from "../../core/error.ts";
import { endpoint } from "../../definition/endpoint.ts";
import { maybeText } from "../../definition/validator.ts";
import { parseIsoTime } from "../../platform/ports.ts";
import type { Api } from "../client.ts";

/** Sessions of object storage as the cloud writes them (contract 9.5). */

const tokens = z.object({ sessionToken: z.string(), refreshToken: z.string() });
/** What a session is used and prolonged by. */
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
export async function prolong(api: Api, token: string, refreshToken: string): Promise<Tokens> {
  try {
    return await api.send(sessionRoutes.refresh, { path: { token }, body: { refreshToken } });
  } catch (error) {
    throw error instanceof CloudError ? refusalOf(error, "object session") : error;
  }
}

/** To what waits for a session a failure is either a refusal, or a request that never left. */
function refusalOf(error: CloudError, refused: Credential = "access key"): SignInError {
  const { route, said, status, requestId, failure } = error;
  const about = { route, said, status, requestId };
  if (failure === "throttled")
    return new SignInError({ ...about, failure: "auth", credential: "object session" }, true);
  if (failure === "unsent" || isUnclear(error))
    return new SignInError({ ...about, failure: "unsent", credential: "object session" }, false);
  return new SignInError({ ...about, failure: "auth", credential: refused }, true);
}

/** When a session that was just opened ends: as the answer says, or else its status. Nothing where neither does. */
export async function timesOf(api: Api, opened: Activated): Promise<Times> {
  if (Number.isFinite(lifeOf(opened))) return opened;
  try {
    return (await api.find(sessionRoutes.status, { path: { token: opened.sessionToken } })) ?? {};
  } catch (error) {
    // It serves all the same, until it is refused.
    if (error instanceof CloudError) return {};
    throw error;
  }
}

/** How long a session lives in ms, by the cloud's own clock: a time of its is never compared with one of ours. */
export function lifeOf({ expiresAt = "", lastActiveAt = "" }: Times): number {
  const [end, begin] = [expiresAt, lastActiveAt].map(parseIsoTime);
  if (end === undefined || begin === undefined || end <= begin) return Number.POSITIVE_INFINITY;
  return end - begin;
}
