import { requestMutators } from "./request-mutator.ts";
import { independentMutators, responseMutators } from "./response-mutator.ts";

const connectionFaults: readonly string[] = ["reset", "fin", "hang"];

/** All kinds except a status from 300 to 599 and `html-<status>`. */
export const faultKinds: readonly string[] = [
  ...connectionFaults,
  "delay",
  ...Object.keys(responseMutators),
  ...Object.keys(requestMutators),
];

/** Returns the status of kinds such as `503` and `html-403`; undefined for the others. */
export function statusOfKind(kind: string): { status: number; html: boolean } | undefined {
  const match = /^(html-)?([345]\d\d)$/.exec(kind);
  return match ? { status: Number(match[2]), html: match[1] !== undefined } : undefined;
}

export function isFaultKind(kind: string): boolean {
  return faultKinds.includes(kind) || statusOfKind(kind) !== undefined;
}

/** Returns true for kinds that change the request, so that they only apply before execution. */
export function changesRequest(kind: string): boolean {
  return kind in requestMutators;
}

/** Returns true for kinds that change the real response, so that they only apply after execution. */
export function needsResponse(kind: string): boolean {
  return kind in responseMutators && !independentMutators.includes(kind);
}

/** Returns the default moment of a kind: after execution for response mutators except `refusal-in-200`, else before it. */
export function defaultMoment(kind: string): "before" | "after" {
  return kind in responseMutators && kind !== "refusal-in-200" ? "after" : "before";
}
