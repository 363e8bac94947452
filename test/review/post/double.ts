import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock, Reply, Transport } from "../../../provider/platform/ports.ts";
import type { Draw } from "../../simulation/draw.ts";

/** Parts that the doubles of the hosts share: requests, faults, a clock, and the order of the requests of several jobs. */

export interface DoubleRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface DoubleReply {
  readonly status: number;
  /** JSON; undefined for an empty body. */
  readonly body?: unknown;
  /** Body in place of JSON. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Double of a host with its state. */
export interface Double {
  readonly api: string;
  answer(request: DoubleRequest): DoubleReply;
}

/** Reply to a request in place of the double's; "lost" executes the request and loses the response, "hangs" sends none. */
export type Fault = (request: DoubleRequest, count: number) => DoubleReply | "lost" | "hangs" | undefined;

/** Clock whose pauses end at once. Deadlines, which have a signal, end when a request hangs. */
export function testClock(): Clock & { readonly pauses: number[]; expire(): void } {
  const pauses: number[] = [];
  const deadlines = new Set<() => void>();
  let now = 0;
  return {
    pauses,
    monotonic: () => now,
    wall: () => now,
    expire() {
      for (const end of deadlines) end();
    },
    async sleep(ms, signal) {
      if (signal === undefined) {
        pauses.push(ms);
        now += ms;
        return;
      }
      await new Promise<void>((resolve, reject) => {
        deadlines.add(resolve);
        signal.addEventListener("abort", () => {
          deadlines.delete(resolve);
          reject(signal.reason);
        });
      });
    },
  };
}

/** Transport to a double in this process. `log` receives each request, "METHOD path" without the base. */
export function transportTo(
  double: Double,
  {
    clock,
    fault,
    log = [],
  }: { readonly clock?: ReturnType<typeof testClock>; readonly fault?: Fault; readonly log?: string[] } = {},
): Transport {
  return {
    async send({ method, url, headers, body }, signal): Promise<Reply> {
      const request: DoubleRequest = {
        method,
        url: new URL(url),
        headers,
        body: body === undefined ? {} : JSON.parse(body),
      };
      log.push(`${method} ${url.startsWith(double.api) ? url.slice(double.api.length) : url}`);
      const replaced = fault?.(request, log.length);
      if (replaced === "hangs") {
        const aborted = new Promise<never>((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        );
        clock?.expire();
        return aborted;
      }
      if (replaced === "lost") {
        double.answer(request);
        return { kind: "lost", reason: "the connection was reset" };
      }
      return replyOf(replaced ?? double.answer(request));
    },
  };
}

const textOf = ({ body, text }: DoubleReply): string =>
  text ?? (body === undefined ? "" : JSON.stringify(body));

const replyOf = (reply: DoubleReply): Reply => ({
  kind: "answer",
  status: reply.status,
  headers: { "content-type": "application/json; charset=utf-8", ...reply.headers },
  body: textOf(reply),
  cut: false,
});

/** Serves a double on a port of this machine. */
export async function serve<T extends Double>(
  double: (api: string) => T,
): Promise<{ readonly api: string; readonly double: T; close(): Promise<void> }> {
  let current: Double | undefined;
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part) => parts.push(part));
    incoming.on("end", () => {
      const text = Buffer.concat(parts).toString();
      const reply = current?.answer({
        method: incoming.method ?? "",
        url: new URL(incoming.url ?? "", current.api),
        headers: incoming.headers as Record<string, string>,
        body: text === "" ? {} : JSON.parse(text),
      }) ?? { status: 500 };
      outgoing.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
      outgoing.end(textOf(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const created = double(api);
  current = created;
  const close = async () => {
    await new Promise((resolve) => server.close(resolve));
  };
  return { api, double: created, close };
}

/** Serves a double on a port of this machine while `use` runs. */
export async function served<T>(
  double: (api: string) => Double,
  use: (api: string) => Promise<T>,
): Promise<T> {
  const { api, close } = await serve(double);
  try {
    return await use(api);
  } finally {
    await close();
  }
}

/** Job that sends requests; `start` is called with its transport. */
export interface Job {
  /** Number of requests of the other jobs that come before its first one. */
  readonly after: number;
  start(transport: Transport): Promise<unknown>;
}

/** Runs jobs whose requests are answered one after the other, in a drawn order. */
export async function interleaved(jobs: readonly Job[], transport: Transport, draw: Draw): Promise<void> {
  const waiting = new Map<number, () => void>();
  let count = 0;
  let active = 0;
  const results: Promise<unknown>[] = [];
  const begin = (job: Job, index: number): void => {
    active++;
    const turned: Transport = {
      async send(request, signal) {
        await new Promise<void>((resolve) => waiting.set(index, resolve));
        return transport.send(request, signal);
      },
    };
    results.push(job.start(turned).finally(() => active--));
  };
  // Jobs of one time start in the order of the list.
  const later = jobs
    .map((job, index) => ({ job, index }))
    .toSorted((a, b) => b.job.after - a.job.after || b.index - a.index);
  for (;;) {
    // The next job starts at its time, or when no other is left.
    while (later.length > 0 && (active === 0 || (later.at(-1)?.job.after ?? 0) <= count)) {
      const next = later.pop();
      if (next !== undefined) begin(next.job, next.index);
    }
    while (waiting.size < active) await Promise.resolve();
    if (active === 0 && later.length === 0) break;
    const entries = [...waiting];
    const chosen = entries[Math.floor(draw.next() * entries.length)];
    if (chosen === undefined) continue;
    waiting.delete(chosen[0]);
    count++;
    chosen[1]();
    // Lets the reply arrive, up to the next request or the end of the job.
    const before = active;
    while (waiting.size < active && active === before) await Promise.resolve();
  }
  await Promise.all(results);
}
