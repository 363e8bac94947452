import { realPorts } from "../platform/real-ports.ts";
import { constantPaths } from "./constant-path.ts";
import { createProvider } from "./rpc/rpc.ts";

/**
 * The answers that never change, framed, in base64, by the paths of their methods. The bundler runs this and puts
 * what it gives in its place (tools/bundle.ts): the first of the processes that an engine starts for a command is
 * asked for no more, and loads no definition.
 */
export async function constants(): Promise<Readonly<Record<string, string>>> {
  const routes = createProvider({ ports: realPorts, environment: {}, log: () => {} }, () => {});
  const call = { signal: new AbortController().signal, connection: {} };
  const answers: Record<string, string> = {};
  for (const path of constantPaths)
    for await (const part of routes[path]?.run(new Uint8Array(), call) ?? [])
      answers[path] = Buffer.from(part).toString("base64");
  return answers;
}
