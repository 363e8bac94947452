/** Results of measures, and statistics of their samples. */

export type Unit = "ms" | "s" | "MB" | "bytes" | "requests" | "×";

/** Row of the table. */
export interface Figure {
  readonly what: string;
  readonly unit: Unit;
  /** One sample per run. The table shows their median. */
  readonly samples: readonly number[];
  /** Largest median that reaches the goal. */
  readonly goal?: number | undefined;
}

/** Number of rounds and progress of a measure. */
export interface Bench {
  /** Returns the number of rounds: that of the command line, else `proposed`. */
  rounds(proposed: number): number;
  /** Folder of another built checkout to compare with, from the command line. */
  readonly against: string | undefined;
  /** Prints the current step. */
  step(line: string): void;
  /** Prints figures as rows of the table. A measure reports each figure as soon as it is measured. */
  report(...figures: readonly Figure[]): void;
}

/** Measure of several figures, which come from the same run, so that their ratios are meaningful. */
export interface Measure {
  /** Name on the command line. */
  readonly name: string;
  readonly about: string;
  run(bench: Bench): Promise<void>;
}

/** Returns the median; NaN without samples. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Combines two lists of samples round by round, since a disturbance of a round affects both samples. */
export const pairwise = (
  left: readonly number[],
  right: readonly number[],
  combine: (left: number, right: number) => number,
): number[] => left.map((value, round) => combine(value, right[round] ?? Number.NaN));

export const ratio = (samples: readonly number[], floor: readonly number[]): number[] =>
  pairwise(samples, floor, (value, base) => value / base);

export const over = (samples: readonly number[], floor: readonly number[]): number[] =>
  pairwise(samples, floor, (value, base) => value - base);

export const inSeconds = (milliseconds: readonly number[]): number[] =>
  milliseconds.map((value) => value / 1000);

/**
 * Returns the samples of all variants. Runs every variant once per round. Each round starts with another variant, so that no
 * variant is always the first.
 */
export async function interleave<K extends string>(
  rounds: number,
  variants: Readonly<Record<K, () => Promise<number>>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(variants) as K[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = 0; round < rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)])
      samples[name].push(await variants[name]());
  }
  return samples;
}
