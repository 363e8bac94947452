import { enginePid } from "../platform/runtime.ts";
import "./stdout.ts";
import { writeSync } from "node:fs";
import { realPorts } from "../platform/real-ports.ts";
import { constantPaths } from "./constant-path.ts";
import { createLog, logLevel } from "./log.ts";
import { makeCertificate } from "./transport/certificate.ts";
import {
  always,
  type Bound,
  bind,
  type GrpcServer,
  grpcServer,
  type Method,
  type Routes,
  routeOf,
} from "./transport/grpc.ts";
import { handshakeLine, readInvitation, reattachText } from "./transport/handshake.ts";
import { listen } from "./transport/socket.ts";

/**
 * The plugin process. An engine starts it several times a command, so nothing is loaded before the handshake line
 * but what the line needs: the definitions come while the engine connects.
 */

const { clock } = realPorts;
const debug = process.argv.includes("--debug");
const log = createLog(logLevel(process.env), clock);

/** Answers that are the same bytes each time: an empty message, a health status "serving". */
const constant = (...bytes: number[]): Method<object, object> => ({
  requestType: { decode: () => ({}) },
  responseType: { encode: () => ({ finish: () => Uint8Array.from(bytes) }) },
});

/** What is to be done before the process ends. */
const ends = new Set<() => Promise<void>>();
const settle = () => Promise.all([...ends].map((end) => end()));

/**
 * Finds the code of a method, and loads no more for it than it needs: answers that never change come without a
 * definition.
 */
function finder(
  shutdown: () => void,
  stop: GrpcServer["stop"],
): (path: string) => Promise<Bound | undefined> {
  const own: Routes = {
    "/grpc.health.v1.Health/Check": bind(constant(0x08, 0x01), async () => ({})),
    "/plugin.GRPCController/Shutdown": bind(constant(), async () => {
      // Once it is answered, the engine waits two seconds and kills.
      await settle();
      if (!debug) shutdown();
      return {};
    }),
  };
  let provider: Promise<Routes> | undefined;
  const provide = async (): Promise<Routes> => {
    const { stayLean } = await import("../platform/heap.ts");
    stayLean();
    const { createProvider } = await import("./rpc/rpc.ts");
    return createProvider({ ports: { ...realPorts, ends }, environment: process.env, log }, stop);
  };
  return async (path) => {
    if (constantPaths.includes(path)) {
      const { constants } = await import("./constant.ts");
      return always(Buffer.from((await constants())[path] ?? "", "base64"));
    }
    const served = routeOf(own, path);
    if (served !== undefined) return served;
    provider ??= provide();
    return routeOf(await provider, path);
  };
}

async function main(): Promise<void> {
  const invitation = debug
    ? { clientCertificate: undefined, socketFolder: undefined }
    : readInvitation(process.env);
  if (typeof invitation === "string") {
    process.stderr.write(`${invitation}\n`);
    process.exitCode = 1;
    return;
  }
  const certificate = invitation.clientCertificate === undefined ? undefined : makeCertificate(clock.wall());
  let ending = false;
  const shutdown = () => {
    ending = true;
    clock.sleep(1000).then(end, fail);
  };
  const server: GrpcServer = grpcServer({
    route: finder(shutdown, (connection) => server.stop(connection)),
    tls: certificate && { ...certificate, client: invitation.clientCertificate ?? "" },
    failed: (method, error) => log("error", "a call failed", { method, error: trace(error) }),
    deserted: () => {
      if (ending) end();
    },
  });
  const socket = await listen(server.socket, invitation.socketFolder);
  const end = () => {
    socket.remove();
    process.exit();
  };
  writeSync(
    1,
    debug ? reattachText(socket.endpoint, process.pid) : handshakeLine(socket.endpoint, certificate?.der),
  );
  process.on("SIGINT", debug ? end : () => {}); // The engine decides, by StopProvider.
  process.on("SIGTERM", () => {
    server.stop();
    void quiet(server).then(settle).then(end);
  });
  if (!debug) orphaned(server).then(settle).then(end, fail);
}

/** Resolves when no call is in flight, or after two seconds. */
async function quiet(server: GrpcServer): Promise<void> {
  for (let left = 40; left > 0 && server.inFlight() > 0; left--) await clock.sleep(50);
}

const parent = Number(process.env[enginePid] ?? process.ppid);

/** An idle engine may close its connection and open it again half an hour later; a dead one does not. */
function engineLives(): boolean {
  try {
    return process.kill(parent, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Resolves when nobody can ask for anything any more. */
async function orphaned(server: GrpcServer): Promise<void> {
  do await clock.sleep(2000);
  while (server.connections() > 0 || server.inFlight() > 0 || engineLives());
}

const trace = (error: unknown): string =>
  error instanceof Error ? String(error.stack) : "a value that is no error was thrown";

/** A stray failure is written down and shows in the exit code; the other calls go on. */
function fail(error: unknown): void {
  log("error", "a failure outside of any call", { error: trace(error) });
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
