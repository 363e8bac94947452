/** Which proxy an address is asked through, as the environment says it: HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */

/** A variable, which programs write small or large. */
const variable = (environment: NodeJS.ProcessEnv, name: string): string =>
  environment[name.toLowerCase()] || environment[name.toUpperCase()] || "";

/** This machine itself is never behind a proxy. */
const isOwn = (host: string): boolean => host === "localhost" || host === "[::1]" || host.startsWith("127.");

/** Whether one word of NO_PROXY means this address: a host, a domain above it, either with a port, or all. */
function isMeant(word: string, { hostname, port, protocol }: URL): boolean {
  if (word === "*") return true;
  const [, name = "", only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(word.toLowerCase()) ?? [];
  const here = port || (protocol === "https:" ? "443" : "80");
  if (name === "" || (only !== undefined && only !== here)) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}

/** The proxy's address; undefined where there is none between. It may hold a name and a password. */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): string | undefined {
  if (isOwn(url.hostname)) return undefined;
  const proxy = variable(environment, `${url.protocol.slice(0, -1)}_proxy`);
  const direct = variable(environment, "no_proxy")
    .split(/[\s,]+/)
    .filter(Boolean);
  return proxy === "" || direct.some((word) => isMeant(word, url)) ? undefined : proxy;
}
