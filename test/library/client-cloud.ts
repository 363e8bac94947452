import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { customer } from "../../emulator/state/id.ts";
import type { Client, ClientOptions } from "../../library/client.ts";
import { clientAt } from "../../library/open.ts";
import { type Between, type Cloud, openCloud } from "../support/cloud.ts";

/** Client and emulator in one process, on the clock of `openCloud`. */
export interface ClientCloud {
  readonly cloud: Cloud;
  readonly client: Client;
  /** Advances the clock until the work ends, and returns its result. */
  run<T>(work: PromiseLike<T>): Promise<T>;
  /** Returns the rows of an iteration. */
  rows<T>(iterable: AsyncIterable<T>): Promise<T[]>;
  /** Opens another client of the same emulator. */
  open(options?: ClientOptions): Client;
}

export const region = "In-Bangalore-1";

/** Opens a client of a new emulator, with the settings of all services. */
export function openClientCloud(
  emulator: EmulatorOptions = {},
  options: ClientOptions = {},
  between: Between = {},
): ClientCloud {
  const cloud = openCloud(emulator, {}, between);
  const run = <T>(work: PromiseLike<T>) => cloud.run(Promise.resolve(work));
  const open = (again: ClientOptions = {}) =>
    clientAt(
      {
        baseUrl: "http://127.0.0.1:1",
        apiKey: "emulator-key",
        region,
        accountId: "000000000000",
        accessKey: "emulator-access-key",
        secretKey: "emulator-secret-key",
        user: "someone",
        customerId: customer,
        maxRequestsPerSecond: 0,
        ...options,
        ...again,
      },
      cloud.session.ports,
      {},
    );
  return {
    cloud,
    client: open(),
    run,
    rows: (iterable) =>
      run(
        (async () => {
          const all = [];
          for await (const row of iterable) all.push(row);
          return all;
        })(),
      ),
    open,
  };
}
