import * as z from "zod/mini";
import {
  activate,
  refreshSession,
  sessionLifetime,
  sessionRoutes,
  sessionTimes,
  type Tokens,
} from "../provider/client/auth/object-session.ts";
import { InputError, isNotFound } from "../provider/core/error.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineEphemeral } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";

/** Fraction of its lifetime after which a session is renewed. */
const share = 0.75;

/**
 * Ephemeral session of an access key, for other programs (docs/contract.md#9.5). An access key has at most one active
 * session.
 */
export const objectSession = defineEphemeral({
  name: "object-session",
  category: "object-storage",
  about:
    "A session of the object storage for another program, with an access key of its own. It is renewed during the run, then ended, and stored in no state.",
  fields: {
    accessKey: field(
      text,
      "ID of the access key. Must differ from the access key of the provider, whose session would end.",
    ),
    secretKey: field(text, "Secret of the access key.", { secret: true }),
    token: computed(z.string(), "Token for the header `x-session-token`.", { secret: true }),
    expiresAt: computed(
      z.string(),
      "Expiry time by the clock of the API, unless the session is renewed; null if the API does not return it.",
    ),
  },
})({
  async open({ api, inputs: { accessKey, secretKey } }) {
    if (accessKey === api.accessKey) {
      const problem =
        "is that of the provider, and an access key has one session at a time: use another access key";
      throw new InputError([{ path: ["accessKey"], problem }]);
    }
    const opened = await activate(api, { accessKey, secretKey });
    const times = await sessionTimes(api, opened);
    const seconds = (sessionLifetime(times) * share) / 1000;
    const values = { token: opened.sessionToken, expiresAt: times.expiresAt };
    return { values, lease: leaseOf(opened, seconds) };
  },

  async renew({ api, key: { token, refreshToken, seconds } }) {
    return leaseOf(
      await refreshSession(api, { token: String(token), refreshToken: String(refreshToken) }),
      Number(seconds),
    );
  },

  async close({ api, key: { token } }) {
    try {
      await api.send(sessionRoutes.deactivate, { path: { token: String(token) } });
    } catch (error) {
      // The session has already ended.
      if (!isNotFound(error)) throw error;
    }
  },
});

/** Returns the lease of a session. A session with an unknown lifetime is not renewed. */
const leaseOf = ({ sessionToken: token, refreshToken }: Tokens, seconds: number) =>
  Number.isFinite(seconds)
    ? { key: { token, refreshToken, seconds }, renewAfter: seconds }
    : { key: { token, refreshToken } };
