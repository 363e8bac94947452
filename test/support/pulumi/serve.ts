import { grpcServer, type Routes, routeOf } from "../../../provider/grpc/grpc.ts";
import { listen } from "../../../provider/grpc/listen.ts";

/** Server of a plugin that runs in the process of the test. */
export interface Served {
  readonly port: number;
  /** Stops the server; throws the first error that occurred in a call and has no gRPC status. */
  close(): void;
}

/** Serves the methods of a plugin on a port of 127.0.0.1. */
export async function serveRoutes(routes: Routes): Promise<Served> {
  const failures: unknown[] = [];
  const { accept } = grpcServer({
    route: async (path) => routeOf(routes, path),
    onError: (_, error) => failures.push(error),
  });
  const { port = 0, close } = await listen({ host: "127.0.0.1", port: 0 }, accept);
  return {
    port,
    close() {
      close();
      if (failures.length > 0) throw failures[0];
    },
  };
}
