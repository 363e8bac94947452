import type { Value, Values } from "../../provider/core/value.ts";
import { canonical, digestOf } from "../model/canonical.ts";
import { type Change, destroys, isEffective } from "../model/change.ts";
import { type Difference, differencesOf } from "../model/difference.ts";
import type { Plan } from "../model/plan.ts";
import { redacted } from "../model/redaction.ts";
import { uncoveredIn } from "./coverage.ts";
import { isMasked, keyed } from "./value.ts";

/** Digest of the planned changes: equal for equal changes, in any order and under any name of the input. */
export interface Approval {
  readonly digest: string;
  readonly coversSensitive: boolean;
  /** Effects that the digest does not cover, each as a clause. */
  readonly uncovered: string[];
}

/** Version of the digest, which is its prefix. It changes if the digest of a plan does. */
const version = "kr2";

/** Returns a sentence on a digest of another version; undefined for one of this version, and for another text. */
export const otherVersion = (digest: string): string | undefined => {
  const found = /^(kr\d+)-/.exec(digest)?.[1];
  return found === undefined || found === version
    ? undefined
    : `The approved digest is of version ${found}, which covered other parts of a plan. Review the plans with this version of kcloud, whose digests begin with ${version}.`;
};

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
  return {
    digest: `${version}-${digestOf(texts)}`,
    coversSensitive,
    uncovered: uncoveredIn(redacted(plans)),
  };
}

/**
 * Returns the values before a delete that the user set, as they decide what the delete destroys. The API may change the others
 * at any time.
 */
function chosenValues({ resource, before = {} }: Change): Values {
  if (resource === undefined) return before;
  const chosen = Object.entries(before).filter(([name]) => resource.fields[name]?.kind !== "computed");
  return Object.fromEntries(chosen);
}

function linesOf(plan: Plan, text: (value: Value) => string): string[] {
  const known = new Map<readonly Difference[], readonly string[]>();
  const valuesOf = (differences: readonly Difference[]): readonly string[] => {
    const found =
      known.get(differences) ??
      differences
        .map(({ path, before, after }) => `${JSON.stringify(path)}=${text(before)}>${text(after)}`)
        .toSorted();
    known.set(differences, found);
    return found;
  };
  const changes = plan.changes.filter(isEffective).map((change) => {
    const { address, action, order = "", previousAddress = "", importedId = "", id = "" } = change;
    const { provider = "", isProtected = false, unprotects = false } = change;
    const identity = [
      address,
      action,
      order,
      previousAddress,
      importedId,
      id,
      provider,
      isProtected,
      unprotects,
    ];
    const lost = destroys(change) || action === "forget" ? [text(chosenValues(change))] : [];
    return JSON.stringify([...identity, ...valuesOf(differencesOf(change)), ...lost]);
  });
  const outputs = plan.outputs.map(({ name, action, before, after }) =>
    JSON.stringify(["output", name, action, text(before), text(after)]),
  );
  const invocations = plan.invocations.map(({ address, type, triggeredBy = "", values = null }) =>
    JSON.stringify(["invocation", address, type, triggeredBy, text(values)]),
  );
  const providers = plan.providers.map(({ name, source, values }) =>
    JSON.stringify(["provider", name, source, text(values)]),
  );
  // The digest of a plan file and of its JSON are equal unless the JSON lacks something.
  const isPartial =
    [...plan.invocations, ...plan.providers].some((one) => one.isPartial) ||
    plan.changes.some(({ writeOnly }) => writeOnly !== undefined);
  const configuration = Object.entries((isPartial && plan.configuration) || {}).map((entry) =>
    JSON.stringify(["configuration", ...entry]),
  );
  return [...changes, ...outputs, ...invocations, ...providers, ...configuration];
}
