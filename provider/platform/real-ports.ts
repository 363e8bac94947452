import type { Clock, Ports, Transport } from "./ports.ts";

/** A timer takes no more: beyond 24 days it would fire at once. */
const longest = 2 ** 31 - 1;

const clock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        },
        Math.min(ms, longest),
      );
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** The network is opened with the first request: an engine starts a plugin several times a command, mostly for none. */
let network: Promise<typeof import("./undici.ts")> | undefined;
const wayTo = (place: "cloud" | "foreign"): Transport => ({
  async send(request, signal) {
    network ??= import("./undici.ts");
    const { send } = await network;
    return send(request, signal, place);
  },
});

/** The machine's own clock, network, chance and programs. */
export const realPorts: Ports = {
  clock,
  transport: wayTo("cloud"),
  foreign: wayTo("foreign"),
  random: { next: Math.random },
  command: async (...call) => (await import("./command.ts")).run(...call),
};
