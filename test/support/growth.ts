/** Minimum and maximum number of rounds. */
const [fewest, most] = [6, 40];
const repeats = 10;
/** Resolution of the processor time in µs. */
const tick = 4_000;

/**
 * Returns how many times more processor time the larger one of two tasks of the same kind takes. Both run in turn, and
 * the fastest round of each counts, so that the result does not depend on the speed of the machine. On a loaded machine
 * a round seems slower than it is: a result that is not below `limit` is measured further.
 */
export async function growth(
  small: () => Promise<unknown>,
  large: () => Promise<unknown>,
  limit: number,
): Promise<number> {
  const least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  const time = async (task: () => Promise<unknown>) => {
    const before = process.cpuUsage();
    for (let repeat = 0; repeat < repeats; repeat++) await task();
    return process.cpuUsage(before).user;
  };
  const result = () => least.large / Math.max(least.small, tick);
  for (let round = 0; round < fewest || (round < most && result() >= limit); round++) {
    least.small = Math.min(least.small, await time(small));
    least.large = Math.min(least.large, await time(large));
  }
  return result();
}
