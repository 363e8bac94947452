import { realPorts } from "../platform/real-ports.ts";
import { constantPaths } from "./constant-path.ts";
import { createProvider } from "./rpc/rpc.ts";

/**
 * Returns the constant responses, framed and with a character for each byte, by the paths of their methods. The bundler runs
 * this function and replaces it with its result (tools/bundle.ts): the first process of a command receives only calls with
 * constant responses, and so loads no definitions.
 */
export async function constants(): Promise<Readonly<Record<string, string>>> {
  const routes = createProvider({ ports: realPorts, environment: {}, log: () => {} }, () => {});
  const call = { signal: new AbortController().signal, connection: {} };
  const answers: Record<string, string> = {};
  for (const path of constantPaths)
    for await (const part of routes[path]?.run(new Uint8Array(), call) ?? [])
      answers[path] = Buffer.from(part).toString("latin1");
  return answers;
}
