import { effectOf, type Listing, type Operation } from "../operation/operation.ts";
import { areas } from "../operation/operations.ts";
import { type Client as Connection, openClient } from "../provider/client/client.ts";
import { gatherSettings } from "../provider/config/config.ts";
import { inWordsOf } from "../provider/core/wording.ts";
import { factsInWordsOf, type Log } from "../provider/platform/log.ts";
import type { Ports } from "../provider/platform/ports.ts";
import { callOperation } from "./call.ts";
import type { Client, ClientOptions, LogLine } from "./client-type.ts";
import { withStrings } from "./error.ts";
import type { CallOptions } from "./option.ts";
import { paged } from "./page.ts";
import { createTransfers, downloadFrom, uploadTo } from "./transfer.ts";
import { createWaiters } from "./waiter.ts";

/** Returns a log whose lines a program receives. */
const logTo =
  (receive: (line: LogLine) => void): Log =>
  (level, message, facts) =>
    receive({ level, message: inWordsOf("pulumi", message), facts: factsInWordsOf("pulumi", facts) });

/** Creates a client with these ports and variables, as `createClient` does with those of this machine. */
export function clientAt(options: ClientOptions, ports: Ports, environment: NodeJS.ProcessEnv): Client {
  const { log, ...settings } = options;
  const ends = new Set<() => Promise<void>>();
  let isClosed = false;
  const connection = openClient(
    gatherSettings(settings, environment),
    { ...ports, ends },
    log && logTo(log),
    "client",
  );
  /** Returns a method that throws once the client is closed. */
  const opened =
    (method: (...args: never[]) => unknown) =>
    (...args: never[]) => {
      if (isClosed) throw new TypeError("the client is closed");
      return withStrings(() => method(...args));
    };
  const waiters: { readonly [area: string]: object } = createWaiters(connection) as never;
  const find = areas.object?.downloadObject;
  const transfers = find === undefined ? {} : createTransfers(connection, find);
  const operations = Object.fromEntries(
    Object.entries(areas).map(([area, rows]) => [
      area,
      Object.fromEntries(
        Object.entries({
          ...Object.fromEntries(
            Object.entries(rows).map(([method, operation]) => [method, methodOf(connection, operation)]),
          ),
          ...waiters[area],
          ...(area === "object" ? transfers : {}),
        }).map(([name, method]) => [name, opened(method as never)]),
      ),
    ]),
  );
  const close = async () => {
    isClosed = true;
    await Promise.all([...ends].map((end) => end()));
  };
  return { ...operations, close, [Symbol.asyncDispose]: close } as unknown as Client;
}

type Written = Readonly<Record<string, unknown>>;
type Method = (written?: Written, options?: CallOptions) => unknown;

/** Returns the function that calls an operation. */
function methodOf(connection: Connection, operation: Operation): Method {
  const { endpoint, listing, transfer } = operation;
  if (transfer === "download")
    return (written = {}, options) => downloadFrom(connection, operation, written, options);
  if (transfer === "upload")
    return (written = {}, options) => uploadTo(connection, operation, written, options);
  const call = (written: Written = {}, options?: CallOptions, row?: Listing["row"]) =>
    callOperation(connection, operation, written, options, row);
  if (listing === undefined || effectOf(operation) !== "reads")
    return (written, options) => call(written, options);
  const route = `${endpoint.method} ${endpoint.path}`;
  return (written = {}, options) =>
    paged({
      listing,
      written,
      route,
      send: (args) => withStrings(() => call(args, options)),
      sendRows: (args) => withStrings(() => call(args, options, listing.row)),
    });
}
