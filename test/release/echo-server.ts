import { makeCertificate } from "../../provider/grpc/certificate.ts";
import { bindMethod, type GrpcCall, grpcServer, type Method, routeOf } from "../../provider/grpc/grpc.ts";
import { listen } from "../../provider/grpc/listen.ts";
import { listenSecurely } from "../../provider/grpc/secure.ts";

/**
 * Program of a gRPC server. With the certificate of a client as argument it requires mutual TLS. Prints the port and its own
 * certificate, then a line for each call and each error.
 */

const [client] = process.argv.slice(2);

const print = (line: string) => process.stdout.write(`${line}\n`);

const bytes: Method<Uint8Array, Uint8Array> = {
  requestType: { decode: (message) => message },
  responseType: { encode: (message) => ({ finish: () => message }) },
};

async function echo(request: Uint8Array): Promise<Uint8Array> {
  print(`echo of ${request.length} bytes`);
  return request;
}

async function large(): Promise<Uint8Array> {
  print("large");
  return Buffer.alloc(30 * 2 ** 20, "large ");
}

function wait(_: Uint8Array, { signal }: GrpcCall): Promise<Uint8Array> {
  print("waiting");
  return new Promise((_, reject) =>
    signal.addEventListener("abort", () => {
      print("cancelled");
      reject(signal.reason);
    }),
  );
}

const routes = {
  "/echo": bindMethod(bytes, echo),
  "/large": bindMethod(bytes, large),
  "/wait": bindMethod(bytes, wait),
};
const server = grpcServer({
  route: async (path) => routeOf(routes, path),
  onError: () => {},
  onIdle: () => print("idle"),
});
const place = { host: "127.0.0.1", port: 0 };
const own = makeCertificate(Date.now());
const onError = (_: string, error: unknown) => print(String(error));
const { port } =
  client === undefined
    ? await listen(place, server.accept)
    : await listenSecurely(place, server.accept, { certificate: own, client, onError });
print(`${port} ${own.der.toString("base64")}`);
