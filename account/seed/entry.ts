import { reveal, type Values } from "../../provider/core/value.ts";
import type { AccountObject } from "../object.ts";
import type { Recorded, StateFile } from "../state/recorded.ts";
import { type Entry, textIn } from "./row.ts";

/** Entries of a seed, from states and from the listings of an account. */

/** Returns a sentence for each object that a state may have and that cannot be read: a seed without it would be another cloud. */
export const gapsOf = (paths: readonly string[], states: readonly StateFile[]): string[] =>
  states.flatMap(({ gaps }, index) =>
    gaps.map((gap) => `${paths[index]} may have objects that cannot be read: ${gap}`),
  );

/** Returns the entries of the objects in states; an object whose id is not known yet has none. */
export const entriesOf = (states: readonly StateFile[]): Entry[] =>
  states.flatMap(({ objects }) => objects.flatMap(recordedEntry));

function recordedEntry({ resource, state }: Recorded): Entry[] {
  if (!state.id) return [];
  const values = reveal(state.values) as Values;
  const region = textIn(values, "region") ?? "";
  return [{ kind: resource.name, id: state.id, region, values, createdAt: state.createdAt }];
}

/** Returns the entry of an object in the listings of an account. */
export const listedEntry = ({ resource, id, region = "", state, createdAt }: AccountObject): Entry => ({
  ...{ kind: resource.name, id, region, values: reveal(state.values) as Values, createdAt },
  isListed: true,
});
