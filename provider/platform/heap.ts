import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Bytes for what was made last; V8 would take 64 MB for it, as fast as it can get them. */
const youngest = 16 * 2 ** 20;
/** By how many percent what lives may grow before all of it is collected; V8 would let it double, and more. */
const growth = 20;

const youngSize = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;

/**
 * Keeps this process from taking memory because it is there: engines run beside it, and other plugins. Both limits
 * are only heuristics of the collector, which it reads anew each time; they cost some collections of a few
 * milliseconds.
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
