import type { StateFile } from "../account/state/recorded.ts";
import type { RehearsedStep } from "../review/model/rehearsal.ts";

/** Returns for each address the objects that it depends on, or that depend on it, in any of the states. */
export function relatedIn(states: readonly StateFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const related = new Map<string, Set<string>>();
  const add = (from: string, to: string) => related.set(from, (related.get(from) ?? new Set()).add(to));
  for (const { address, dependsOn } of states.flatMap(({ objects }) => objects))
    for (const other of dependsOn) {
      add(address, other);
      add(other, address);
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
    const previous = [step.address, ...(related.get(step.address) ?? [])]
      .flatMap((address) => paths.get(address) ?? [])
      .filter((path) => path.step.end < step.start)
      .reduce<Path | undefined>((best, path) => (path.length > (best?.length ?? 0) ? path : best), undefined);
    const path = {
      ...{ step, previous },
      length: (previous?.length ?? 0) + (isTimed ? (step.seconds ?? 0) : 1),
    };
    paths.set(step.address, [...(paths.get(step.address) ?? []), path]);
    if (longest === undefined || path.length > longest.length) longest = path;
  }
  const addresses: string[] = [];
  for (let path = longest; path !== undefined; path = path.previous) addresses.unshift(path.step.address);
  return addresses;
}
