import { hasUnknown, reveal, type Value } from "../provider/core/value.ts";
import { canonical } from "../review/model/canonical.ts";
import { type Change, isEffective } from "../review/model/change.ts";
import type { Plan } from "../review/model/plan.ts";
import { masked } from "../review/model/redaction.ts";

/** Differences between the plan that was reviewed and the one that was rehearsed, each as a clause. */
export function differencesBetween(given: Plan, rehearsed: Plan): string[] {
  const [before, after] = [given, rehearsed].map(
    ({ changes }) => new Map(changes.filter(isEffective).map((change) => [change.address, change])),
  );
  return [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])]
    .flatMap((address) => differenceOf(address, before?.get(address), after?.get(address)))
    .toSorted();
}

function differenceOf(address: string, given?: Change, rehearsed?: Change): string[] {
  const [one, other] = [given?.action ?? "nothing", rehearsed?.action ?? "nothing"];
  if (one !== other) return [`${address}: ${one} in the given plan, ${other} in the rehearsed one`];
  const names = [...new Set([given, rehearsed].flatMap((change) => Object.keys(change?.after ?? {})))];
  const different = names.filter((name) => !isEqual(name, given, rehearsed));
  return different.length === 0 ? [] : [`${address}: another planned ${different.toSorted().join(", ")}`];
}

/** Returns true for a field that both plans set to the same value, for a computed one, and for one that a plan masks or does not know. */
function isEqual(name: string, given?: Change, rehearsed?: Change): boolean {
  const { resource } = given ?? {};
  if (resource !== undefined && (resource.fields[name]?.kind ?? "computed") === "computed") return true;
  const one = given?.after?.[name] ?? null;
  const other = rehearsed?.after?.[name] ?? null;
  return isOpen(one) || isOpen(other) || canonical(reveal(one)) === canonical(reveal(other));
}

const isOpen = (value: Value): boolean => hasUnknown(value) || canonical(reveal(value)).includes(masked);
