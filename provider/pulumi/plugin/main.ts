import "../../platform/runtime.ts";
import type { AddressInfo } from "node:net";
import { grpcServer, routeOf } from "../../platform/grpc.ts";

/**
 * Program of the Pulumi plugin. The engine reads the port from the first line of the output. Only the code of the
 * server is loaded before that line; the rest is loaded while the engine connects.
 */

/** Process id of the engine, read at the start: the engine may end before the rest is loaded. */
const parent = process.ppid;

const loadPlugin = () => import("./process.ts");

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => void loadPlugin().then(({ shutDown }) => shutDown()));

const { http } = grpcServer({
  route: async (path) => routeOf((await loadPlugin()).routes, path),
  maxMessage: 400 * 1024 * 1024,
  onError: (_, error) => void loadPlugin().then(({ logDefect }) => logDefect(error)),
});
http.once("error", () => {
  process.stderr.write("no port could be had on 127.0.0.1\n");
  process.exit(1);
});
http.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(http.address() as AddressInfo).port}\n`);
  void loadPlugin().then(({ watchEngine }) => watchEngine(parent));
});
