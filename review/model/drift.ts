import { at, equal, type Path, type Value } from "../../provider/core/value.ts";
import type { Change } from "./change.ts";
import { type Difference, differencesOf } from "./difference.ts";

/** Differences between the state and the cloud, compared with the planned changes. */

/** Effect of a plan on a difference: it restores the value of the state, changes the object otherwise, or leaves it. */
export type DriftState = "undone" | "touched" | "untouched";

/** Returns the effect of the planned change of an object on its difference at a path. Default of the path: all of them. */
export function driftStateOf(drift: Change, planned: Change | undefined, path?: Path): DriftState {
  if (planned === undefined || planned.action === "none" || planned.action === "read") return "untouched";
  if (drift.action === "delete") return planned.after === undefined ? "untouched" : "undone";
  const paths = path === undefined ? driftOf(drift).map((difference) => difference.path) : [path];
  const isUndone = paths.every(
    (one) => planned.after !== undefined && equal(at(planned.after, one), at(drift.before, one)),
  );
  return isUndone ? "undone" : "touched";
}

/**
 * Returns the differences of an object of the state. Values that only the API sets are omitted if the object has relations, unless
 * one is lost or replaced: another object of the stack usually adds them, or changes the status, as that of a volume that is
 * attached.
 */
export function driftOf(drift: Change, hasRelations = true): readonly Difference[] {
  const { lifecycle, transition } = drift.resource ?? {};
  const statuses = [lifecycle?.field, lifecycle?.progress, transition?.field];
  return differencesOf(drift).filter(
    ({ field, before, path: [name] }) =>
      !hasRelations || field?.kind !== "computed" || (isText(before) && !statuses.includes(String(name))),
  );
}

const isText = (value: Value): boolean => typeof value === "string" && value !== "";
