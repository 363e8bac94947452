const rounds = 6;
const repeats = 10;
/** Resolution of the processor time in µs. */
const tick = 4_000;

/**
 * Returns how many times more processor time the larger one of two tasks of the same kind takes. Both run in turn, and
 * the fastest round of each counts, so that the result does not depend on the speed or the load of the machine.
 */
export async function growth(small: () => Promise<unknown>, large: () => Promise<unknown>): Promise<number> {
  const least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  const time = async (task: () => Promise<unknown>) => {
    const before = process.cpuUsage();
    for (let repeat = 0; repeat < repeats; repeat++) await task();
    return process.cpuUsage(before).user;
  };
  for (let round = 0; round < rounds; round++) {
    least.small = Math.min(least.small, await time(small));
    least.large = Math.min(least.large, await time(large));
  }
  return least.large / Math.max(least.small, tick);
}
