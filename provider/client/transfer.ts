import { CloudError, type Failure } from "../core/error.ts";
import { isLoopback, isThisMachine } from "../core/ip-address.ts";
import { attribute, type Text, wording } from "../core/wording.ts";
import type { RequestTracker, Transfer } from "../definition/api.ts";
import type { Reply, WireRequest } from "../platform/ports.ts";
import type { Connection } from "./connection.ts";
import { backoff, pauseFor } from "./rate-limiter.ts";
import { sendStreaming } from "./request.ts";
import { retryAfterOf } from "./response.ts";

/** Maximum attempts of a request with 429 responses. */
const transferTries = 6;

/** Creates the uploads and downloads of one operation. An upload that may have been sent sets `tracker.sent`. */
export function createTransfer(
  {
    settings: { baseUrl, certificates },
    ports: { clock, foreign, random },
    serverClock,
    userAgent,
    log,
  }: Connection,
  {
    signal,
    inFlight,
    tracker,
  }: {
    readonly signal: AbortSignal;
    readonly inFlight: AbortSignal;
    readonly tracker: RequestTracker;
  },
): Transfer {
  async function once(request: WireRequest): Promise<Reply> {
    const { method } = request;
    signal.throwIfAborted();
    const trusting = { ...request, ...(certificates === undefined ? {} : { certificates }) };
    const began = clock.monotonic();
    const before = tracker.sent;
    if (method !== "GET") tracker.sent = true;
    const reply = await sendStreaming(
      { transport: foreign, clock, signal: method === "GET" ? signal : inFlight },
      trusting,
    );
    if (reply.kind === "unsent") {
      tracker.sent = before;
      signal.throwIfAborted();
    }
    log("debug", "transfer", {
      method,
      status: reply.kind === "answer" ? reply.status : reply.kind,
      ms: Math.round(clock.monotonic() - began),
    });
    return reply;
  }

  async function move(request: WireRequest, isNew = false): Promise<void> {
    for (let sent = 1; ; sent++) {
      const reply = await once(request);
      const failure = (isNew ? existsOf(reply, sent) : undefined) ?? failureOf(reply);
      if (failure === undefined) return;
      if (reply.kind !== "answer" || reply.status !== 429 || sent === transferTries)
        throw failed(request.method, ...failure, reply);
      const retryAfter = retryAfterOf(reply.headers, serverClock.time());
      await clock.sleep(pauseFor(retryAfter, backoff(random, sent, 1_000, 60_000)), signal);
    }
  }

  return {
    async put(address, stream, { type, isNew } = {}) {
      const url = foreignAddress("PUT", address, baseUrl);
      const headers = {
        "user-agent": userAgent,
        ...(type === undefined ? {} : { "content-type": type }),
        ...(isNew ? { "if-none-match": "*" } : {}),
      };
      await move({ method: "PUT", url, headers, stream }, isNew);
    },
    async get(address, receive) {
      const url = foreignAddress("GET", address, baseUrl);
      await move({ method: "GET", url, headers: { "user-agent": userAgent }, receive });
    },
  };
}

/**
 * Returns the normalized URL. Throws `CloudError` for a URL with user information, and for a scheme other than https,
 * except http to a loopback address. Throws for an address of this machine, unless the API has one too: local services may
 * trust local requests.
 */
function foreignAddress(method: string, address: string, baseUrl: string): string {
  const wrong = (problem: Text) =>
    failed(method, "unreadable", wording`the pre-signed URL that the API returned ${problem}`);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url === undefined || !isSafe || url.username !== "" || url.password !== "")
    throw wrong("does not use https");
  if (isThisMachine(url.hostname) && !isThisMachine(new URL(baseUrl).hostname))
    throw wrong(wording`refers to this machine, and ${attribute("baseUrl")} does not`);
  return url.href;
}

/**
 * Returns the failure of an upload with `isNew` if the key has an object. After a 429 that object may be the uploaded one.
 */
function existsOf(reply: Reply, sent: number): [Failure, string] | undefined {
  if (reply.kind !== "answer" || (reply.status !== 409 && reply.status !== 412)) return undefined;
  return [
    sent === 1 ? "conflict" : "ambiguous",
    `the object storage returned ${reply.status}: an object with this key exists`,
  ];
}

/** Statuses of requests that the storage did not execute and will reject again. */
const transferRefusals = new Set([400, 401, 403, 404, 405, 409, 411, 412, 413, 415, 422]);

/** Returns the failure of a reply; undefined for success. The text never quotes the body, which is of an unknown host. */
function failureOf(reply: Reply): [Failure, string] | undefined {
  if (reply.kind === "unsent") return ["unsent", reply.reason];
  if (reply.kind === "lost") return ["ambiguous", reply.reason];
  const { status, cut } = reply;
  if (status >= 200 && status < 300) return cut ? ["ambiguous", "the content ended early"] : undefined;
  if (status === 429) return ["throttled", "the object storage limits the number of requests"];
  const expired = status === 403 ? ": the pre-signed URL may have expired" : "";
  return [
    transferRefusals.has(status) ? "rejected" : "ambiguous",
    `the object storage returned ${status}${expired}`,
  ];
}

function failed(method: string, failure: Failure, message: Text, reply?: Reply): CloudError {
  const status = reply?.kind === "answer" ? { status: reply.status } : {};
  return new CloudError({ failure, reason: message, route: `${method} to a pre-signed URL`, ...status });
}
