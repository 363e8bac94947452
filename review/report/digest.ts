import type { Value } from "../../provider/core/value.ts";
import { canonical, digestOf } from "../model/canonical.ts";
import { isEffective } from "../model/change.ts";
import { type Difference, differencesOf } from "../model/difference.ts";
import type { Plan } from "../model/plan.ts";
import { isMasked, keyed } from "./value.ts";

/** Digest of the planned changes: equal for equal changes, in any order and under any name of the input. */
export interface Approval {
  readonly digest: string;
  readonly coversSensitive: boolean;
}

/** Version of the digest, which is its prefix. */
const version = "kr1";

/**
 * Returns the digest of all planned changes. With a key, it covers sensitive values as HMAC-SHA-256; without a key, and for
 * values that the engine masks, it covers only the fact that they change.
 */
export function approvalOf(plans: readonly Plan[], key: string | undefined): Approval {
  let coversSensitive = true;
  const hide = (value: Value): string => {
    if (key !== undefined && !isMasked(value)) return JSON.stringify(keyed(key, canonical(value)));
    coversSensitive = false;
    return '"sensitive"';
  };
  const texts = plans.map((plan) => digestOf(linesOf(plan, (value) => canonical(value, hide))));
  return { digest: `${version}-${digestOf(texts)}`, coversSensitive };
}

function linesOf(plan: Plan, text: (value: Value) => string): string[] {
  const known = new Map<readonly Difference[], readonly string[]>();
  const valuesOf = (differences: readonly Difference[]): readonly string[] => {
    const found =
      known.get(differences) ??
      differences
        .map(({ path, before, after }) => `${path.join(".")}=${text(before)}>${text(after)}`)
        .toSorted();
    known.set(differences, found);
    return found;
  };
  const changes = plan.changes.filter(isEffective).map((change) => {
    const { address, action, order = "", previousAddress = "", importedId = "", id = "" } = change;
    const values = valuesOf(differencesOf(change));
    return JSON.stringify([address, action, order, previousAddress, importedId, id, ...values]);
  });
  const outputs = plan.outputs.map(({ name, action, before, after }) =>
    JSON.stringify(["output", name, action, text(before), text(after)]),
  );
  const invocations = plan.invocations.map(({ address, type, triggeredBy = "", values = null }) =>
    JSON.stringify(["invocation", address, type, triggeredBy, text(values)]),
  );
  return [...changes, ...outputs, ...invocations];
}
