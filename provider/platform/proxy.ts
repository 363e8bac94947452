import { isIPv6 } from "node:net";

/** Proxy for a URL, from the environment variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */

/** Returns the value of a variable, whose name is common in lower and in upper case; empty if it is not set. */
const variable = (environment: NodeJS.ProcessEnv, name: string): string =>
  environment[name.toLowerCase()] || environment[name.toUpperCase()] || "";

/** Returns the host of a URL, an IPv6 address without brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

/** Returns true for a loopback host, which is never reached through a proxy. */
const isOwn = (host: string): boolean => host === "localhost" || host === "[::1]" || host.startsWith("127.");

/**
 * Returns true if one word of NO_PROXY matches the URL: a host, a parent domain, either with a port, or `*` for all.
 */
function matchesUrl(word: string, { hostname, port, protocol }: URL): boolean {
  if (word === "*" || (isIPv6(word) && word.toLowerCase() === withoutBrackets(hostname))) return true;
  const [, name = "", only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(word.toLowerCase()) ?? [];
  const here = port || (protocol === "https:" ? "443" : "80");
  if (name === "" || (only !== undefined && only !== here)) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}

/**
 * Returns the address of the proxy, which may contain a user name and a password; undefined for a direct connection.
 */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): string | undefined {
  if (isOwn(url.hostname)) return undefined;
  const proxy = variable(environment, `${url.protocol.slice(0, -1)}_proxy`);
  const direct = variable(environment, "no_proxy")
    .split(/[\s,]+/)
    .filter(Boolean);
  return proxy === "" || direct.some((word) => matchesUrl(word, url)) ? undefined : proxy;
}
