import type { Problem } from "../core/error.ts";
import { comparable } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import { isRecord, type Value, type Values } from "../core/value.ts";
import type { Resource } from "../definition/resource.ts";
import type { Plan } from "./plan.ts";
import { describeObject } from "./remediation.ts";
import type { Session } from "./session.ts";

/**
 * Replacements that would fail after the existing object is deleted, such as one with an image of another region. A run deletes
 * the objects that refer to an object before the object itself, so it would lose these too.
 */

/**
 * Records a replacement that would fail. Returns the reason why the existing object must not be deleted: its own replacement would
 * fail, or that of an object to which it refers. The engine plans that object first.
 */
export function lossOfReplacement(
  session: Session | undefined,
  resource: Resource,
  { id, values }: Pick<ResourceState, "id" | "values">,
  { action, losses = [] }: Pick<Plan, "action" | "losses">,
): Problem | undefined {
  const [direct] = losses;
  const loss = direct ?? (session && lossBelow(session, values));
  if (action === "replace" && loss !== undefined && id !== undefined) {
    const name = typeof values.name === "string" ? values.name : undefined;
    session?.plans.failing.set(comparable(id), describeObject({ kind: resource.name, name, id }));
  }
  return loss;
}

/** Returns the problem of an object that refers to one whose replacement would fail. */
function lossBelow({ plans: { failing } }: Session, values: Values): Problem | undefined {
  if (failing.size === 0) return undefined;
  for (const [name, value] of Object.entries(values)) {
    const found = referred(failing, value);
    if (found !== undefined)
      return {
        path: [name],
        problem: `refers to ${found}, whose replacement would fail after the existing object is deleted`,
      };
  }
  return undefined;
}

/** Returns the description of an object whose id is the value or a part of it. */
function referred(failing: ReadonlyMap<string, string>, value: Value): string | undefined {
  if (typeof value === "string") return failing.get(comparable(value));
  const parts = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return parts.map((part) => referred(failing, part)).find((found) => found !== undefined);
}
