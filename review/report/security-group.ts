import { parseRange } from "../../provider/core/ip-address.ts";
import { hasUnknown, isSecret, type Values } from "../../provider/core/value.ts";
import type { Opening } from "../../provider/definition/resource.ts";
import { compareText } from "../model/address.ts";
import type { Change } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import { withoutUncompared } from "../model/uncompared.ts";
import { groupFieldOf, groupKeys } from "../rule/exposure.ts";
import { openingsOf } from "../rule/fact.ts";
import { bitsOf, shareOf, spansOf } from "../rule/public-share.ts";
import type { ReportSecurityGroup } from "./report.ts";
import { visible } from "./value.ts";

type Rule = ReportSecurityGroup["rules"][number];

/**
 * Rules of one group by the traffic that they allow, with the addresses of the rules that allow it before and after the
 * changes.
 */
interface Table {
  readonly plan: string;
  readonly group: string;
  readonly rows: Map<string, Row>;
  isChanged: boolean;
}

interface Row {
  content: Content;
  readonly before: Set<string>;
  readonly after: Set<string>;
}

type Content = Pick<Rule, "direction" | "protocol" | "ports" | "range">;

/**
 * Returns the rules of each security group in which a rule changes, compared by the traffic that they allow: a rule that is
 * replaced or renamed and allows the same traffic is kept.
 */
export function securityGroupsOf(plans: readonly Plan[]): ReportSecurityGroup[] {
  const changes = plans.flatMap((plan) => plan.changes);
  const partial = new Set(plans.flatMap(({ name, unlisted }) => (unlisted > 0 ? [name] : [])));
  const tables = new Map<string, Table>();
  const rules = changes.filter((change) => groupFieldOf(change) !== undefined);
  if (rules.length === 0) return [];
  const keyOf = groupKeys(changes);
  for (const read of rules) {
    const change = withoutUncompared(read);
    const isShown = change === read;
    for (const side of ["before", "after"] as const) {
      const values = change[side];
      if (values === undefined) continue;
      const key = keyOf(change, values);
      const group = key.slice(change.plan.length + 1);
      const table = tables.get(key) ?? { plan: change.plan, group, rows: new Map(), isChanged: false };
      tables.set(key, table);
      table.isChanged ||= isChanged(change);
      for (const content of contentsOf(
        change,
        values,
        isShown ? "known after apply" : "not shown by the API",
      )) {
        // Unknown traffic is never equal to that of another rule, and may change if the rule does. An import changes nothing.
        const changed = isChanged(change) && isShown ? side : "";
        const identity = content.direction !== "" ? "" : `${change.address} ${changed}`;
        const row = JSON.stringify([{ ...content, range: canonicalRange(content.range) }, identity]);
        const found: Row = table.rows.get(row) ?? { content, before: new Set(), after: new Set() };
        // Two spellings of one range share a row; it shows the first one in text order, so that the order of the rules does not
        // matter.
        if (content.range < found.content.range) found.content = content;
        found[side].add(change.address);
        table.rows.set(row, found);
      }
    }
  }
  return [...tables.values()]
    .filter((table) => table.isChanged)
    .map(({ plan, group, rows }) => ({
      plan,
      group: visible(group),
      ...(partial.has(plan) ? { isPartial: true } : {}),
      rules: [...rows.values()].map(ruleOf).toSorted(byContent),
    }))
    .toSorted((a, b) => compareText(a.plan, b.plan) || compareText(a.group, b.group));
}

const isChanged = ({ action }: Change): boolean =>
  action !== "none" && action !== "read" && action !== "forget";

/** Returns the traffic that a rule allows, as texts. Sensitive values give a placeholder, and unknown ones the reason. */
function contentsOf(change: Change, values: Values, reason: string): Content[] {
  const hidden = { direction: "", protocol: "", ports: "" };
  if (Object.values(values).some(isSecret)) return [{ ...hidden, range: "(sensitive)" }];
  const { openings, unread } = openingsOf(change, values);
  if (unread.some((name) => hasUnknown(values[name]))) return [{ ...hidden, range: `(${reason})` }];
  if (unread.length > 0) return [];
  return openings.map((opening) => ({
    direction: visible(opening.direction),
    protocol: visible(opening.protocol),
    ports: portsOf(opening),
    range: visible(opening.range),
  }));
}

const portsOf = ({ protocol, firstPort, lastPort }: Opening): string => {
  if (protocol === "icmp") return "";
  if (firstPort <= 1 && lastPort === 65_535) return "all";
  return firstPort === lastPort ? String(firstPort) : `${firstPort}-${lastPort}`;
};

const canonicalRange = (range: string): string => {
  const parsed = parseRange(range);
  return parsed === undefined ? range : `${parsed.first}/${parsed.prefix}/${parsed.bits}`;
};

function ruleOf({ content, before, after }: Row): Rule {
  const effect = after.size === 0 ? "removed" : before.size === 0 ? "added" : "kept";
  const addresses = [...(after.size === 0 ? before : after)].map(visible).toSorted(compareText);
  const share = effect === "added" && content.direction === "ingress" ? shareIn(content.range) : 0;
  return { effect, ...content, ...(share < leastShare ? {} : { publicShare: share }), addresses };
}

/** Share of the public addresses from which a report names it, and the maximum length of the prefix of such a range. */
const [leastShare, longestPrefix] = [1 / 16, 8];

/** Returns the share of the public addresses of its family that a range contains; 0 for a small one. */
const shareIn = (range: string): number =>
  (parseRange(range)?.prefix ?? 128) > longestPrefix ? 0 : shareOf(spansOf([range]), bitsOf(range));

const effects = ["removed", "added", "kept"];

const byContent = (a: Rule, b: Rule): number =>
  compareText(a.direction, b.direction) ||
  compareText(a.protocol, b.protocol) ||
  Number.parseInt(a.ports || "0", 10) - Number.parseInt(b.ports || "0", 10) ||
  effects.indexOf(a.effect) - effects.indexOf(b.effect) ||
  compareText(a.range, b.range);
