import { emptyRecord, hasUnknown, reveal, UNKNOWN, type Values } from "../core/value.ts";
import type { Fields } from "./field.ts";
import { verbInputs } from "./verb-inputs.ts";

/**
 * Comparison of the value that fields with the option `wire` send: the same bytes in another attribute are no reason to
 * replace an object.
 */

/** Relation of two values, from the strictest one: equal, or bytes that differ only in line breaks. */
export type WireRelation = "equal" | "final line breaks" | "line endings" | "other";

/** Values of one group, and those of the object that contains it, without secret marks. */
export interface Spelled {
  readonly group: Values;
  readonly object: Values;
}

/**
 * Compares the values that the field `name` sends before and after a change, in whichever field of the group they are
 * configured. Returns "other" for a field without the option `wire`, and while a value is unknown.
 */
export function compareWire(fields: Fields, name: string, before: Spelled, after: Spelled): WireRelation {
  const field = fields[name];
  if (field?.kind !== "field" || field.options.wire === undefined) return "other";
  const names = spelledBy(fields, name);
  if (names.some((each) => hasUnknown(after.group[each]))) return "other";
  const [old, now] = [sentBy(fields, names, before), sentBy(fields, names, after)];
  if (typeof old === "symbol" || typeof now === "symbol") return "other";
  if (old === undefined || now === undefined) return old === now ? "equal" : "other";
  const [one, other] = [asText(old), asText(now)];
  if (one === other) return "equal";
  if (typeof one !== "string" || typeof other !== "string") return "other";
  if (withoutEnd(one) === withoutEnd(other)) return "final line breaks";
  return withLineFeeds(one) === withLineFeeds(other) ? "line endings" : "other";
}

/** Returns the names of the fields of a group that spell the same value as one of them. */
function spelledBy(fields: Fields, name: string): string[] {
  const wireOf = (each: string) => {
    const field = fields[each];
    return field?.kind === "field" ? field.options.wire : undefined;
  };
  const shared = wireOf(name)?.name;
  return shared === undefined ? [name] : Object.keys(fields).filter((each) => wireOf(each)?.name === shared);
}

type Sent = string | number | Uint8Array | undefined;

/** Returns the value that is sent; UNKNOWN if it follows from an unknown value of the object. */
function sentBy(fields: Fields, names: readonly string[], { group, object }: Spelled): Sent | typeof UNKNOWN {
  for (const name of names) {
    const field = fields[name];
    if (field?.kind !== "field") continue;
    const configured = reveal(group[name] ?? null);
    // An empty text means that none is set.
    const value = configured === "" ? null : configured;
    const plain = verbInputs({ ...emptyRecord(), value, object: reveal(object) }) as {
      value?: never;
      object: Values;
    };
    let isUnknown = false;
    const known = new Proxy(plain.object, {
      get(values, key: string) {
        const value = values[key];
        if (!hasUnknown(value)) return value;
        isUnknown = true;
        return undefined;
      },
    });
    const sent: Sent = field.options.wire?.of(plain.value, known);
    if (isUnknown) return UNKNOWN;
    if (sent !== undefined) return sent;
  }
  return undefined;
}

/** Returns bytes as a text of one character per byte. */
const asText = (sent: Exclude<Sent, undefined>): string | number =>
  sent instanceof Uint8Array ? Buffer.from(sent).toString("latin1") : sent;

const withoutEnd = (text: string): string => text.replace(/[\r\n]+$/, "");
const withLineFeeds = (text: string): string => withoutEnd(text.replaceAll("\r\n", "\n"));
