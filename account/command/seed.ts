import { explain, InputError } from "../../provider/core/error.ts";
import { reveal, type Values } from "../../provider/core/value.ts";
import { UnreadableError } from "../../review/read/read.ts";
import { type Entry, type Row, textIn } from "../seed/row.ts";
import { type Seed, seedOf } from "../seed/seed.ts";
import type { Recorded, StateFile } from "../state/recorded.ts";
import { readState } from "../state/state.ts";

/** Seed of `kcloud emulator --from-state`, or the reason why there is none. */
export type StateSeed = Seed | { readonly problem: string };

/** Reads states and makes the seed of an emulator. `known` are the rows of an inventory of the account. */
export function seedFromStates(paths: readonly string[], known: readonly Row[]): StateSeed {
  try {
    const states = paths.map(readState);
    const [gap] = gapsOf(paths, states);
    if (gap !== undefined) return { problem: gap };
    return seedOf(
      states.flatMap(({ objects }) => objects.flatMap(entriesOf)),
      { known },
    );
  } catch (error) {
    if (error instanceof UnreadableError) return { problem: error.message };
    if (error instanceof InputError) return { problem: explain(error).detail };
    throw error;
  }
}

/** Returns a sentence for each object that a state may have and that cannot be read: a seed without it would be another cloud. */
export const gapsOf = (paths: readonly string[], states: readonly StateFile[]): string[] =>
  states.flatMap(({ gaps }, index) =>
    gaps.map((gap) => `${paths[index]} may have objects that cannot be read: ${gap}`),
  );

/** Returns the entry of an object in a state; none for one whose id is not known yet. */
export function entriesOf({ resource, state }: Recorded): Entry[] {
  if (!state.id) return [];
  const values = reveal(state.values) as Values;
  return [
    {
      ...{ kind: resource.name, id: state.id, region: textIn(values, "region") ?? "", values },
      createdAt: state.createdAt,
    },
  ];
}
