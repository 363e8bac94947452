import type { Place } from "./data.ts";

/**
 * Fragment of the URL: a change, `#plan=shop&change=kcloud_volume.data`, a filter, `#action=delete&search=data`, or the id of a
 * section.
 */

/** Returns the link to a change. */
export const hrefOf = ({ plan, address }: Place): string =>
  `#${new URLSearchParams({ plan, change: address })}`;

/** Target of the fragment. */
export type Target =
  | { readonly change: Place }
  | { readonly filter: URLSearchParams }
  | { readonly section: string };

/** Returns the target of the fragment. `fields` are the names of the filter. */
export function targetOf(fields: readonly string[]): Target {
  const fragment = location.hash.slice(1);
  const wanted = new URLSearchParams(fragment);
  const address = wanted.get("change");
  if (address !== null) return { change: { plan: wanted.get("plan") ?? "", address } };
  return fields.some((name) => wanted.has(name)) ? { filter: wanted } : { section: fragment };
}

/** Replaces the fragment without a new entry in the history. */
export const setFragment = (wanted: URLSearchParams): void =>
  history.replaceState(undefined, "", `#${wanted}`);
