import type { Values } from "../../provider/core/value.ts";
import { resources } from "../../resources/index.ts";
import { type Cloud, openCloud } from "../../test/support/cloud.ts";
import { instanceInputs } from "../configuration.ts";
import type { Bench, Measure } from "../measure.ts";

/**
 * Five hundred instances with core and emulator in one process, on the emulator's simulated clock, which skips waiting
 * times.
 */

const count = 500;
const taskMs = 30_000;
/** Default of the provider for requests per second. */
const usual = 10;
/** Length of a tick in ms: the shortest interval between two polls. */
const tickMs = 250;
/** Number of pages of a listing of all instances, with the largest page size (docs/contract.md#17.2). */
const pages = 5;

interface Sent {
  readonly at: number;
  readonly poll: boolean;
}

const isPoll = (method: string, url: string): boolean =>
  method === "GET" && /\/(search|task)|task/.test(new URL(url).pathname + new URL(url).search);

/** Creates the network of the instances. Returns a function that returns the inputs of an instance by its number. */
async function prepare(cloud: Cloud): Promise<(at: number) => Values> {
  const made = async (kind: string, inputs: Values) => (await cloud.run(cloud.create(kind, inputs))).id ?? "";
  const vpcId = await made("vpc", { name: "net" });
  const subnetId = await made("subnet", { vpcId, name: "web", cidr: "10.0.0.0/16" });
  const group = await made("security-group", { vpcId, name: "web" });
  return (at) => instanceInputs(`machine-${at}`, { vpcId, subnetId, group });
}

/** Creates all instances, `parallelism` at a time. */
async function createAll(cloud: Cloud, inputsOf: (at: number) => Values, parallelism: number): Promise<void> {
  const waiting = Array.from({ length: count }, (_, at) => at).values();
  const worker = async () => {
    for (const at of waiting) await cloud.create("instance", inputsOf(at));
  };
  await cloud.run(Promise.all(Array.from({ length: parallelism }, worker)));
}

/** Returns the largest number of polls in one tick. */
const busiest = (sent: readonly Sent[]): number => {
  const ticks = new Map<number, number>();
  for (const { at, poll } of sent)
    if (poll) ticks.set(Math.floor(at / tickMs), (ticks.get(Math.floor(at / tickMs)) ?? 0) + 1);
  return Math.max(0, ...ticks.values());
};

async function measure(bench: Bench, parallelism: number, rate = usual): Promise<void> {
  bench.step(`${count} instances, ${parallelism} at a time`);
  const sent: Sent[] = [];
  const cloud: Cloud = openCloud(
    { taskMs },
    { maxRequestsPerSecond: rate },
    {
      wrap: (transport) => ({
        send(request, signal) {
          sent.push({ at: cloud.elapsed(), poll: isPoll(request.method, request.url) });
          return transport.send(request, signal);
        },
      }),
    },
  );
  const inputsOf = await prepare(cloud);
  sent.length = 0;
  const began = cloud.elapsed();
  await createAll(cloud, inputsOf, parallelism);
  const took = (cloud.elapsed() - began) / 1000;
  const critical = Math.max(Math.ceil(count / parallelism) * (taskMs / 1000), sent.length / rate);
  const what = (rest: string) => `instance-clock: ${parallelism} at a time, ${rate} requests/s, ${rest}`;
  bench.report(
    { what: what("until all are active"), unit: "s", samples: [took] },
    { what: what("÷ critical path"), unit: "×", samples: [took / critical], goal: 1.1 },
    { what: what("requests"), unit: "requests", samples: [sent.length] },
    { what: what("polls of the busiest tick"), unit: "requests", samples: [busiest(sent)], goal: pages },
  );
}

export const instanceClock: Measure = {
  name: "instance-clock",
  about: `${count} instances of ${taskMs / 1000} s on the emulator's clock`,
  async run(bench) {
    if (!resources.some(({ name }) => name === "instance")) return;
    for (const [parallelism, rate] of [[10], [100], [100, 2 * usual], [count]] as const)
      await measure(bench, parallelism, rate);
  },
};
