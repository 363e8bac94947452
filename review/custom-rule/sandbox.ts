import { type Change, type Hit, type Rule, type RuleContext, SENSITIVE, UNKNOWN } from "./api.ts";

/** Part of the program that runs inside the context of the rules. Exchanges only texts and functions with the outside. */

/** Maximum number of hits of one rule. */
export const mostHits = 100_000;

interface Row {
  readonly [name: string]: unknown;
}

/**
 * Returns JSON with its tagged values replaced, frozen: `{ $: "unknown" }` and `{ $: "sensitive" }` are symbols, and
 * `{ $: "record", of }` is a record that itself has an entry `$`.
 */
function decode(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(decode));
  const row = value as Row;
  if (row.$ === "unknown") return UNKNOWN;
  if (row.$ === "sensitive") return SENSITIVE;
  const decoded: { [name: string]: unknown } = Object.create(null);
  for (const [name, part] of Object.entries(row.$ === "record" ? (row.of as Row) : row))
    decoded[name] = decode(part);
  return Object.freeze(decoded);
}

/** Returns the context of rules from its JSON (`contextJson` of `context.ts`). */
export const decodeContext = (json: string): RuleContext => decode(JSON.parse(json)) as RuleContext;

/** Rules of a file, ready to run. Each function returns JSON. */
export interface OpenRules {
  /** Returns the rules without their `check`. */
  readonly describe: () => string;
  /** Returns the hits of the rule at this position: each with the position of its change. */
  readonly check: (index: number) => string;
}

/** Opens the default export of a rule file. Throws a string that names the problem. */
export function openRules(exported: unknown, json: string): OpenRules {
  const rules = (Array.isArray(exported) ? exported : [exported]) as readonly Rule[];
  const context = decodeContext(json);
  const positions = new Map<Change, number>(context.changes.map((change, index) => [change, index]));
  const positionOf = (change: Change): number => {
    const index = positions.get(change);
    if (index === undefined) throw "a hit names a change that is not one of context.changes";
    return index;
  };
  return {
    describe: () =>
      JSON.stringify(
        rules.map((rule) => {
          if (typeof rule !== "object" || rule === null || typeof rule.check !== "function")
            throw "its default export must be a rule, or a list of rules (defineRule)";
          const { check, ...about } = rule;
          return about;
        }),
      ),
    check: (index) => {
      const found: unknown = rules[index]?.check(context);
      if (typeof found !== "object" || found === null || !(Symbol.iterator in found))
        throw "check must return a list of hits";
      const hits: Hit[] = [];
      for (const hit of found as Iterable<Hit>) {
        if (hits.length === mostHits) throw `check returned more than ${mostHits} hits`;
        hits.push(hit);
      }
      return JSON.stringify(
        hits.map((hit) => (hit?.change === undefined ? hit : { ...hit, change: positionOf(hit.change) })),
      );
    },
  };
}

/** Returns a thrown value as a text, without its stack. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  } catch {
    return "a value without a text";
  }
}
