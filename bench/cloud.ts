import { createEmulator, type Emulator, type EmulatorOptions } from "../emulator/emulator.ts";

/** The emulator in this process, and every request that reached it. */

export interface Request {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Those are the connection's own. */
const carried = ["host", "connection", "content-length", "transfer-encoding"];

export interface Cloud {
  readonly emulator: Emulator;
  readonly url: string;
  /** Settings that point a plugin here, by their environment variables; no limit of requests. */
  readonly settings: Readonly<Record<string, string>>;
  /** What was asked since the start or since it was last forgotten, oldest first. */
  requests(): readonly Request[];
  /** Forgets requests, objects and faults; ids begin anew. */
  forget(): void;
  forgetRequests(): void;
  close(): Promise<void>;
}

export async function openCloud(options: EmulatorOptions = {}): Promise<Cloud> {
  const emulator = createEmulator({ taskMs: 0, ...options });
  let requests: Request[] = [];
  // The server of `listen` answers through the member, so that every request passes here.
  const { exchange } = emulator;
  emulator.exchange = (asked) => {
    const { method, url, body } = asked;
    const headers = Object.fromEntries(
      Object.entries(asked.headers).filter(([name]) => !carried.includes(name)),
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
