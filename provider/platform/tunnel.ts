import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import tls from "node:tls";

/** Connections through a proxy: it is asked for a way (CONNECT), and sees nothing of what goes through. */

/** Why there is no way; `code` tells it as the errors of sockets do. */
class TunnelError extends Error {
  override readonly name = "TunnelError";
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Where a connection goes. */
interface Target {
  readonly hostname: string;
  readonly port?: string | undefined;
}

/** Whom to trust at the far end. */
export type Trust = Pick<tls.ConnectionOptions, "ca" | "rejectUnauthorized">;

type Connected = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

const patienceMs = 10_000;

/** Makes connections through `proxy`, and trusts what `secure` says at the far end. */
export function tunnel(proxy: string, secure: Trust) {
  return ({ hostname, port }: Target, connected: Connected): void => {
    const done = (socket: Socket) => connected(null, socket);
    const fail = (error: Error) => connected(error, null);
    way(proxy, `${hostname}:${port || 443}`, fail, (socket) => {
      const safe = tls.connect({ ...secure, socket, ALPNProtocols: ["http/1.1"], servername: hostname });
      const late = () => safe.destroy(new TunnelError("UND_ERR_CONNECT_TIMEOUT"));
      safe.setTimeout(patienceMs, late);
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

/** Asks the proxy for a way to `target`. */
function way(
  proxy: string,
  target: string,
  fail: (error: Error) => void,
  found: (socket: Socket) => void,
): void {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    fail(new TunnelError("PROXY_ADDRESS"));
    return;
  }
  const user = [url.username, url.password].map(decoded).join(":");
  const request = (url.protocol === "https:" ? https : http).request({
    host: url.hostname,
    port: url.port || (url.protocol === "https:" ? 443 : 80),
    method: "CONNECT",
    path: target,
    agent: false,
    timeout: patienceMs,
    headers: {
      host: target,
      ...(user === ":" ? {} : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` }),
    },
  });
  const refused = (status: number | undefined) =>
    fail(new TunnelError(status === 407 ? "PROXY_AUTHENTICATION" : "PROXY_REFUSED"));
  const unreachable = () => fail(new TunnelError("PROXY_UNREACHABLE"));
  request.once("timeout", () => request.destroy(new TunnelError("PROXY_UNREACHABLE")));
  request.once("error", unreachable);
  // An answer that grants nothing comes as an ordinary one.
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

/** A part of an address as it was before it was put there; what is no code stands for itself. */
const decoded = (part: string): string =>
  new URLSearchParams(`part=${part.replaceAll("+", "%2B").replaceAll("&", "%26")}`).get("part") ?? "";
