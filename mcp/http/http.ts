import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  localhostAllowedHostnames,
  type Server,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { Account, Accounts } from "../account.ts";
import { isAccessToken, tokenProblem, typedKey } from "../key.ts";
import { createPreviews, type Previews } from "../preview.ts";
import { bodyOf, mostBytes, refusal, requestOf, sendResponse } from "./exchange.ts";
import { createSessions, type SessionLimits } from "./session.ts";

/** Serves clients over streamable HTTP. Every request carries its key. */

/** Path of the server. */
export const path = "/mcp";

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  /** Certificate chain and private key, PEM. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Names in `Host` and `Origin`, in addition to those of the loopback. */
  readonly hostNames: readonly string[];
  readonly accounts: Accounts;
  /** Returns the server of a client with these previews of destructions. */
  serverOf(account: Account, previews: Previews): Server;
  log(line: string): void;
  readonly limits?: SessionLimits;
}

export interface HttpServer {
  /** URL of the server. */
  readonly url: string;
  /** Ends all sessions and connections. */
  close(): Promise<void>;
}

/** Matches a host name or an address with a port, and nothing that a parser of URLs could drop, such as a user name. */
const hostForm = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
const originForm = /^https?:\/\/[^/@?#]*$/i;

/** Time in ms between two searches for idle sessions. */
const sweepMs = 60_000;

/** Returns a body as JSON; undefined if it is none. */
function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Starts a server. Throws the error of an address that cannot be used. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { host, port, tls, hostNames, accounts, serverOf, log, limits } = options;
  const allowed = [...localhostAllowedHostnames(), ...hostNames.map((name) => name.toLowerCase())];
  const sessions = createSessions(limits);
  const onerror = ({ message }: Error) => log(message);
  const statelessServer = (account: Account) => serverOf(account, account.previews);
  const modern = createMcpHandler(({ authInfo }) => statelessServer(authInfo?.extra?.account as Account), {
    legacy: "reject",
    onerror,
    maxRequestBodySize: mostBytes,
  });
  let hasNotice = false;

  /** Returns the key of a request, or a response that refuses it. */
  function keyOf({ headers: { authorization } }: IncomingMessage): string | Response {
    const challenge = { "www-authenticate": 'Bearer realm="kcloud"' };
    const [, credential] = /^Bearer\s+(.*)$/is.exec(authorization ?? "") ?? [];
    const { key, hasPrefix } = typedKey(credential ?? "");
    if (key === "")
      return refusal(
        401,
        "The API key is missing: send the header Authorization: Bearer API_KEY.",
        challenge,
      );
    if (isAccessToken(key)) return refusal(401, `Invalid API key: ${tokenProblem}.`, challenge);
    if (!/^[\x21-\x7e]+$/.test(key))
      return refusal(401, "The API key has characters that no key has.", challenge);
    if (hasPrefix && !hasNotice) {
      hasNotice = true;
      log('a client sends "Bearer " in front of its API key: the key is used without it');
    }
    return key;
  }

  async function answer(request: IncomingMessage, signal: AbortSignal): Promise<Response> {
    const { host: named, origin } = request.headers;
    if (!hostForm.test(named ?? "") || !validateHostHeader(named, allowed).ok)
      return refusal(403, "The Host of the request is no name of this server: --allow-host adds one.");
    if (!originForm.test(origin ?? "http://") || !validateOriginHeader(origin, allowed).ok)
      return refusal(403, "The Origin of the request is no name of this server: --allow-host adds one.");
    if (request.url?.split("?", 1)[0] !== path) return refusal(404, `The path of this server is ${path}.`);
    if (!["GET", "POST", "DELETE"].includes(request.method ?? ""))
      return refusal(405, "The method is not allowed.", { allow: "GET, POST, DELETE" });
    const key = keyOf(request);
    if (typeof key !== "string") return key;
    const body = await bodyOf(request);
    if (body === undefined)
      return refusal(413, `A request has at most ${mostBytes} bytes.`, { connection: "close" });
    const parsedBody = jsonIn(body);
    // The transport reads only a body that is no JSON itself, and answers with its problem.
    const unread = parsedBody === undefined ? body : "";
    const message = requestOf(request, { url: `http://localhost${path}`, body: unread, signal });
    const id = message.headers.get("mcp-session-id");
    const owner = accounts.digest(key);
    if (id !== null) {
      const session = sessions.find(id, owner);
      return session === undefined
        ? refusal(404, "There is no such session: initialize a new one.")
        : session.transport.handleRequest(message, { parsedBody });
    }
    const account = accounts.of(key);
    const authInfo = { token: "", clientId: owner, scopes: [], extra: { account } };
    if (!(await isLegacyRequest(message, parsedBody))) return modern.fetch(message, { authInfo, parsedBody });
    if (!isInitializeRequest(parsedBody))
      return refusal(400, "The session is missing: send mcp-session-id, or initialize a session.");
    const { transport } = await sessions.open(
      { digest: owner, isAccepted: account.isAccepted },
      serverOf(account, createPreviews()),
    );
    return transport.handleRequest(message, { parsedBody });
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const left = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) left.abort();
    });
    try {
      await sendResponse(await answer(request, left.signal), response);
    } catch (error) {
      if (left.signal.aborted) return;
      log(`a request failed: ${error instanceof Error ? error.message : String(error)}`);
      if (response.headersSent) response.destroy();
      else await sendResponse(refusal(500, "Internal error"), response);
    }
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response);
  const limitsOfNode = { headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 16_384 };
  // A server on standard input and output does not load them.
  const server =
    tls === undefined
      ? (await import("node:http")).createServer(limitsOfNode, listener)
      : (await import("node:https")).createServer({ ...limitsOfNode, ...tls }, listener);
  server.maxConnections = 1_000;
  server.listen({ host, port });
  await once(server, "listening");
  const timer = setInterval(sessions.sweep, sweepMs);
  timer.unref();
  const { address, port: actual, family } = server.address() as AddressInfo;
  const shown = family === "IPv6" ? `[${address}]` : address;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shown}:${actual}${path}`,
    async close() {
      clearInterval(timer);
      const closed = once(server, "close");
      server.close();
      await Promise.allSettled([sessions.close(), modern.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}
