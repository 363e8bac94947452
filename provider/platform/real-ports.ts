import type { Clock, Ports, Transport } from "./ports.ts";

/** Maximum delay of a timer in ms, more than 24 days: with a longer delay the timer would fire at once. */
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

/** Loaded with the first request: an engine starts a plugin several times per command, mostly without any request. */
let network: Promise<typeof import("./undici.ts")> | undefined;
const wayTo = (place: "cloud" | "foreign"): Transport => ({
  async send(request, signal) {
    network ??= import("./undici.ts");
    const { send } = await network;
    return send(request, signal, place);
  },
});

/** Ports to the clock, network, random numbers and commands of this machine. */
export const realPorts: Ports = {
  clock,
  transport: wayTo("cloud"),
  foreign: wayTo("foreign"),
  random: { next: Math.random },
  command: async (...call) => (await import("./command.ts")).run(...call),
};
