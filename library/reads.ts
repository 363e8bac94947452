import { mostRows, type Reads } from "../operation/destruction/declaration.ts";
import { effectOf } from "../operation/operation.ts";
import { allOperations, type NamedOperation } from "../operation/operations.ts";
import type { Client } from "../provider/client/client.ts";
import { CloudError, isNotFound } from "../provider/core/error.ts";
import type { Values } from "../provider/core/value.ts";
import { callOperation } from "./call.ts";
import type { CallOptions } from "./option.ts";
import { paged } from "./page.ts";

/** Reads by the names of operations. */

/** Returns the reading operation of a name. Throws `TypeError` if there is none. */
function readingOperation(name: string): NamedOperation {
  const row = allOperations().find((each) => each.name === name);
  if (row === undefined || effectOf(row.operation) !== "reads") throw new TypeError(`${name} is no read`);
  return row;
}

/** Returns the arguments that an operation has: the region of a call is not that of every read. */
const accepted = ({ operation: { fields } }: NamedOperation, args: Values): Values =>
  Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(fields, name)));

/** Returns the reads of a client. */
export function readsOf(client: Client, options: CallOptions): Reads {
  const send = (row: NamedOperation, args: Values) =>
    callOperation(client, row.operation, accepted(row, args), options);
  return {
    one: (name, args) => send(readingOperation(name), args),
    async find(name, args) {
      try {
        return await send(readingOperation(name), args);
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    async rows(name, args) {
      const row = readingOperation(name);
      const { listing, endpoint } = row.operation;
      if (listing === undefined) throw new TypeError(`${name} is no listing`);
      const route = `${endpoint.method} ${endpoint.path}`;
      const rows: unknown[] = [];
      const all = paged({
        listing,
        written: accepted(row, args),
        route,
        send: (written) => send(row, written as Values),
      });
      for await (const found of all) {
        rows.push(found);
        if (rows.length === mostRows) break;
      }
      return rows;
    },
    unread(name, reason) {
      const { endpoint } = readingOperation(name).operation;
      return new CloudError({ failure: "unreadable", route: `${endpoint.method} ${endpoint.path}`, reason });
    },
  };
}
