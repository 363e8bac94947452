import { digestOf } from "../auth/api-key.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteRow, live, newRow } from "../model/cloud.ts";
import type { Row } from "../state/store.ts";

/**
 * A session of an access key, which is its name; it is gone when it is over. Its tokens are kept only as digests. An
 * attempt that gave none is a row that never lived.
 */
export type ObjectSession = Row & { digest: string; refreshDigest: string; lastActiveAt: number };

export const objectSessionTable = (cloud: Cloud) => cloud.store.table<ObjectSession>("object_session");

/** The tokens of a session, as they are told. */
export type Tokens = { readonly sessionToken: string; readonly refreshToken: string };

const newTokens = ({ store }: Cloud): Tokens => ({
  sessionToken: `session-${store.newUuid("session token")}`,
  refreshToken: `refresh-${store.newUuid("refresh token")}`,
});

const digests = ({ sessionToken, refreshToken }: Tokens) => ({
  digest: digestOf(sessionToken),
  refreshDigest: digestOf(refreshToken),
});

function insert(cloud: Cloud, accessKey: string, tokens: Partial<Tokens>, goneAt: number): ObjectSession {
  return objectSessionTable(cloud).insert({
    ...newRow(cloud, "kos", "session", "global"),
    name: accessKey,
    parents: [],
    goneAt,
    lastActiveAt: cloud.now,
    ...digests({ sessionToken: "", refreshToken: "", ...tokens }),
  });
}

const attemptsMs = 300_000;

/** Refuses the attempt that is one too many, whether those before it went well or not (seed S1:139). */
export function refuseAttempts(cloud: Cloud, accessKey: string): void {
  const since = cloud.now - attemptsMs;
  const attempts = objectSessionTable(cloud)
    .all()
    .filter(({ name, createdAt }) => name === accessKey && createdAt > since);
  if (attempts.length >= cloud.settings.assume.sessionAttempts)
    throw new Refusal(429, "too many session activation attempts");
}

/** Counts an attempt that gave no session. */
export const insertAttempt = (cloud: Cloud, accessKey: string): void => {
  insert(cloud, accessKey, {}, cloud.now);
};

/** A new session, which ends the one before (seed S1:29). */
export function insertSession(cloud: Cloud, accessKey: string): { session: ObjectSession; tokens: Tokens } {
  for (const session of live(cloud, objectSessionTable(cloud).all()))
    if (session.name === accessKey) deleteRow(cloud, session, 0);
  const tokens = newTokens(cloud);
  return { session: insert(cloud, accessKey, tokens, cloud.now + cloud.settings.assume.sessionMs), tokens };
}

/** Longer life under new tokens. */
export function prolong(cloud: Cloud, session: ObjectSession): Tokens {
  const tokens = newTokens(cloud);
  const goneAt = cloud.now + cloud.settings.assume.sessionMs;
  Object.assign(session, { ...digests(tokens), goneAt, updatedAt: cloud.now });
  return tokens;
}

/** The session of a token, over or not; 404 where there never was one. */
export function requireSession(cloud: Cloud, token: string): ObjectSession {
  const digest = digestOf(token);
  const session = objectSessionTable(cloud)
    .all()
    .findLast((row) => row.digest === digest);
  if (session === undefined) throw new Refusal(404, "session not found");
  return session;
}

/** Lets pass what is done in a session that is not over; else 401 (contract 1.3). */
export function authorizeSession(cloud: Cloud, token: string | undefined): void {
  if (token === undefined && cloud.settings.assume.sessionHeader === "optional") return;
  if (token === undefined) throw new Refusal(401, "header x-session-token: required");
  const digest = digestOf(token);
  const session = live(cloud, objectSessionTable(cloud).all()).find((row) => row.digest === digest);
  if (session === undefined) throw new Refusal(401, "header x-session-token: the session is over");
  session.lastActiveAt = cloud.now;
}
