import * as z from "zod";
import { digestOf } from "../auth/api-key.ts";
import { Refusal } from "../http/wire.ts";
import { isValidKeyPair } from "../iam/access-key-model.ts";
import { accountOperation } from "../iam/account-header.ts";
import { type Cloud, deleteResource } from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { text } from "../model/schema.ts";
import { isoTime } from "../state/clock.ts";
import { existsAt } from "../state/store.ts";
import {
  insertSession,
  type ObjectSession,
  recordFailedAttempt,
  refuseTooManyAttempts,
  renewTokens,
  requireSession,
} from "./object-session-model.ts";

const isActive = (cloud: Cloud, session: ObjectSession): boolean => existsAt(session, cloud.now);
const expiresAt = ({ goneAt = 0 }: ObjectSession): string => isoTime(goneAt);

/** Returns the active session of a token; 404 for an ended or unknown one. */
function requireActive(cloud: Cloud, token: string): ObjectSession {
  const session = requireSession(cloud, token);
  if (!isActive(cloud, session)) throw new Refusal(404, "session not found");
  return session;
}

const activateSession = accountOperation({
  name: "activate_session",
  method: "POST",
  path: "/kos/v1/sessions/activate",
  section: "9.5",
  source: "seed",
  body: z.strictObject({ accessKey: text, secretKey: text }),
  handle(cloud, { body: { accessKey, secretKey } }) {
    refuseTooManyAttempts(cloud, accessKey);
    if (!isValidKeyPair(cloud, accessKey, secretKey)) {
      recordFailedAttempt(cloud, accessKey);
      throw new Refusal(401, "wrong access key or secret key");
    }
    const { session, tokens } = insertSession(cloud, accessKey);
    const lastActiveAt = isoTime(session.lastActiveAt);
    return { status: 200, body: { ...tokens, expiresAt: expiresAt(session), lastActiveAt } };
  },
});

const refreshSession = operation({
  name: "refresh_session",
  method: "POST",
  path: "/kos/v1/sessions/refresh/{session_token}",
  section: "9.5",
  source: "seed",
  body: z.strictObject({ refreshToken: text }),
  handle(cloud, { body: { refreshToken }, path: { session_token: token } }) {
    const session = requireActive(cloud, token);
    if (session.refreshDigest !== digestOf(refreshToken)) throw new Refusal(401, "wrong refresh token");
    const tokens = renewTokens(cloud, session);
    return { status: 200, body: { ...tokens, expiresAt: expiresAt(session) } };
  },
});

const deactivateSession = operation({
  name: "deactivate_session",
  method: "DELETE",
  path: "/kos/v1/sessions/deactivate/{session_token}",
  section: "9.5",
  source: "seed",
  handle(cloud, { path: { session_token: token } }) {
    deleteResource(cloud, requireActive(cloud, token), 0);
    return { status: 204 };
  },
});

const getSessionStatus = operation({
  name: "get_session_status",
  method: "GET",
  path: "/kos/v1/sessions/status/{session_token}",
  section: "9.5",
  source: "seed",
  handle(cloud, { path: { session_token: token } }) {
    const session = requireSession(cloud, token);
    return {
      status: 200,
      body: {
        lastActiveAt: isoTime(session.lastActiveAt),
        createdAt: isoTime(session.createdAt),
        isActive: isActive(cloud, session),
        expiresAt: expiresAt(session),
      },
    };
  },
});

/** Sessions for reading and writing objects. */
export const objectSessionKind: ResourceKind = {
  name: "object_session",
  operations: [activateSession, refreshSession, deactivateSession, getSessionStatus],
};
