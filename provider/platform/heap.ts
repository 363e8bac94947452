import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Size of the young generation in bytes at which its growth is stopped. By default V8 grows it quickly to 64 MB. */
const youngest = 8 * 2 ** 20;
/** Growth of the live heap in percent before a full collection. By default V8 lets the heap double or grow further. */
const growth = 20;

const youngSize = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;

/**
 * Limits the memory of this process, since engines and other plugins run on the same machine. Both limits affect only
 * heuristics of the collector, which reads them again each time. They cost some collections of a few milliseconds each.
 * V8 compares a hash of all flags with that of cached code: call this function when everything is loaded.
 */
export function stayLean(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  const collected = new PerformanceObserver(() => {
    if (youngSize() < youngest) return;
    setFlagsFromString("--semi-space-growth-factor=1");
    collected.disconnect();
  });
  collected.observe({ entryTypes: ["gc"] });
}
