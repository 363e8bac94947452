import "../../platform/runtime.ts";
import { grpcServer, routeOf } from "../../grpc/grpc.ts";
import { listen } from "../../grpc/listen.ts";
import { handleEngineSignals } from "../../platform/signal.ts";

/**
 * Program of the Pulumi plugin. The engine reads the port from the first line of the output. Only the code of the
 * server is loaded before that line; the rest is loaded while the engine connects.
 */

/** Process id of the engine, read at the start: the engine may end before the rest is loaded. */
const parent = process.ppid;

const loadPlugin = () => import("./process.ts");

handleEngineSignals((signal) => void loadPlugin().then(({ receiveSignal }) => receiveSignal(server, signal)));
process.on("SIGTERM", () => void loadPlugin().then(({ shutDown }) => shutDown(server)));

const server = grpcServer({
  route: async (path) => routeOf((await loadPlugin()).routes, path),
  maxMessage: 400 * 1024 * 1024,
  onError: (_, error) => void loadPlugin().then(({ logDefect }) => logDefect(error)),
});
listen({ host: "127.0.0.1", port: 0 }, server.accept).then(
  ({ port }) => {
    process.stdout.write(`${port}\n`);
    void loadPlugin().then(({ watchEngine }) => watchEngine(server, parent));
  },
  () => {
    process.stderr.write("no port could be had on 127.0.0.1\n");
    process.exit(1);
  },
);
