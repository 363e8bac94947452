import type { Readable } from "node:stream";
import tls from "node:tls";
import type { Dispatcher } from "undici";
import Pool from "undici/lib/dispatcher/pool.js";
import { onAbort } from "./abort.ts";
import { isLocked, lockRefusal } from "./address-lock.ts";
import type { Receive, Reply, WireRequest } from "./ports.ts";
import { proxyFor } from "./proxy.ts";
import { type Trust, tunnel } from "./tunnel.ts";

/**
 * Real network, with one pool of connections per destination, origin and certificates. Imports only undici's pool:
 * loading the whole library takes four times as long as the start of Node. Sends each request once and follows no
 * redirect.
 */

/**
 * Destination of a request: the API, or any other host. The two never share a connection, even on the same host.
 */
export type Destination = "cloud" | "foreign";

const pools = new Map<string, Pool>();
const mostBytes = 16 * 1024 * 1024;

function poolOf(place: Destination, origin: string, certificates = ""): Pool {
  const key = `${place} ${origin} ${certificates}`;
  const known = pools.get(key);
  if (known !== undefined) return known;
  const secure: Trust = {
    rejectUnauthorized: true,
    ...(certificates === "" ? {} : { ca: [...usualCertificates(), certificates] }),
  };
  const proxy = proxyFor(new URL(origin), process.env);
  const pool = new Pool(origin, {
    connections: 32,
    // HTTP/1.1 only: HTTP/2 has more kinds of failures, such as refused streams and GOAWAY frames.
    allowH2: false,
    connect: proxy === undefined ? { timeout: 10_000, ...secure } : tunnel(proxy, secure),
  });
  pools.set(key, pool);
  return pool;
}

/** Returns the certificates trusted by default. Node before 22.15 can return only its built-in list. */
const usualCertificates = (): readonly string[] => tls.getCACertificates?.("default") ?? tls.rootCertificates;

/**
 * Codes of errors that occur before a request is handed to a connection: the request was certainly not sent. After an
 * error on its connection, it may have been executed. Each text follows the name of the host.
 */
const unreached: Readonly<Record<string, string>> = {
  ENOTFOUND: "is not known",
  EAI_AGAIN: "could not be looked up",
  ECONNREFUSED: "refused the connection",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "is on an unreachable network",
  UND_ERR_CONNECT_TIMEOUT: "did not accept a connection within 10 s",
};
/** Other codes of such errors, each with a complete reason. An error with any other code was in the TLS handshake. */
const unsent: Readonly<Record<string, string>> = {
  UND_ERR_INVALID_ARG: "the request contains a character that is not allowed",
  PROXY_ADDRESS: "the proxy's address (HTTPS_PROXY) is invalid: use one such as http://proxy.example:3128",
  PROXY_UNREACHABLE: "the proxy (HTTPS_PROXY) cannot be reached",
  PROXY_CERTIFICATE: "the certificate of the proxy (HTTPS_PROXY) is not trusted",
  PROXY_REFUSED: "the proxy (HTTPS_PROXY) refused the connection",
  PROXY_AUTHENTICATION: "the proxy (HTTPS_PROXY) requires a user name and a password",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is not signed by a trusted authority",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is not signed by a trusted authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate is not signed by a trusted authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the server's certificate is not signed by a trusted authority",
};

const lost: Reply = { kind: "lost", reason: "the connection was closed before the response" };

/** Returns the reply for a request that was handed to no connection: its connection failed or the request is invalid. */
function notStarted(error: unknown, { host }: URL): Reply {
  const code = (error as { code?: string }).code ?? "";
  const ofHost = unreached[code];
  if (ofHost !== undefined) return { kind: "unsent", reason: `the host ${host} ${ofHost}` };
  const detail = code === "" ? "" : ` (${code})`;
  const reason = unsent[code] ?? `the secure connection to the host ${host} could not be opened${detail}`;
  return { kind: "unsent", reason };
}

/** Returns the reason why the lock of this process does not allow a request to the URL, or to its proxy. */
function refusalOf(url: URL): string | undefined {
  if (!isLocked(process.env)) return undefined;
  const refusal = lockRefusal(url, process.env);
  if (refusal !== undefined) return refusal;
  const proxy = proxyFor(url, process.env);
  return proxy !== undefined && URL.canParse(proxy)
    ? lockRefusal(new URL(proxy), process.env)?.replace(/^/, "the proxy ")
    : undefined;
}

/** Implements `Transport.send` with real sockets. */
export function send(
  request: WireRequest,
  signal: AbortSignal,
  place: Destination = "cloud",
): Promise<Reply> {
  const url = new URL(request.url);
  const refusal = refusalOf(url);
  if (refusal !== undefined) return Promise.resolve({ kind: "unsent", reason: refusal });
  const { body, stream, receive } = request;
  return new Promise((resolve, reject) => {
    const stopped: Reply = { kind: "unsent", reason: `no connection to the host ${url.host} was open` };
    if (signal.aborted) return resolve(stopped);
    let isStopped = false;
    let head: { status: number; headers: Record<string, string> } | undefined;
    let abort: ((reason: Error) => void) | undefined;
    let size = 0;
    const chunks: Buffer[] = [];
    // Settles at once. Before the connection is open there is nothing to abort; `onRequestStart` then aborts the request.
    const stop = () => {
      isStopped = true;
      if (abort === undefined) return end(stopped);
      reject(signal.reason);
      abort(new Error("stopped"));
    };
    const end = (reply: Reply) => {
      unlink();
      resolve(reply);
    };
    const answer = (cut: boolean): Reply =>
      head === undefined
        ? lost
        : { kind: "answer", ...head, body: Buffer.concat(chunks).toString("utf8"), cut };
    const unlink = onAbort(signal, stop);
    poolOf(place, url.origin, request.certificates).dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers:
          stream === undefined ? request.headers : { ...request.headers, "content-length": `${stream.size}` },
        // undici accepts iterables like streams, but its types do not include them.
        body: stream === undefined ? (body ?? null) : (stream.read() as unknown as Readable),
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(controller) {
          if (isStopped) controller.abort(new Error("stopped"));
          else abort = (reason) => controller.abort(reason);
        },
        onResponseStart(_controller, status, headers) {
          head = { status, headers: plain(headers) };
        },
        onResponseData(controller, chunk) {
          // undici delivers an empty part after each resume. A pause at it would lead to the next one, without end.
          if (chunk.length === 0) return;
          if (receive !== undefined && isSuccess(head?.status)) {
            deliver(receive, chunk, controller);
            return;
          }
          size += chunk.length;
          if (size > mostBytes) controller.abort(new Error("the response is larger than 16 MiB"));
          else chunks.push(chunk);
        },
        onResponseEnd: () => end(answer(false)),
        onResponseError: (_controller, error) =>
          end(abort === undefined ? notStarted(error, url) : answer(true)),
      },
    );
  });
}

const isSuccess = (status = 0): boolean => status >= 200 && status < 300;

/**
 * Passes a part of the body to the receiver and pauses the response until the receiver is done. An error of the
 * receiver aborts the request.
 */
function deliver(receive: Receive, chunk: Buffer, controller: Dispatcher.DispatchController): void {
  const end = (error: unknown) => controller.abort(error instanceof Error ? error : new Error("not taken"));
  try {
    const busy = receive(chunk);
    if (busy === undefined) return;
    controller.pause();
    busy.then(() => controller.resume(), end);
  } catch (error) {
    end(error);
  }
}

const plain = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
