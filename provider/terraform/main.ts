import { stackTrace } from "../core/error.ts";
import { enginePid } from "../platform/runtime.ts";
import "./stdout.ts";
import { writeSync } from "node:fs";
import {
  type BoundMethod,
  bindMethod,
  constantMethod,
  type GrpcServer,
  type Method,
  type Routes,
  routeOf,
} from "../grpc/grpc.ts";
import { loadNetwork, realPorts } from "../platform/real-ports.ts";
import { handleEngineSignals, isEnd } from "../platform/signal.ts";
import { constantPaths, servicePath } from "./constant-path.ts";
import { createLog, logLevel } from "./log.ts";
import { readPluginEnvironment } from "./transport/handshake.ts";
import { type PluginServer, servePlugin } from "./transport/transport.ts";

/**
 * Program of the Terraform plugin. An engine starts the program several times per command, so only the code of the
 * handshake is loaded before the handshake line. The first call that needs definitions loads them.
 */

const { clock } = realPorts;
const debug = process.argv.includes("--debug");
const log = createLog(logLevel(process.env), clock);

/** Ends a process that no engine started. */
let quit = (_: NodeJS.Signals): void => process.exit();
// The engine handles Ctrl-C and calls StopProvider.
handleEngineSignals((signal) => {
  if (debug && isEnd(signal)) quit(signal);
});

/** Returns a method with constant response bytes, such as an empty message or the health status "serving". */
const constantMessage = (...bytes: number[]): Method<object, object> => ({
  requestType: { decode: () => ({}) },
  responseType: { encode: () => ({ finish: () => Uint8Array.from(bytes) }) },
});

/** Functions to run before the process ends. */
const closers = new Set<() => Promise<void>>();
const runClosers = () => Promise.all([...closers].map((close) => close()));

/**
 * Limits the memory and the processor time of a process that runs for more than half a second. Loads all code first: with
 * other V8 flags the code caches of Node and of the bundle cannot be used.
 */
async function limitResources(): Promise<void> {
  await clock.sleep(500);
  await loadNetwork();
  const { stayLean } = await import("../platform/heap.ts");
  stayLean();
}

/** Creates the function that finds methods by path. It loads the definitions only for methods that need them. */
function createRouter(
  shutdown: () => void,
  stop: GrpcServer["stop"],
): (path: string) => Promise<BoundMethod | undefined> {
  const pluginMethods: Routes = {
    "/grpc.health.v1.Health/Check": bindMethod(constantMessage(0x08, 0x01), async () => ({})),
    "/plugin.GRPCController/Shutdown": bindMethod(constantMessage(), async () => {
      // The engine kills the process two seconds after the response.
      await runClosers();
      if (!debug) shutdown();
      return {};
    }),
  };
  let provider: Promise<Routes> | undefined;
  const loadProvider = async (): Promise<Routes> => {
    const { createProvider } = await import("./rpc/rpc.ts");
    limitResources().catch(fail);
    return createProvider({ ports: { ...realPorts, ends: closers }, environment: process.env, log }, stop);
  };
  return async (path) => {
    if (constantPaths.includes(path)) {
      const { constants } = await import("./constant.ts");
      return constantMethod(Buffer.from((await constants())[path] ?? "", "latin1"));
    }
    // Engines also call services of other plugins, in every process.
    if (!path.startsWith(servicePath)) return routeOf(pluginMethods, path);
    provider ??= loadProvider();
    return routeOf(await provider, path);
  };
}

async function main(): Promise<void> {
  const environment = debug ? undefined : readPluginEnvironment(process.env);
  if (typeof environment === "string") {
    process.stderr.write(`${environment}\n`);
    process.exitCode = 1;
    return;
  }
  let isShuttingDown = false;
  const shutdown = () => {
    isShuttingDown = true;
    clock.sleep(1000).then(end, fail);
  };
  const server: PluginServer = await servePlugin({
    environment,
    now: clock.wall(),
    route: createRouter(shutdown, (connection) => server.stop(connection)),
    onError: (method, error) => log("error", "a call failed", { method, error: stackTrace(error) }),
    onIdle: () => {
      if (isShuttingDown) end();
    },
  });
  const end = () => {
    server.removeSocket();
    process.exit();
  };
  const stop = () => {
    server.stop();
    void Promise.race([server.idle(), clock.sleep(2000)])
      .then(runClosers)
      .then(end);
  };
  quit = (signal) => (signal === "SIGINT" ? end() : stop());
  process.on("SIGTERM", stop);
  writeSync(1, server.announcement);
  if (!debug) engineEnded(server).then(runClosers).then(end, fail);
}

const parent = Number(process.env[enginePid] ?? process.ppid);

/** Returns true while the engine process runs: an idle engine may close its connection and open one half an hour later. */
function isEngineRunning(): boolean {
  try {
    return process.kill(parent, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Resolves when the engine process has ended and no connection or call remains. */
async function engineEnded(server: GrpcServer): Promise<void> {
  do await clock.sleep(2000);
  while (server.connections() > 0 || server.inFlight() > 0 || isEngineRunning());
}

/** Logs an unexpected failure and sets the exit code; other calls continue. */
function fail(error: unknown): void {
  log("error", "a failure outside of any call", { error: stackTrace(error) });
  process.exitCode = 1;
}

process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);
main().catch((error) => {
  process.stderr.write(
    `The provider could not start: ${error instanceof Error ? error.message : "no reason given"}\n`,
  );
  process.exit(1);
});
