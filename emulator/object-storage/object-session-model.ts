import { digestOf } from "../auth/api-key.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, existing, newResource } from "../model/cloud.ts";
import type { Resource } from "../state/store.ts";

/**
 * Session of an access key; the name is the access key, `goneAt` the end of the session. Its tokens are stored as digests. A
 * failed attempt is a session that ended when it started.
 */
export type ObjectSession = Resource & { digest: string; refreshDigest: string; lastActiveAt: number };

export const objectSessionModel = (cloud: Cloud) => cloud.store.model<ObjectSession>("object_session");

/** Tokens of a session as returned to the client. */
export type SessionTokens = { readonly sessionToken: string; readonly refreshToken: string };

const newTokens = ({ store }: Cloud): SessionTokens => ({
  sessionToken: `session-${store.newUuid("session token")}`,
  refreshToken: `refresh-${store.newUuid("refresh token")}`,
});

const digests = ({ sessionToken, refreshToken }: SessionTokens) => ({
  digest: digestOf(sessionToken),
  refreshDigest: digestOf(refreshToken),
});

function insert(
  cloud: Cloud,
  accessKey: string,
  tokens: Partial<SessionTokens>,
  goneAt: number,
): ObjectSession {
  return objectSessionModel(cloud).insert({
    ...newResource(cloud, "kos", "session", "global"),
    name: accessKey,
    parents: [],
    goneAt,
    lastActiveAt: cloud.now,
    ...digests({ sessionToken: "", refreshToken: "", ...tokens }),
  });
}

const attemptsMs = 300_000;

/** Rejects an attempt above the limit: 429. Successful and failed attempts count (docs/contract.md#9.5). */
export function refuseTooManyAttempts(cloud: Cloud, accessKey: string): void {
  const since = cloud.now - attemptsMs;
  const attempts = objectSessionModel(cloud)
    .all()
    .filter(({ name, createdAt }) => name === accessKey && createdAt > since);
  if (attempts.length >= cloud.settings.assume.sessionAttempts)
    throw new Refusal(429, "too many session activation attempts");
}

/** Counts a failed attempt. */
export const recordFailedAttempt = (cloud: Cloud, accessKey: string): void => {
  insert(cloud, accessKey, {}, cloud.now);
};

/** Starts a session and ends the previous one of the access key (docs/contract.md#9.5). */
export function insertSession(
  cloud: Cloud,
  accessKey: string,
): { session: ObjectSession; tokens: SessionTokens } {
  for (const session of existing(cloud, objectSessionModel(cloud).all()))
    if (session.name === accessKey) deleteResource(cloud, session, 0);
  const tokens = newTokens(cloud);
  return { session: insert(cloud, accessKey, tokens, cloud.now + cloud.settings.assume.sessionMs), tokens };
}

/** Extends a session and returns new tokens. */
export function renewTokens(cloud: Cloud, session: ObjectSession): SessionTokens {
  const tokens = newTokens(cloud);
  const goneAt = cloud.now + cloud.settings.assume.sessionMs;
  Object.assign(session, { ...digests(tokens), goneAt, updatedAt: cloud.now });
  return tokens;
}

/** Returns the session of a token, active or ended; else 404. */
export function requireSession(cloud: Cloud, token: string): ObjectSession {
  const digest = digestOf(token);
  const session = objectSessionModel(cloud)
    .all()
    .findLast((resource) => resource.digest === digest);
  if (session === undefined) throw new Refusal(404, "session not found");
  return session;
}

/** Accepts a request in an active session; else 401 (docs/contract.md#1.3). */
export function authorizeSession(cloud: Cloud, token: string | undefined): void {
  if (token === undefined && cloud.settings.assume.sessionHeader === "optional") return;
  if (token === undefined) throw new Refusal(401, "header x-session-token: required");
  const digest = digestOf(token);
  const session = existing(cloud, objectSessionModel(cloud).all()).find(
    (resource) => resource.digest === digest,
  );
  if (session === undefined) throw new Refusal(401, "header x-session-token: the session is over");
  session.lastActiveAt = cloud.now;
}
