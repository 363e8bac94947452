import { createHash } from "node:crypto";
import type { World } from "./world.ts";

/**
 * The invariants of docs/reliability.md#4.7 that are judged here, what holds for secrets told once (I14) and for
 * one-time passwords (I15), and not coming to an end.
 */
export type Invariant =
  | "I1"
  | "I2"
  | "I3"
  | "I4"
  | "I5"
  | "I6"
  | "I9"
  | "I10"
  | "I12"
  | "I13"
  | "I14"
  | "I15"
  | "crash";

/** One thing that must never be. */
export interface Violation {
  readonly invariant: Invariant;
  readonly text: string;
}

/** What happened in a schedule, line by line, and what of it should not have. */
export interface Report {
  /** A line, or what makes one of things that do not change: most lines are never read. */
  trace(line: string | (() => string)): void;
  violation(invariant: Invariant, text: string): void;
  lines(): readonly string[];
  readonly violations: readonly Violation[];
  /** The same for the same course of things. */
  hash(): string;
}

/** An id as it is, or as it stands in an address. */
const id = /krn(?:(?::|%3A)[\w-]+){4}(?::|%3A)(\w+)(?::|%3A)([\da-f]{4})[\da-f-]{32}/g;

/** The text with the kind and four letters for each id. */
export const shortened = (text: string): string => text.replace(id, "$1-$2");

export function createReport(world: Pick<World, "now">): Report {
  const began = world.now();
  const noted: { readonly at: number; readonly line: string | (() => string) }[] = [];
  const violations: Violation[] = [];
  const trace: Report["trace"] = (line) => {
    noted.push({ at: world.now() - began, line });
  };
  const lines = () =>
    noted.map(({ at, line }) => {
      const text = typeof line === "string" ? line : line();
      return `${(at / 1000).toFixed(3).padStart(10)}  ${shortened(text)}`;
    });
  return {
    trace,
    violation(invariant, text) {
      violations.push({ invariant, text });
      trace(`VIOLATION ${invariant}: ${text}`);
    },
    lines,
    violations,
    hash: () => createHash("sha256").update(lines().join("\n")).digest("hex"),
  };
}
