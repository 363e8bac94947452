import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { terraformSource } from "../../../provider/core/name.ts";
import type { Resource } from "../../../provider/definition/resource.ts";
import { grpcServer, routeOf } from "../../../provider/grpc/grpc.ts";
import { listen } from "../../../provider/grpc/listen.ts";
import { realPorts } from "../../../provider/platform/real-ports.ts";
import { allDefinitions, createProvider } from "../../../provider/terraform/rpc/rpc.ts";
import { defaults } from "./provider.ts";

/** Provider with resources that a test defines. It runs in the process of the test, and engines connect to it. */
export interface Attached {
  /** Environment variables that make an engine connect to the provider. */
  readonly environment: Readonly<Record<string, string>>;
  /** Stops the provider; throws the first error that occurred in it. */
  close(): Promise<void>;
}

export async function attach(
  resources: readonly Resource[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Attached> {
  const surroundings = { ports: realPorts, environment: { ...defaults, ...settings }, log: () => {} };
  const routes = createProvider(surroundings, () => {}, { ...allDefinitions, resources, lookups: [] });
  return serveEngines(terraformSource, async (path) => routeOf(routes, path));
}

/** Serves these routes to engines as the provider with this source address. */
export async function serveEngines(
  source: string,
  route: Parameters<typeof grpcServer>[0]["route"],
): Promise<Attached> {
  const failures: unknown[] = [];
  const { accept } = grpcServer({ route, onError: (_, error) => failures.push(error) });
  const folder = await mkdtemp(join(tmpdir(), "kcloud-attached-"));
  const path = join(folder, "plugin");
  const listener = await listen({ path }, accept);
  const place = {
    Protocol: "grpc",
    ProtocolVersion: 6,
    Pid: process.pid,
    Test: true,
    Addr: { Network: "unix", String: path },
  };
  return {
    environment: { TF_REATTACH_PROVIDERS: JSON.stringify({ [source]: place }) },
    async close() {
      listener.close();
      await rm(folder, { recursive: true });
      if (failures.length > 0) throw failures[0];
    },
  };
}
