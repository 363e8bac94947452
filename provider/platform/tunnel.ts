import http from "node:http";
import https from "node:https";
import { isIP, isIPv6, type Socket } from "node:net";
import tls from "node:tls";
import { withoutBrackets } from "./proxy.ts";

/** Connections through a proxy. The proxy opens a tunnel (CONNECT) and cannot read the encrypted content. */

/** Failure to open a tunnel. `code` is the reason, like that of a socket error. */
class TunnelError extends Error {
  override readonly name = "TunnelError";
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Host and port at the end of the tunnel; an IPv6 address without brackets. */
interface Target {
  readonly hostname: string;
  readonly port?: string | undefined;
}

/** TLS options for trusted certificates. */
export type Trust = Pick<tls.ConnectionOptions, "ca" | "rejectUnauthorized">;

type Connected = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

const connectMs = 10_000;

/** Returns a function that opens TLS connections through `proxy`. `secure` applies to the target and to the proxy. */
export function tunnel(proxy: string, secure: Trust) {
  return ({ hostname, port }: Target, connected: Connected): void => {
    const done = (socket: Socket) => connected(null, socket);
    const fail = (error: Error) => connected(error, null);
    const target = `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${port || 443}`;
    openTunnel({ proxy, target, secure, fail }, (socket) => {
      const safe = tls.connect({ ...secure, ...named(hostname), socket, ALPNProtocols: ["http/1.1"] });
      const late = () => safe.destroy(new TunnelError("UND_ERR_CONNECT_TIMEOUT"));
      safe.setTimeout(connectMs, late);
      safe.once("error", fail);
      safe.once("secureConnect", () => {
        safe.setTimeout(0);
        safe.off("timeout", late);
        safe.off("error", fail);
        done(safe);
      });
    });
  };
}

/** Returns the host for the verification of a certificate. The server name (SNI) is empty for an address (RFC 6066). */
const named = (host: string) => ({ host, servername: isIP(host) === 0 ? host : "" });

/** Opens a tunnel to `target`, as `host:port`. Calls `found` with its socket, or `fail` with a `TunnelError`. */
function openTunnel(
  {
    proxy,
    target,
    secure,
    fail,
  }: {
    readonly proxy: string;
    readonly target: string;
    readonly secure: Trust;
    readonly fail: (error: Error) => void;
  },
  found: (socket: Socket) => void,
): void {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    fail(new TunnelError("PROXY_ADDRESS"));
    return;
  }
  const user = [url.username, url.password].map(decoded).join(":");
  const request = (url.protocol === "https:" ? https : http).request({
    port: url.port || (url.protocol === "https:" ? 443 : 80),
    method: "CONNECT",
    path: target,
    agent: false,
    // Explicit options: NODE_TLS_REJECT_UNAUTHORIZED must not allow another server to get the password of the proxy, and
    // by default Node verifies the certificate for the name in the Host header, which is that of the target.
    ...secure,
    ...named(withoutBrackets(url.hostname)),
    timeout: connectMs,
    headers: {
      host: target,
      ...(user === ":" ? {} : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` }),
    },
  });
  const refused = (status: number | undefined) =>
    fail(new TunnelError(status === 407 ? "PROXY_AUTHENTICATION" : "PROXY_REFUSED"));
  const unreachable = ({ code = "" }: { code?: string }) =>
    fail(new TunnelError(/CERT|SIGNATURE/.test(code) ? "PROXY_CERTIFICATE" : "PROXY_UNREACHABLE"));
  request.once("timeout", () => request.destroy(new TunnelError("PROXY_UNREACHABLE")));
  request.once("error", unreachable);
  // A rejection can arrive as an ordinary response.
  request.once("response", ({ statusCode }) => {
    request.off("error", unreachable);
    request.on("error", () => {});
    request.destroy();
    refused(statusCode);
  });
  request.once("connect", ({ statusCode }, socket: Socket) => {
    if (statusCode === 200) found(socket.setTimeout(0));
    else {
      socket.destroy();
      refused(statusCode);
    }
  });
  request.end();
}

/** Returns a part of a URL without percent-encoding. Leaves invalid escape sequences unchanged. */
const decoded = (part: string): string =>
  new URLSearchParams(`part=${part.replaceAll("+", "%2B").replaceAll("&", "%26")}`).get("part") ?? "";
