/** What a measure gives and how its samples become figures. */

export type Unit = "ms" | "s" | "MB" | "bytes" | "requests" | "×";

/** One row of the table. */
export interface Figure {
  readonly what: string;
  readonly unit: Unit;
  /** One for each run; their median is the figure. */
  readonly samples: readonly number[];
  /** The largest median that reaches the goal. */
  readonly goal?: number;
}

/** How often to measure, and who hears how far it is. */
export interface Bench {
  /** The rounds of a measure: as many as it proposes, unless the command line says otherwise. */
  rounds(proposed: number): number;
  /** Says what is being done, for whoever waits. */
  step(line: string): void;
}

/** A row of figures that belong to one run, so that their ratios mean something. */
export interface Measure {
  /** Names it on the command line. */
  readonly name: string;
  readonly about: string;
  run(bench: Bench): Promise<Figure[]>;
}

/** The value that an equal number of samples lie below and above; NaN of none. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Two rows of samples, round by round: what disturbs a round disturbs both. */
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
 * Runs every variant once a round, and begins each round with another one, so that none is always the first.
 * Every run returns its sample.
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
