import { effectOf, type Operation } from "../operation/operation.ts";
import { areas } from "../operation/operations.ts";
import { type Client as Connection, openClient } from "../provider/client/client.ts";
import { gatherSettings } from "../provider/config/config.ts";
import { inWordsOf } from "../provider/core/wording.ts";
import type { Ports } from "../provider/platform/ports.ts";
import { callOperation } from "./call.ts";
import type { Client, ClientOptions } from "./client-type.ts";
import type { CallOptions } from "./option.ts";
import { paged } from "./page.ts";
import { createTransfers, downloadFrom, uploadTo } from "./transfer.ts";
import { createWaiters } from "./waiter.ts";

/** Creates a client with these ports and variables, as `createClient` does with those of this machine. */
export function clientAt(options: ClientOptions, ports: Ports, environment: NodeJS.ProcessEnv): Client {
  const { log, ...settings } = options;
  const ends = new Set<() => Promise<void>>();
  let isClosed = false;
  const connection = openClient(
    gatherSettings(settings, environment),
    { ...ports, ends },
    (level, message, facts = {}) =>
      log?.({
        level,
        message: inWordsOf("pulumi", message),
        facts: Object.fromEntries(
          Object.entries(facts).map(([name, fact]) => [
            name,
            typeof fact === "number" ? fact : inWordsOf("pulumi", fact),
          ]),
        ),
      }),
    "client",
  );
  const requireOpen = () => {
    if (isClosed) throw new TypeError("the client is closed");
  };
  const waiters: { readonly [area: string]: object } = createWaiters(connection) as never;
  const find = areas.object?.downloadObject;
  const transfers = find === undefined ? {} : createTransfers(connection, find);
  const operations = Object.fromEntries(
    Object.entries(areas).map(([area, rows]) => [
      area,
      {
        ...Object.fromEntries(
          Object.entries(rows).map(([method, operation]) => [
            method,
            methodOf(connection, operation, requireOpen),
          ]),
        ),
        ...waiters[area],
        ...(area === "object" ? transfers : {}),
      },
    ]),
  );
  const close = async () => {
    isClosed = true;
    await Promise.all([...ends].map((end) => end()));
  };
  return { ...operations, close, [Symbol.asyncDispose]: close } as unknown as Client;
}

type Method = (written?: Readonly<Record<string, unknown>>, options?: CallOptions) => unknown;

/** Returns the function that calls an operation. */
function methodOf(connection: Connection, operation: Operation, requireOpen: () => void): Method {
  const { endpoint, listing, transfer } = operation;
  const checked =
    <T>(call: (written: unknown, options?: CallOptions) => T) =>
    (written: unknown = {}, options?: CallOptions): T => {
      requireOpen();
      return call(written, options);
    };
  if (transfer === "download")
    return checked((written, options) => downloadFrom(connection, operation, written, options));
  if (transfer === "upload")
    return checked((written, options) => uploadTo(connection, operation, written, options));
  const call = (written: unknown, options?: CallOptions) =>
    callOperation(connection, operation, written, options);
  if (listing === undefined || effectOf(operation) !== "reads") return checked(call);
  const route = `${endpoint.method} ${endpoint.path}`;
  return checked((written, options) =>
    paged({
      listing,
      written: written as Readonly<Record<string, unknown>>,
      route,
      send: (args) => call(args, options),
      sendRows: (args) => callOperation(connection, operation, args, options, listing.row),
    }),
  );
}
