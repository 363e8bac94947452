import { createEmulator } from "../emulator/emulator.ts";
import { type Given } from "../provider/config.ts";
import { realPorts, type Reply, type Transport } from "../provider/ports.ts";
import { openSession } from "../provider/session.ts";

/** The provider's core and the emulator in one process, without a socket between them. */
export function transportTo(fetch: (request: Request) => Promise<Response>): Transport {
  return {
    async send({ url, method, headers, body }, signal): Promise<Reply> {
      const request = new Request(url, { method, headers, signal, redirect: "manual", ...(body ? { body } : {}) });
      try {
        const response = await fetch(request);
        const text = await response.text();
        return { kind: "answer", status: response.status, headers: Object.fromEntries(response.headers), body: text, cut: false };
      } catch (error) {
        signal.throwIfAborted();
        return { kind: "lost", reason: "the connection broke before the answer was there" };
      }
    },
  };
}

export const session = (emulator: ReturnType<typeof createEmulator>, given: Given = {}) =>
  openSession(
    { baseUrl: "http://127.0.0.1:1", apiKey: "emulator-key", region: "In-Bangalore-1", maxRequestsPerSecond: 0, ...given },
    { ...realPorts, transport: transportTo(emulator.fetch) },
  );
