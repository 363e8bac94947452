/** Chance that a seed decides: the same seed and label give the same draws on every machine. */
export interface Draw {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number, both ends included. */
  int(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
  /** A number between the two, small ones as often as large ones. */
  spread(least: number, most: number): number;
  /** Chance of its own for one purpose: what is drawn there disturbs nothing here. */
  fork(label: string): Draw;
}

/** FNV-1a: 32 bits of a text. */
function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  return bits >>> 0;
}

/** A stream of draws (mulberry32: 32 bits of state, good enough to choose by). */
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
