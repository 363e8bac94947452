import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Size in bytes at which the young generation stops growing. The default of V8 is 64 MB, reached quickly. */
const youngest = 8 * 2 ** 20;
/** Growth of the live heap in percent before a full collection. By default the heap of V8 can double and more. */
const growth = 20;

const youngSize = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;

/**
 * Limits the memory and the processor time of this process, since engines and other plugins run on the same machine. The
 * limits of memory affect only heuristics of the collector, which reads them again each time. They cost some collections
 * of a few milliseconds each. The optimizing compiler takes more time than its code saves while a command runs; the one
 * before it compiles what is called often. V8 compares a hash of all flags with that of cached code: call this function
 * when everything is loaded.
 */
export function stayLean(): void {
  setFlagsFromString("--no-turbofan");
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  const collected = new PerformanceObserver(() => {
    if (youngSize() < youngest) return;
    setFlagsFromString("--semi-space-growth-factor=1");
    collected.disconnect();
  });
  collected.observe({ entryTypes: ["gc"] });
}
