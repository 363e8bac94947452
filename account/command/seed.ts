import { explain, InputError } from "../../provider/core/error.ts";
import { UnreadableError } from "../../review/read/read.ts";
import { entriesOf, gapsOf } from "../seed/entry.ts";
import type { Row } from "../seed/row.ts";
import { type Seed, seedOf } from "../seed/seed.ts";
import { readState } from "../state/state.ts";

/** Seed of `kcloud emulator --from-state`, or the reason why there is none. */
export type StateSeed = Seed | { readonly problem: string };

/** Reads states and makes the seed of an emulator. `known` are the rows of an inventory of the account. */
export function seedFromStates(paths: readonly string[], known: readonly Row[]): StateSeed {
  try {
    const states = paths.map(readState);
    const [gap] = gapsOf(paths, states);
    if (gap !== undefined) return { problem: gap };
    return seedOf(entriesOf(states), { known });
  } catch (error) {
    if (error instanceof UnreadableError) return { problem: error.message };
    if (error instanceof InputError) return { problem: explain(error).detail };
    throw error;
  }
}
