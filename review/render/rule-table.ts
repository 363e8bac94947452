import type { ReportSecurityGroup } from "../report/report.ts";
import type { SymbolStyle } from "./symbol.ts";

/** Signs of rules that are removed, added and kept. */
export const ruleSigns = { removed: "-", added: "+", kept: " " } as const;

/** Returns the signs of rules in a style. */
export const ruleSignsOf = (style: SymbolStyle): Readonly<Record<"removed" | "added" | "kept", string>> =>
  style === "words" ? { removed: "removed", added: "added", kept: "kept" } : ruleSigns;

/** Note below the rules of a group if the plan may not list all of them. */
export const partialNote = "The plan does not list unchanged rules.";

/**
 * Returns the rules of a security group as lines with aligned columns: sign, direction, protocol, ports, range and addresses.
 * Shows up to `mostKept` kept rules and the number of the others.
 */
export function ruleLines(
  { rules }: ReportSecurityGroup,
  signs: Readonly<Record<"removed" | "added" | "kept", string>>,
  mostKept = 10,
): string[] {
  const kept = rules.filter(({ effect }) => effect === "kept");
  const left = new Set(kept.slice(mostKept));
  const shown = rules.filter((rule) => !left.has(rule));
  const cells = shown.map(({ effect, direction, protocol, ports, range, addresses }) => [
    signs[effect],
    direction,
    protocol,
    ports,
    range,
    addresses.join(", "),
  ]);
  const widths = cells.reduce<number[]>(
    (known, row) => row.map((cell, at) => Math.max(known[at] ?? 0, cell.length)),
    [],
  );
  const lines = cells.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join(" ")
      .trimEnd(),
  );
  return left.size === 0 ? lines : [...lines, `${signs.kept} and ${left.size} more that are kept`];
}
