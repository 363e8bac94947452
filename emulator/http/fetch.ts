import { bodyOf, type ConnectionOutcome, lengthOf, type WireRequest } from "./wire.ts";

/** Reads a `Request` into a wire request. */
export async function wireRequestOf(request: Request): Promise<WireRequest> {
  return {
    method: request.method,
    url: new URL(request.url),
    headers: Object.fromEntries(request.headers),
    body: new Uint8Array(await request.arrayBuffer()),
  };
}

/** Creates the error of a broken connection as `fetch` reports it: a `TypeError` whose cause has the system's code. */
function broken(code: string, message: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}

const brokenConnections = {
  reset: () => broken("ECONNRESET", "read ECONNRESET"),
  fin: () => broken("UND_ERR_SOCKET", "other side closed"),
};

/** Returns a promise that only the caller's signal rejects. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function partialBody(
  body: Uint8Array,
  ending: "break" | "stall",
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(body);
    },
    async pull(controller) {
      if (ending === "stall") await untilAborted(signal);
      controller.error(broken("UND_ERR_SOCKET", "other side closed"));
    },
  });
}

/** Rejects when the caller aborts first; the emulator still finishes the request. */
export function unlessAborted(
  outcome: Promise<ConnectionOutcome>,
  signal: AbortSignal,
): Promise<ConnectionOutcome> {
  return Promise.race([outcome, untilAborted(signal)]);
}

const bodiless = [101, 204, 205, 304];

/** Converts an outcome into a `Response`: a broken connection rejects, a hanging one waits for the signal. */
export async function responseOf(outcome: ConnectionOutcome, signal: AbortSignal): Promise<Response> {
  if (outcome.kind === "hang") return untilAborted(signal);
  if (outcome.kind !== "answer") throw brokenConnections[outcome.kind]();
  const { status, headers, ending, announced } = outcome;
  const length = announced === undefined ? lengthOf(outcome) : announced;
  const responseHeaders = length === "chunked" ? headers : { ...headers, "content-length": String(length) };
  if (bodiless.includes(status)) return new Response(null, { status, headers });
  const body = await bodyOf(outcome);
  return new Response(ending === "end" ? Buffer.from(body) : partialBody(body, ending, signal), {
    status,
    headers: responseHeaders,
  });
}
