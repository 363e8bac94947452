import type { StateFile } from "../account/state/recorded.ts";
import type { RehearsedStep } from "../review/model/rehearsal.ts";

/** Returns the address of a resource without the keys of its instances, as dependencies in a state of Terraform name it. */
const withoutKeys = (address: string): string => address.replaceAll(/\[("(\\.|[^"\\])*"|\d+)\]/g, "");

/**
 * Returns for each address, without the keys of instances, the objects that it depends on, or that depend on it, in any of the
 * states.
 */
export function relatedIn(states: readonly StateFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const related = new Map<string, Set<string>>();
  const add = (from: string, to: string) => related.set(from, (related.get(from) ?? new Set()).add(to));
  for (const { address, dependsOn } of states.flatMap(({ objects }) => objects))
    for (const other of dependsOn) {
      add(withoutKeys(address), withoutKeys(other));
      add(withoutKeys(other), withoutKeys(address));
    }
  return related;
}

/**
 * Returns the addresses of the steps that determine the duration: the longest chain of steps of related objects that ran one after
 * another, by their seconds, or by their number if one has no time.
 */
export function longestPath(
  steps: readonly RehearsedStep[],
  related: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  interface Path {
    readonly step: RehearsedStep;
    readonly length: number;
    readonly previous: Path | undefined;
  }
  const isTimed = steps.every(({ seconds }) => seconds !== undefined);
  const paths = new Map<string, Path[]>();
  let longest: Path | undefined;
  for (const step of steps.toSorted((one, other) => one.end - other.end)) {
    const key = withoutKeys(step.address);
    const previous = [key, ...(related.get(key) ?? [])]
      .flatMap((address) => paths.get(address) ?? [])
      .filter(({ step: { address, end } }) => end < step.start && isRelated(address, step.address))
      .reduce<Path | undefined>((best, path) => (path.length > (best?.length ?? 0) ? path : best), undefined);
    const path = {
      ...{ step, previous },
      length: (previous?.length ?? 0) + (isTimed ? (step.seconds ?? 0) : 1),
    };
    paths.set(key, [...(paths.get(key) ?? []), path]);
    if (longest === undefined || path.length > longest.length) longest = path;
  }
  const addresses: string[] = [];
  for (let path = longest; path !== undefined; path = path.previous) addresses.unshift(path.step.address);
  return addresses;
}

/** Returns true for one object, and for objects of two resources. */
const isRelated = (one: string, other: string): boolean =>
  one === other || withoutKeys(one) !== withoutKeys(other);
