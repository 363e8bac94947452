import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { Given } from "../../provider/config/setting.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import type { Log } from "../../provider/platform/log.ts";
import type { Reply, Transport, WireRequest } from "../../provider/platform/ports.ts";
import { type Cloud, openCloud } from "./cloud.ts";

/** Credentials that the sign-in proxy accepts. */
export const login: Given = { apiKey: undefined, email: "ops@cloud.example", password: "canary-password" };

/** Returns a response of the API with the request id `r-1`. */
export const answer = (status: number, body: unknown): Reply => ({
  kind: "answer",
  status,
  headers: { "x-request-id": "r-1" },
  body: typeof body === "string" ? body : JSON.stringify(body),
  cut: false,
});

/** Emulator behind a proxy that handles sign-ins and accepts only the tokens that it issued. */
export interface SignInProxy {
  readonly cloud: Cloud;
  readonly signIns: WireRequest[];
  /** Time in ms at which each token was issued. */
  readonly tokens: Map<string, number>;
  readonly log: string[];
  /** Responses of the next sign-ins; the last one is repeated. If it is empty, a sign-in returns a token. */
  answers: Reply[];
}

/** Opens an emulator behind the proxy. `tokenMs` is the lifetime of a token in ms. */
export function withSignInProxy(
  options: EmulatorOptions = {},
  given: Given = {},
  tokenMs = 300_000,
): SignInProxy {
  function signIn(request: WireRequest): Reply {
    const count = proxy.signIns.push(request);
    const scripted = proxy.answers.length > 1 ? proxy.answers.shift() : proxy.answers[0];
    if (scripted !== undefined) return scripted;
    const token = `canary-token-${count}`;
    proxy.tokens.set(token, proxy.cloud.elapsed());
    return answer(200, {
      access_token: token,
      refresh_token: "canary-refresh",
      message: "ok",
      mfaEnabled: 0,
    });
  }

  const wrap = (inner: Transport): Transport => ({
    async send(request, signal) {
      if (new URL(request.url).pathname.startsWith("/iam/")) return signIn(request);
      const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
      const issuedAt = proxy.tokens.get(token) ?? Number.NEGATIVE_INFINITY;
      if (proxy.cloud.elapsed() - issuedAt >= tokenMs) return answer(401, { message: `${token} has ended` });
      const authorization = "Bearer emulator-key";
      return inner.send({ ...request, headers: { ...request.headers, authorization } }, signal);
    },
  });
  const log: string[] = [];
  const note: Log = (_, message, facts) =>
    log.push(`${inWordsOf("terraform", message)} ${JSON.stringify(facts)}`);
  const cloud = openCloud(options, { ...login, ...given }, { wrap, log: note });
  const proxy: SignInProxy = { cloud, signIns: [], tokens: new Map(), log, answers: [] };
  return proxy;
}
