import { onAbort } from "./abort.ts";
import type { Clock, Ports, Transport } from "./ports.ts";

/** Maximum delay of a timer in ms, more than 24 days: a timer with a longer delay would fire at once. */
const longest = 2 ** 31 - 1;

const clock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(
        () => {
          unlink?.();
          resolve();
        },
        Math.min(ms, longest),
      );
      const unlink =
        signal &&
        onAbort(signal, (reason) => {
          clearTimeout(timer);
          reject(reason);
        });
    }),
};

let network: Promise<typeof import("./undici.ts")> | undefined;

/** Loads the network at the first request: most plugin processes of an engine send none. */
export function loadNetwork(): Promise<typeof import("./undici.ts")> {
  network ??= import("./undici.ts");
  return network;
}

const transportTo = (place: "cloud" | "foreign"): Transport => ({
  async send(request, signal) {
    const { send } = await loadNetwork();
    return send(request, signal, place);
  },
});

/** Ports to the clock, network, random numbers and commands of this machine. */
export const realPorts: Ports = {
  clock,
  transport: transportTo("cloud"),
  foreign: transportTo("foreign"),
  random: { next: Math.random },
  command: async (...call) => (await import("./command.ts")).run(...call),
};
