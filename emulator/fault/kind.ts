import { responseMutators } from "./response-mutator.ts";

const connectionFaults: readonly string[] = ["reset", "fin", "hang"];

/** Every kind there is, besides a status from 300 to 599 and `html-<status>`. */
export const faultKinds: readonly string[] = [...connectionFaults, "delay", ...Object.keys(responseMutators)];

/** The status of kinds such as `503` and `html-403`; undefined for the others. */
export function statusOfKind(kind: string): { status: number; html: boolean } | undefined {
  const match = /^(html-)?([345]\d\d)$/.exec(kind);
  return match ? { status: Number(match[2]), html: match[1] !== undefined } : undefined;
}

export function isFaultKind(kind: string): boolean {
  return faultKinds.includes(kind) || statusOfKind(kind) !== undefined;
}

/** Whether the kind needs the real answer, so that it can only strike after the effect. */
export function needsResponse(kind: string): boolean {
  return kind in responseMutators;
}
