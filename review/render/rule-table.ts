import type { ReportSecurityGroup } from "../report/report.ts";
import { padded, widthOf } from "./column.ts";
import type { SymbolStyle } from "./symbol.ts";

/** Signs of rules that are removed, added and kept. */
export const ruleSigns = { removed: "-", added: "+", kept: " " } as const;

/** Returns the signs of rules in a style. */
export const ruleSignsOf = (style: SymbolStyle): Readonly<Record<"removed" | "added" | "kept", string>> =>
  style === "words" ? { removed: "removed", added: "added", kept: "kept" } : ruleSigns;

/** Note below the rules of a group if the plan may not list all of them. */
export const partialNote = "The plan does not list unchanged rules.";

type Row = ReportSecurityGroup["rules"][number];

/** Share of the public addresses from which a rule opens a group to the world. */
const world = 1 / 2;

/** Returns how far an added rule opens its group; empty for a rule that opens it to few addresses. */
export function openingOf({ publicShare }: Row): string {
  if (publicShare === undefined) return "";
  return publicShare >= world
    ? "opens to the world"
    : `opens to ${Math.round(publicShare * 100)} % of all public addresses`;
}

/** Maximum numbers of rules in a table: of kept ones, and of all. */
interface Limits {
  readonly kept: number;
  readonly all: number;
}

/**
 * Returns the rules of a security group as lines with aligned columns: sign, direction, protocol, ports, range and addresses. A
 * table with more rules shows first those that open the group, then those that change, and the number of the others.
 */
export function ruleLines(
  { rules }: ReportSecurityGroup,
  signs: Readonly<Record<"removed" | "added" | "kept", string>>,
  limits: Limits = { kept: 10, all: Number.POSITIVE_INFINITY },
): string[] {
  const [unchanged, changed] = [true, false].map((isKept) =>
    rules.filter(({ effect }) => (effect === "kept") === isKept),
  );
  const opening = (changed ?? []).filter((rule) => openingOf(rule) !== "");
  const wanted = [...new Set([...opening, ...(changed ?? [])]), ...(unchanged ?? []).slice(0, limits.kept)];
  const shown = new Set(wanted.slice(0, limits.all));
  const cells = rules
    .filter((rule) => shown.has(rule))
    .map((rule) => {
      const { effect, direction, protocol, ports, range, addresses } = rule;
      const opens = openingOf(rule);
      const names = `${addresses.join(", ")}${opens === "" ? "" : ` (${opens})`}`;
      return [signs[effect], direction, protocol, ports, range, names];
    });
  const widths = cells.reduce<number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, widthOf(cell))),
    [],
  );
  const lines = cells.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : padded(cell, widths[index] ?? 0)))
      .join(" ")
      .trimEnd(),
  );
  const rest = (all: readonly Row[] = []): number => all.filter((rule) => !shown.has(rule)).length;
  const [restChanged, restKept] = [rest(changed), rest(unchanged)];
  return [
    ...lines,
    ...(restChanged > 0 ? [`${signs.kept} and ${restChanged} more that change`] : []),
    ...(restKept > 0 ? [`${signs.kept} and ${restKept} more that are kept`] : []),
  ];
}
