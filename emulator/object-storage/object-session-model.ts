import { digestOf } from "../auth/api-key.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, existing, newResource } from "../model/cloud.ts";
import type { Resource } from "../state/store.ts";

/**
 * A session of an access key, which is its name; it is gone when it is over. Its tokens are kept only as digests. An
 * attempt that gave none is a row that never lived.
 */
export type ObjectSession = Resource & { digest: string; refreshDigest: string; lastActiveAt: number };

export const objectSessionModel = (cloud: Cloud) => cloud.store.model<ObjectSession>("object_session");

/** The tokens of a session, as they are told. */
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

/** Refuses the attempt that is one too many, whether those before it went well or not (seed S1:139). */
export function refuseTooManyAttempts(cloud: Cloud, accessKey: string): void {
  const since = cloud.now - attemptsMs;
  const attempts = objectSessionModel(cloud)
    .all()
    .filter(({ name, createdAt }) => name === accessKey && createdAt > since);
  if (attempts.length >= cloud.settings.assume.sessionAttempts)
    throw new Refusal(429, "too many session activation attempts");
}

/** Counts an attempt that gave no session. */
export const recordFailedAttempt = (cloud: Cloud, accessKey: string): void => {
  insert(cloud, accessKey, {}, cloud.now);
};

/** A new session, which ends the one before (seed S1:29). */
export function insertSession(
  cloud: Cloud,
  accessKey: string,
): { session: ObjectSession; tokens: SessionTokens } {
  for (const session of existing(cloud, objectSessionModel(cloud).all()))
    if (session.name === accessKey) deleteResource(cloud, session, 0);
  const tokens = newTokens(cloud);
  return { session: insert(cloud, accessKey, tokens, cloud.now + cloud.settings.assume.sessionMs), tokens };
}

/** Longer life under new tokens. */
export function renewTokens(cloud: Cloud, session: ObjectSession): SessionTokens {
  const tokens = newTokens(cloud);
  const goneAt = cloud.now + cloud.settings.assume.sessionMs;
  Object.assign(session, { ...digests(tokens), goneAt, updatedAt: cloud.now });
  return tokens;
}

/** The session of a token, over or not; 404 where there never was one. */
export function requireSession(cloud: Cloud, token: string): ObjectSession {
  const digest = digestOf(token);
  const session = objectSessionModel(cloud)
    .all()
    .findLast((resource) => resource.digest === digest);
  if (session === undefined) throw new Refusal(404, "session not found");
  return session;
}

/** Lets pass what is done in a session that is not over; else 401 (contract 1.3). */
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
