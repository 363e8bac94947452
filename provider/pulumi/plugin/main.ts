import { ServerCredentials } from "@grpc/grpc-js";
import { StopError } from "../../core/error.ts";
import { realPorts } from "../../platform/real-ports.ts";
import { enginePid } from "../../platform/runtime.ts";
import { connectHost } from "../host.ts";
import { traceOf } from "../text.ts";
import { createPlugin } from "./plugin.ts";
import { say } from "./running.ts";

/**
 * The process: the engine starts it with its own address as the last argument, reads the port from the first line,
 * and at the end of a run sends Cancel, then SIGINT (pulumi.md 2.2). Without an engine it waits for one to attach.
 */

const plugin = createPlugin(realPorts, process.env);
const { server, running } = plugin;
running.host = connectHost(process.argv.at(-1) ?? "");

/** Stops what is under way, lets it say what it left behind, and goes. The engine waits five seconds. */
async function leave() {
  running.stop.abort(new StopError("stop"));
  const patience = new AbortController();
  await Promise.race([plugin.idle(), realPorts.clock.sleep(4_000, patience.signal)]);
  patience.abort();
  await running.session?.objects.end();
  process.exit();
}

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    void leave();
  });

/** One defect must not take the other calls along; it is told, and the exit status tells it too. */
function survive(error: unknown) {
  process.exitCode = 1;
  say(running, "DEBUG", `outside of any call: ${traceOf(error)}`);
}
process.on("unhandledRejection", survive);
process.on("uncaughtException", survive);

/** An engine that was killed says nothing: its process is gone, or another has taken its place as our parent. */
async function watchEngine() {
  const parent = process.ppid;
  const engine = Number(process.env[enginePid] ?? parent);
  while (process.ppid === parent && isAlive(engine)) await realPorts.clock.sleep(1_000);
  await leave();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Not ours to signal, but there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) {
    process.stderr.write("no port could be had on 127.0.0.1\n");
    process.exit(1);
  }
  process.stdout.write(`${port}\n`);
  void watchEngine();
});
