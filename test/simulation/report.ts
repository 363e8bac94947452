import { createHash } from "node:crypto";
import { holdsIn, type Invariant, type WorldName } from "./checker/invariant.ts";
import type { World } from "./world.ts";

/** Event that must never happen. */
export interface Violation {
  readonly invariant: Invariant;
  readonly text: string;
}

/** Log of a schedule, and its violations. */
export interface Report {
  /** Adds a line, or a function that returns it from immutable values: most lines are never read. */
  trace(line: string | (() => string)): void;
  /** Adds a violation; only a line if the invariant does not hold in the world of the schedule. */
  violation(invariant: Invariant, text: string): void;
  lines(): readonly string[];
  readonly violations: readonly Violation[];
  /** Returns a hash of all lines, which is equal for equal runs. */
  hash(): string;
}

/** A KRN, plain or percent-encoded. */
const id = /krn(?:(?::|%3A)[\w-]+){4}(?::|%3A)(\w+)(?::|%3A)([\da-f]{4})[\da-f-]{32}/g;

/** Replaces each KRN by its kind and four digits. */
export const shortened = (text: string): string => text.replace(id, "$1-$2");

export function createReport(world: Pick<World, "now">, name: WorldName): Report {
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
      if (!holdsIn(invariant, name)) return trace(`not required in a ${name} world, ${invariant}: ${text}`);
      violations.push({ invariant, text });
      trace(`VIOLATION ${invariant}: ${text}`);
    },
    lines,
    violations,
    hash: () => createHash("sha256").update(lines().join("\n")).digest("hex"),
  };
}
