import { carry } from "./carry.ts";
import type { Departure } from "./client.ts";
import { CloudError, type Failure } from "./errors.ts";
import type { ByteStream, Receive, Reply, WireRequest } from "./ports.ts";
import type { Session } from "./session.ts";

/**
 * Bytes to and from pre-signed addresses: the only requests to a host that is not the cloud's (design promise 8). None
 * of our credentials goes there, no redirect is followed, and no text ever holds an address: whoever has it may use it.
 */
export interface Transfer {
  /** Sends all of it, once. Throws `CloudError`, what the content throws, or the signal's reason. */
  put(address: string, content: ByteStream, type?: string): Promise<void>;
  /** Gives what is there to `receive`, as it comes. Throws also for a body that breaks off, and what `receive` throws. */
  get(address: string, receive: Receive): Promise<void>;
}

/** Bytes that move for one operation; `departure` is told when some leave. */
export function createTransfer(
  { settings: { certificates }, ports: { clock, foreign }, agent, log }: Session,
  signal: AbortSignal,
  departure: Departure,
): Transfer {
  async function move(request: WireRequest): Promise<void> {
    const { method } = request;
    const trusting = { ...request, ...(certificates === undefined ? {} : { certificates }) };
    const began = clock.monotonic();
    const reply = await carry(foreign, clock, trusting, signal);
    log("debug", "transfer", {
      method,
      status: reply.kind === "answer" ? reply.status : reply.kind,
      ms: Math.round(clock.monotonic() - began),
    });
    const failure = failureOf(reply);
    if (failure !== undefined) throw failed(method, ...failure, reply);
  }

  return {
    async put(address, stream, type) {
      const url = foreignAddress("PUT", address);
      const headers = { "user-agent": agent, ...(type === undefined ? {} : { "content-type": type }) };
      departure.left = true;
      await move({ method: "PUT", url, headers, stream });
    },
    async get(address, receive) {
      const url = foreignAddress("GET", address);
      await move({ method: "GET", url, headers: { "user-agent": agent }, receive });
    },
  };
}

const isLoopback = (host: string): boolean => ["127.0.0.1", "localhost", "[::1]"].includes(host);

/** Throws `CloudError` for an address that is not to be trusted with anything. */
function foreignAddress(method: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url !== undefined && isSafe && url.username === "" && url.password === "") return url.href;
  throw failed(method, "unreadable", "the pre-signed address that the cloud gave is not one of https");
}

/** Statuses with which storage says that it did nothing and will not. */
const refusals = new Set([400, 401, 403, 404, 405, 409, 411, 412, 413, 415, 422]);

/** What a reply means: its words are those of a host that nobody knows, and are not repeated. */
function failureOf(reply: Reply): [Failure, string] | undefined {
  if (reply.kind === "unsent") return ["unsent", reply.reason];
  if (reply.kind === "lost") return ["ambiguous", reply.reason];
  const { status, cut } = reply;
  if (status >= 200 && status < 300) return cut ? ["ambiguous", "the content broke off"] : undefined;
  const expired = status === 403 ? ": the pre-signed address may have expired" : "";
  return [refusals.has(status) ? "rejected" : "ambiguous", `the storage answered ${status}${expired}`];
}

function failed(method: string, failure: Failure, said: string, reply?: Reply): CloudError {
  const status = reply?.kind === "answer" ? { status: reply.status } : {};
  return new CloudError({ failure, said, route: `${method} at a pre-signed address`, ...status });
}
