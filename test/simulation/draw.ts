/** Seeded source of random values: the same seed and label give the same values on every machine. */
export interface Draw {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer between both bounds, inclusive. */
  int(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
  /** Returns an integer between both bounds, distributed evenly on a logarithmic scale. */
  spread(least: number, most: number): number;
  /** Creates an independent source for one purpose: values drawn from it do not change those of this source. */
  fork(label: string): Draw;
}

/** Returns the 32-bit FNV-1a hash of a text. */
function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  return bits >>> 0;
}

/** Creates a source of random values (mulberry32, with 32 bits of state). */
export function createDraw(seed: string): Draw {
  let state = hash(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const draw: Draw = {
    next,
    int: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick(items) {
      if (items.length === 0) throw new RangeError("nothing to pick from");
      return items[Math.floor(next() * items.length)] as (typeof items)[number];
    },
    chance: (probability) => next() < probability,
    spread: (least, most) => Math.round(least * (most / least) ** next()),
    fork: (label) => createDraw(`${seed}/${label}`),
  };
  return draw;
}
