import { bodyOf, type ConnectionOutcome, lengthOf, type WireRequest } from "./wire.ts";

/** A `Request` as the emulator reads it. */
export async function wireRequestOf(request: Request): Promise<WireRequest> {
  return {
    method: request.method,
    url: new URL(request.url),
    headers: Object.fromEntries(request.headers),
    body: new Uint8Array(await request.arrayBuffer()),
  };
}

/** A broken connection as `fetch` reports it: a `TypeError` whose cause bears the system's code. */
function broken(code: string, message: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}

const brokenConnections = {
  reset: () => broken("ECONNRESET", "read ECONNRESET"),
  fin: () => broken("UND_ERR_SOCKET", "other side closed"),
};

/** Settles only by the caller's signal. */
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

/** The delivery, unless the caller gives up first: then it rejects, and what the request does goes on. */
export function unlessAborted(
  delivery: Promise<ConnectionOutcome>,
  signal: AbortSignal,
): Promise<ConnectionOutcome> {
  return Promise.race([delivery, untilAborted(signal)]);
}

const bodiless = [101, 204, 205, 304];

/** A delivery as a `Response`; a connection that breaks rejects, one that goes silent waits for the signal. */
export async function responseOf(delivery: ConnectionOutcome, signal: AbortSignal): Promise<Response> {
  if (delivery.kind === "hang") return untilAborted(signal);
  if (delivery.kind !== "answer") throw brokenConnections[delivery.kind]();
  const { status, headers, ending, announced } = delivery;
  const length = announced === undefined ? lengthOf(delivery) : announced;
  const sent = length === "chunked" ? headers : { ...headers, "content-length": String(length) };
  if (bodiless.includes(status)) return new Response(null, { status, headers });
  const body = await bodyOf(delivery);
  return new Response(ending === "end" ? Buffer.from(body) : partialBody(body, ending, signal), {
    status,
    headers: sent,
  });
}
