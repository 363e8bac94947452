import { StopError, stackTrace } from "../../core/error.ts";
import type { GrpcServer } from "../../grpc/grpc.ts";
import { realPorts } from "../../platform/real-ports.ts";
import { enginePid } from "../../platform/runtime.ts";
import { isEnd } from "../../platform/signal.ts";
import { connectEngineLog, noEngineLog } from "../log.ts";
import { log } from "./context.ts";
import { createPlugin } from "./plugin.ts";

/**
 * Process of the plugin. The engine passes its address as the last argument, and sends Cancel and then SIGINT at the end
 * of a run. Without an address the plugin waits for an engine to attach.
 */

/** Server of the process, whose calls are waited for. */
type Server = Pick<GrpcServer, "idle">;

const engineLog = connectEngineLog(process.argv.at(-1) ?? "");
const isDebugged = engineLog === noEngineLog;
const plugin = createPlugin(realPorts, process.env, isDebugged);
const { context } = plugin;
export const { routes } = plugin;
context.engineLog = engineLog;

/**
 * Cancels the running calls, waits until the responses with the states of their objects are written, deactivates the object
 * session, and exits. The engine waits five seconds.
 */
export async function shutDown(server: Server): Promise<void> {
  context.stop.abort(new StopError("stop"));
  const timeout = new AbortController();
  const ended = server.idle().then(() => context.session?.objectSession.end());
  await Promise.race([ended, realPorts.clock.sleep(4_000, timeout.signal)]);
  timeout.abort();
  process.exit();
}

/** Shuts down after SIGINT, which the engine sends, and after any signal that ends a process that no engine started. */
export function receiveSignal(server: Server, signal: NodeJS.Signals): void {
  if (signal === "SIGINT" || (isDebugged && isEnd(signal))) void shutDown(server);
}

/** Logs an uncaught error and sets the exit status. The process continues, so that other calls can finish. */
export function logDefect(error: unknown) {
  process.exitCode = 1;
  log(context, "DEBUG", `outside of any call: ${stackTrace(error)}`);
}
process.on("unhandledRejection", logDefect);
process.on("uncaughtException", logDefect);

/**
 * Exits after the engine was killed without a signal to the plugin: the engine process has ended, or the parent process
 * of the plugin has changed.
 */
export async function watchEngine(server: Server, parent: number): Promise<void> {
  const engine = Number(process.env[enginePid] ?? parent);
  while (process.ppid === parent && isRunning(engine)) await realPorts.clock.sleep(1_000);
  await shutDown(server);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
