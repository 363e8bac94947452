import { overlap, parseRange } from "../../provider/core/ip-address.ts";
import { at, isRecord, type Value, type Values } from "../../provider/core/value.ts";
import type { Fields } from "../../provider/definition/field.ts";
import { instanceIndex } from "../model/address.ts";
import { type Change, creates } from "../model/change.ts";
import { resourceOfPulumi, resourceOfTerraform } from "../model/kind.ts";
import { called, say } from "../model/sentence.ts";
import { hasMeaning } from "./fact.ts";
import type { Rule, RuleContext } from "./rule.ts";

/** Rule about the address ranges of networks. */

/** Returns the number of addresses in a range; 0 for another text. */
export const addressesIn = (range: string): bigint => {
  const parsed = parseRange(range);
  return parsed === undefined ? 0n : 1n << BigInt(parsed.bits - parsed.prefix);
};

/** Returns pairs of overlapping ranges, at least one for each range that overlaps another. */
function clashesIn(ranges: readonly NetworkRange[]): (readonly [NetworkRange, NetworkRange])[] {
  const sorted = ranges
    .flatMap((range) => {
      const parsed = parseRange(range.range);
      return parsed === undefined ? [] : [{ range, parsed }];
    })
    .toSorted(
      (a, b) =>
        a.parsed.bits - b.parsed.bits ||
        (a.parsed.first < b.parsed.first ? -1 : a.parsed.first > b.parsed.first ? 1 : 0) ||
        a.parsed.prefix - b.parsed.prefix ||
        (a.range.change.address < b.range.change.address ? -1 : 1),
    );
  const found: (readonly [NetworkRange, NetworkRange])[] = [];
  // A range either contains another one or shares no address with it; `open` is the last range that may contain the next.
  let open: NetworkRange | undefined;
  for (const { range } of sorted) {
    if (open !== undefined && open.change !== range.change && overlap(open.range, range.range))
      found.push([range, open], [open, range]);
    else open = range;
  }
  return found;
}

/** Range of addresses of an object, with its network. */
interface NetworkRange {
  readonly change: Change;
  readonly path: readonly string[];
  readonly range: string;
  readonly network: string;
}

function* rangesIn(change: Change): Generator<NetworkRange> {
  const values = change.after;
  if (values === undefined || change.resource === undefined) return;
  if (!hasMeaning(change.resource, "address range")) return;
  const ranges = textsWithMeaning(change.resource.fields, values, []);
  for (const { path, text } of ranges) yield { change, path, range: text, network: networkOf(change) };
}

function* textsWithMeaning(
  fields: Fields,
  values: Values,
  path: readonly string[],
): Generator<{ path: readonly string[]; text: string }> {
  for (const [name, field] of Object.entries(fields)) {
    const value: Value = values[name] ?? null;
    if (field.kind === "group" && isRecord(value))
      yield* textsWithMeaning(field.fields, value, [...path, name]);
    else if (field.kind === "field" && field.options.meaning === "address range" && typeof value === "string")
      yield { path: [...path, name], text: value };
  }
}

/** Returns the network whose ranges must not overlap: the VPC of a subnet, or the VPC itself. */
function networkOf({ plan, resource, after, before, id, dependsOn, address }: Change): string {
  const [parent] = resource?.parents ?? [];
  if (parent === undefined) return `${plan} ${id ?? address}`;
  const known = after?.[parent] ?? before?.[parent];
  if (typeof known === "string") return `${plan} ${known}`;
  const field = resource?.fields[parent];
  const kind = field?.kind === "field" ? field.options.references : undefined;
  const type = (other: string) => resourceOfTerraform(typeIn(other)) ?? resourceOfPulumi(typeIn(other));
  const target = dependsOn.find((other) => type(other)?.name === kind);
  // The configuration does not show the index: each instance is assumed to refer to the instance with the same index.
  return `${plan} ${target === undefined ? address : `${target}${instanceIndex(address)}`}`;
}

/** Returns the type in an address of Terraform or Pulumi. */
const typeIn = (address: string): string =>
  address.includes("::")
    ? (address.split("::")[0]?.split("$").at(-1) ?? "")
    : (address.split(".").at(-2) ?? "");

/**
 * Returns the objects that have an address in a range. The range of a group, such as a primary subnet, is recognized by its id.
 */
function objectsIn({ change, path }: NetworkRange, { relations }: RuleContext): readonly Change[] {
  const { direct } = relations.dependentsOf(change);
  const subnetId = path.length > 1 ? at(change.after, [...path.slice(0, -1), "id"]) : undefined;
  return direct.filter(
    ({ after, resource }) =>
      after !== undefined &&
      resource?.fields.subnetId !== undefined &&
      (path.length === 1 || (typeof subnetId === "string" && after.subnetId === subnetId)),
  );
}

export const addressesShort: Rule = {
  id: "NET-07",
  title: "Address ranges overlap or are too small",
  severity: "high",
  confidence: "proven",
  about:
    "A new range overlaps another one of the same VPC, which the API rejects during the apply, or has fewer addresses than the objects planned in it.",
  remedy: "Choose another range.",
  *check(context) {
    const ranges = context.changes.flatMap((change) => [...rangesIn(change)]);
    const byNetwork = Map.groupBy(ranges, ({ network }) => network);
    const clashes = new Map([...byNetwork.values()].flatMap(clashesIn));
    for (const one of ranges) {
      if (!creates(one.change)) continue;
      const clash = clashes.get(one);
      if (clash !== undefined)
        yield {
          change: one.change,
          path: one.path,
          text: say`${one.range} of ${called(one.change)} overlaps ${clash.range} of ${called(clash.change)}.`,
        };
      const inside = objectsIn(one, context);
      const total = inside.reduce(
        (sum, { after }) => sum + (typeof after?.machineCount === "number" ? after.machineCount : 1),
        0,
      );
      // Network, broadcast, gateway and DHCP server use one address each.
      const free = addressesIn(one.range) - 4n;
      if (BigInt(total) > free)
        yield {
          change: one.change,
          path: one.path,
          text: say`${one.range} of ${called(one.change)} has room for ${free < 0n ? 0n : free} objects, and ${total} are planned in it.`,
        };
    }
  },
};
