import { createEmulator, type Emulator, type EmulatorOptions } from "../emulator/emulator.ts";

/** Emulator in this process that records every received request. */

export interface Request {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers of the connection, which are not recorded. */
const connectionHeaders = ["host", "connection", "content-length", "transfer-encoding"];

export interface Cloud {
  readonly emulator: Emulator;
  readonly url: string;
  /** Settings that connect a plugin to the emulator, by their environment variables, without a limit of requests. */
  readonly settings: Readonly<Record<string, string>>;
  /** Returns the requests since the start or the last `forget` or `forgetRequests`, oldest first. */
  requests(): readonly Request[];
  /** Deletes recorded requests, objects and faults, and restarts the ids of the emulator. */
  forget(): void;
  forgetRequests(): void;
  close(): Promise<void>;
}

export async function openCloud(options: EmulatorOptions = {}): Promise<Cloud> {
  const emulator = createEmulator({ taskMs: 0, ...options });
  let requests: Request[] = [];
  // The server of `listen` calls this member for every request.
  const { exchange } = emulator;
  emulator.exchange = (asked) => {
    const { method, url, body } = asked;
    const headers = Object.fromEntries(
      Object.entries(asked.headers).filter(([name]) => !connectionHeaders.includes(name)),
    );
    const path = `${url.pathname}${url.search}`;
    requests.push({ method, path, headers, body: Buffer.from(body).toString() });
    return exchange(asked);
  };
  const { url, close } = await emulator.listen();
  return {
    emulator,
    url,
    settings: {
      SERVICE_BASE_URL: url,
      SERVICE_API_KEY: "emulator-key",
      SERVICE_REGION: "In-Bangalore-1",
      SERVICE_MAX_REQUESTS_PER_SECOND: "0",
    },
    requests: () => requests,
    forget() {
      requests = [];
      emulator.reset();
    },
    forgetRequests() {
      requests = [];
    },
    close,
  };
}
