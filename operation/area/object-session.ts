import { sessionRoutes } from "../../provider/client/auth/object-session.ts";
import { maybeFlag, maybeText } from "../../provider/definition/validator.ts";
import { operation } from "../operation.ts";
import { requiredText } from "../parameter.ts";

const section = "9.5";
const sessionToken = requiredText("Token of the session.", { secret: true });

/**
 * Operations of sessions of the object storage. The client opens and renews the session of its own access key by itself; an access key
 * has one session at a time, so that these are for other access keys.
 */
export const objectSession = {
  activateSession: operation(sessionRoutes.activate, {
    section,
    about: "Opens the session of an access key, which ends an earlier one.",
    parameters: {
      accessKey: requiredText("Access key."),
      secretKey: requiredText("Secret of the access key.", { secret: true }),
    },
    request: (body) => ({ body }),
  }),
  refreshSession: operation(sessionRoutes.refresh, {
    section,
    about: "Extends a session and returns its new tokens.",
    parameters: {
      sessionToken,
      refreshToken: requiredText("Refresh token of the session.", { secret: true }),
    },
    request: ({ sessionToken, refreshToken }) => ({ path: { token: sessionToken }, body: { refreshToken } }),
    also: { expiresAt: maybeText },
  }),
  deactivateSession: operation(sessionRoutes.deactivate, {
    section,
    about: "Ends a session.",
    parameters: { sessionToken },
    request: ({ sessionToken }) => ({ path: { token: sessionToken } }),
  }),
  getSessionStatus: operation(sessionRoutes.status, {
    section,
    about: "Returns the times of a session, and whether it is active.",
    parameters: { sessionToken },
    request: ({ sessionToken }) => ({ path: { token: sessionToken } }),
    also: { createdAt: maybeText, isActive: maybeFlag },
  }),
};
