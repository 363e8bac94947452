import { includesIgnoreCase } from "../../core/string.ts";
import type { Value, Values } from "../../core/value.ts";
import { attribute, type Text, wording } from "../../core/wording.ts";
import { isNone } from "../../definition/equality.ts";
import type { Resource } from "../../definition/resource.ts";

/** Returns a status as text; an empty string for a missing value and any other type. */
export const statusText = (value: Value | undefined): string => (typeof value === "string" ? value : "");

/** Returns true if the object has one of the statuses that mean gone by its definition. */
export const isGone = ({ lifecycle }: Resource, observed: Values): boolean =>
  includesIgnoreCase(lifecycle?.gone ?? [], statusText(observed[lifecycle?.field ?? ""]));

/** Returns the status of an object that is still changing in place; undefined for any other. */
export function transitionOf({ transition }: Resource, observed: Values): string | undefined {
  const status = statusText(observed[transition?.field ?? ""]);
  return includesIgnoreCase(transition?.statuses ?? [], status) ? status : undefined;
}

/** Returns the status that the API reports, and its class. An object without a lifecycle is ready once it exists. */
export function statusOf(
  resource: Resource,
  observed: Values,
): { at: "ready" | "pending" | "failed" | "unknown"; text: Text } {
  const { lifecycle } = resource;
  if (lifecycle === undefined) return { at: "ready", text: "there" };
  const status = statusText(observed[lifecycle.field]);
  const among = (words: readonly string[]) => includesIgnoreCase(words, status);
  const early = lifecycle.shows?.find((name) => isNone(observed[name] ?? null));
  if (among(lifecycle.ready) && early !== undefined)
    return {
      at: "pending",
      text: wording`${String(observed[lifecycle.field])}, without ${attribute(early)} yet`,
    };
  const at = among(lifecycle.ready)
    ? "ready"
    : among(lifecycle.failed) || /^(error|failed)[_-]/i.test(status)
      ? "failed"
      : among(lifecycle.pending)
        ? "pending"
        : "unknown";
  const shown = statusText(observed[lifecycle.progress ?? ""]) || status;
  return { at, text: shown === "" ? "no status" : shown };
}
