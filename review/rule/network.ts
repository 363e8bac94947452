import { overlap, parseRange } from "../../provider/core/ip-address.ts";
import { memoize } from "../../provider/core/memoize.ts";
import { at, isRecord, type Value, type Values } from "../../provider/core/value.ts";
import { attribute } from "../../provider/core/wording.ts";
import { type Fields, isSetByApi } from "../../provider/definition/field.ts";
import type { Opening, Resource } from "../../provider/definition/resource.ts";
import { memberOf } from "../../provider/definition/shape.ts";
import { instanceIndex, withoutIndices } from "../model/address.ts";
import { type Change, creates, destroys } from "../model/change.ts";
import { differencesOf } from "../model/difference.ts";
import { resourceOfPulumi, resourceOfTerraform } from "../model/kind.ts";
import { called, joined, type Sentence, say, word } from "../model/sentence.ts";
import { type Exposure, exposuresOf, groupFieldOf, isShownGroup, joinedOpenings } from "./exposure.ts";
import {
  counted,
  hasMeaning,
  hasSensitive,
  isOfNewObject,
  isUnreadable,
  isWithin,
  listed,
  newOpenings,
  openingsIn,
  openingsOf,
  whyUnreadable,
} from "./fact.ts";
import { changeRule, type Hit, type Rule, type RuleContext } from "./rule.ts";
import { isCritical, portsIn, servicesText, usesPorts } from "./sensitive-port.ts";

/** Rules about network exposure, addresses and reachability. */

/** Number of ports open to every address above which a rule is wide. */
const widePorts = 100;

const portsOf = ({ firstPort, lastPort }: Pick<Opening, "firstPort" | "lastPort">): Sentence =>
  firstPort === lastPort ? say`port ${firstPort}` : say`ports ${firstPort} to ${lastPort}`;

/** Text in place of the ports and the range of a rule with sensitive values. */
const hiddenTraffic = word("ports to many or all addresses; its values are sensitive");

/** Returns the objects that a rule applies to: those that refer to its group. */
function members(change: Change, { changes, relations }: RuleContext): readonly Change[] {
  const field = groupFieldOf(change);
  const id = field === undefined ? null : (change.after ?? change.before)?.[field.name];
  const group = changes.find(
    (other) =>
      other.plan === change.plan &&
      other.resource?.name === field?.kind &&
      (other.id === id || change.dependsOn.includes(withoutIndices(other.address))),
  );
  const byId = typeof id === "string" ? relations.referrersOf(id) : [];
  const found = new Set([...byId, ...(group === undefined ? [] : relations.dependentsOf(group).direct)]);
  return [...found]
    .filter(({ resource, action }) => resource?.opens === undefined && action !== "delete")
    .toSorted((a, b) => (a.address < b.address ? -1 : 1));
}

const reaching = (change: Change, context: RuleContext): Sentence => {
  const found = members(change, context);
  return found.length === 0 ? say`` : say` It reaches ${listed(found)}.`;
};

const sensitivePortOpen: Rule = {
  id: "NET-01",
  title: "A sensitive port is open to every address",
  severity: "critical",
  confidence: "proven",
  about:
    "The rules of a security group newly allow every address to reach a port that a login, administration or database service usually uses, or an object joins a group that allows it. Several ranges that together cover every address count too.",
  remedy: "Allow only the addresses of your network, or access the port through a VPN or a jump host.",
  *check(context) {
    for (const exposure of exposuresOf(context)) {
      const { change, range, isWhole } = exposure;
      const found = usesPorts(exposure) ? portsIn(exposure) : [];
      if (found.length === 0) continue;
      yield {
        change,
        path: ["remoteIpPrefix"],
        ...(isWhole && isCritical(found) && !isOfNewRange(exposure, context)
          ? {}
          : { severity: "high" as const }),
        ...confidenceOf(exposure),
        text: say`${called(change)} ${opensIn(exposure)} ${hasSensitive(change) ? hiddenTraffic : say`${portsOf(exposure)} to ${range}: ${servicesText(found)}`}${unreadIn(exposure)}.${reaching(change, context)}`,
      };
    }
    for (const change of context.changes) {
      const found = [...new Set(joinedOpenings(change, context).filter(usesPorts).flatMap(portsIn))];
      if (found.length > 0)
        yield {
          change,
          severity: "high",
          text: say`${called(change)} joins a security group that allows every address to reach ${servicesText(found)}.`,
        };
      yield* unreadGroups(change, context);
    }
  },
};

/** Returns findings for the security groups that an object joins, and whose rules no plan shows. */
function* unreadGroups(change: Change, context: RuleContext): Generator<Hit> {
  const { resource, action, before, after } = change;
  if (resource === undefined || (!creates(change) && action !== "update")) return;
  for (const name of groupLists(resource)) {
    const value = after?.[name] ?? null;
    if (isUnreadable(change, [name], context))
      yield {
        change,
        path: [name],
        severity: "high",
        confidence: "likely",
        text: say`${called(change)} may join a security group that allows every address to reach any port: ${attribute(name)} ${whyUnreadable(change, [name])}.`,
      };
    const old = new Set(listIn(before?.[name]));
    const unknown = listIn(value).filter((id) => !old.has(id) && !isShownGroup(id, context));
    if (unknown.length > 0)
      yield {
        change,
        path: [name],
        severity: "medium",
        confidence: "needs a live check",
        text: say`${called(change)} joins ${joined(
          unknown.map((id) => say`${id}`),
          ", ",
        )}, and no plan shows the rules of ${word(unknown.length === 1 ? "this group" : "these groups")}.`,
      };
  }
}

/** Returns the names of the fields that list the security groups of an object. */
const groupLists = memoize((resource: Resource): readonly string[] =>
  Object.entries(resource.fields).flatMap(([name, field]) =>
    field.kind === "field" && field.options.references === "security-group" && "of" in memberOf(field).shape
      ? [name]
      : [],
  ),
);

const listIn = (value: Value | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

/** Returns the verb of an exposure. */
const opensIn = ({ unread }: Exposure): Sentence => word(unread.length > 0 ? "may open" : "opens");

/** Returns the confidence of an exposure, if it is not that of the rule. */
const confidenceOf = ({ unread }: Exposure): Pick<Hit, "confidence"> =>
  unread.length > 0 ? { confidence: "likely" } : {};

/** Returns the clause about values that cannot be read. */
const unreadIn = ({ change, unread }: Exposure): Sentence =>
  unread.length === 0
    ? say``
    : say` (${joined(
        unread.map((name) => say`${attribute(name)} ${whyUnreadable(change, [name])}`),
        ", ",
      )})`;

/**
 * Returns true for a rule whose range is that of an object which the plan creates: such a range has few addresses, but the plan
 * does not show which.
 */
const isOfNewRange = ({ change, unread }: Exposure, { changes }: RuleContext): boolean =>
  unread.includes("remoteIpPrefix") && isOfNewObject(change, "remoteIpPrefix", changes);

/** Returns true for more than `widePorts` ports, or for every protocol. */
const isWide = (exposure: Exposure): boolean =>
  usesPorts(exposure) &&
  (exposure.protocol === "all" || exposure.lastPort - exposure.firstPort + 1 > widePorts);

const wideRange: Rule = {
  id: "NET-02",
  title: "Many ports are open to every address",
  severity: "high",
  confidence: "proven",
  about: `The rules of a security group allow every address to reach more than ${widePorts} ports, or allow every protocol.`,
  remedy: "Allow only the ports that are needed, for the addresses that need them.",
  *check(context) {
    for (const exposure of exposuresOf(context)) {
      const { change, range, protocol } = exposure;
      if (!isWide(exposure)) continue;
      yield {
        change,
        path: ["portRangeMin"],
        ...confidenceOf(exposure),
        text: say`${called(change)} ${opensIn(exposure)} ${hasSensitive(change) ? hiddenTraffic : say`${portsOf(exposure)} of ${protocol === "all" ? word("every protocol") : protocol} to ${range}`}${unreadIn(exposure)}.${reaching(change, context)}`,
      };
    }
  },
};

const otherPortOpen: Rule = {
  id: "NET-10",
  title: "A port is open to every address",
  severity: "low",
  confidence: "proven",
  about:
    "The rules of a security group newly allow every address to reach a port that no login, administration or database service usually uses, such as the port of a web server, or an object joins a group that allows it.",
  remedy: "Check that the port is meant to be public.",
  *check(context) {
    for (const exposure of exposuresOf(context)) {
      const { change, range } = exposure;
      // NET-01 and NET-02 cover the others.
      if (!usesPorts(exposure) || isWide(exposure) || portsIn(exposure).length > 0) continue;
      yield {
        change,
        path: ["remoteIpPrefix"],
        ...confidenceOf(exposure),
        text: say`${called(change)} ${opensIn(exposure)} ${hasSensitive(change) ? hiddenTraffic : say`${portsOf(exposure)} of ${exposure.protocol} to ${range}`}${unreadIn(exposure)}.${reaching(change, context)}`,
      };
    }
    for (const change of context.changes) {
      const open = joinedOpenings(change, context).filter(usesPorts);
      const [first] = open;
      if (first === undefined || open.some((opening) => portsIn(opening).length > 0)) continue;
      yield {
        change,
        text: say`${called(change)} joins a security group that allows every address to reach ${joined(distinctPorts(open), ", ")}.`,
      };
    }
  },
};

/** Returns the ports of these openings, each range once. */
const distinctPorts = (openings: readonly Opening[]): readonly Sentence[] => [
  ...new Map(
    openings.map((opening) => [`${opening.firstPort} ${opening.lastPort}`, portsOf(opening)]),
  ).values(),
];

const addressesIn = (range: string): bigint => {
  const parsed = parseRange(range);
  return parsed === undefined ? 0n : 1n << BigInt(parsed.bits - parsed.prefix);
};

const widened = changeRule(
  {
    id: "NET-03",
    title: "A rule allows more addresses than before",
    severity: "medium",
    confidence: "proven",
    about: "The range of a security-group rule grows: more addresses reach the same ports.",
    remedy: "Check that the additional addresses are intended.",
  },
  (change) =>
    newOpenings(change)
      .filter(({ service }) => service === undefined)
      .flatMap((opening): Hit[] => {
        const old = openingsIn(change, change.before).find((before) =>
          isWithin({ ...before, protocol: opening.protocol }, opening),
        );
        if (old === undefined || addressesIn(old.range) >= addressesIn(opening.range)) return [];
        const [from, to] = [addressesIn(old.range), addressesIn(opening.range)];
        return [
          {
            change,
            path: ["remoteIpPrefix"],
            text: hasSensitive(change)
              ? say`${called(change)} allows more addresses than before; its values are sensitive.`
              : say`${called(change)} goes from ${old.range} to ${opening.range}: ${from} → ${to} addresses.`,
          },
        ];
      }),
);

const interruptedRule = changeRule(
  {
    id: "NET-04",
    title: "Allowed traffic is interrupted",
    severity: "medium",
    confidence: "proven",
    about:
      "A rule is moved to another group, or a rule or its group is deleted before its replacement exists: until then its traffic is blocked.",
    remedy: "Add the new rule in one change, and remove the old one in a later change.",
  },
  (change) => {
    const { action, order, resource } = change;
    if (resource?.opens === undefined || resource.visibleThrough === undefined) return undefined;
    const isMoved = differencesOf(change).some(({ path }) => path[0] === resource.visibleThrough);
    if (action === "update" && isMoved)
      return {
        path: [resource.visibleThrough],
        text: say`${called(change)} moves to another group, and for a moment is in neither.`,
      };
    if (action !== "replace" || order === "create first") return undefined;
    return {
      text: say`${called(change)} is deleted before its replacement exists: its traffic is blocked until then.`,
    };
  },
);

const addressLost = changeRule(
  {
    id: "NET-05",
    title: "A public address is lost",
    severity: "high",
    confidence: "proven",
    about:
      "An object with a public address is deleted or replaced. The address is released; DNS records and allow lists that contain it no longer work.",
    remedy: "Use a separate floating IP, and associate it with the new object.",
  },
  (change, { changes }) => {
    const field = change.resource?.publicAddress;
    const address = field === undefined ? undefined : change.before?.[field];
    if (!destroys(change) || typeof address !== "string" || address === "") return undefined;
    // A floating IP, which is imported by its address, still exists after a delete of its instance.
    const owner = changes.find(
      (other) =>
        other !== change &&
        other.resource?.publicAddress !== undefined &&
        other.before?.[other.resource.publicAddress] === address &&
        !destroys(other) &&
        other.resource.importedBy?.includes(other.resource.publicAddress) === true,
    );
    return owner === undefined
      ? { text: say`${called(change)} loses its public address ${address}.` }
      : undefined;
  },
);

const networkReplaced = changeRule(
  {
    id: "NET-06",
    title: "A network is deleted or replaced",
    severity: "critical",
    confidence: "proven",
    about:
      "A VPC or a subnet is deleted or replaced. All objects in it must be deleted first; at best they are recreated.",
    remedy: "Create the new network first, and move the objects one at a time.",
  },
  (change, { relations }) => {
    if (!destroys(change) || change.resource?.contains === undefined) return undefined;
    const { all } = relations.dependentsOf(change);
    const inside = all.filter(({ before, action }) => before !== undefined && action !== "forget");
    const verb = word(change.action === "replace" ? "replaced" : "deleted");
    // The loss of an empty network is harmless.
    if (inside.length === 0)
      return {
        severity: "medium",
        text: say`${called(change)} is ${verb}; the plan shows no objects in it.`,
      };
    return {
      text: say`${called(change)} is ${verb}, with ${word(counted(inside.length, "object"))} in it: ${listed(inside)}.`,
    };
  },
);

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
  const own = textsWithMeaning(change.resource.fields, values, []);
  for (const { path, text } of own) yield { change, path, range: text, network: networkOf(change) };
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
  address.includes("::") ? (address.split("::")[0] ?? "") : (address.split(".").at(-2) ?? "");

/**
 * Returns the objects that have an address in a range. The range of a group, such as a primary subnet, is recognized by its id.
 */
function objectsIn({ change, path }: NetworkRange, { relations }: RuleContext): readonly Change[] {
  const { direct } = relations.dependentsOf(change);
  const own = path.length > 1 ? at(change.after, [...path.slice(0, -1), "id"]) : undefined;
  return direct.filter(
    ({ after, resource }) =>
      after !== undefined &&
      resource?.fields.subnetId !== undefined &&
      (path.length === 1 || (typeof own === "string" && after.subnetId === own)),
  );
}

const addressesShort: Rule = {
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

/** Returns true for a value that the configuration gives, rather than the API. */
const isChosen = ({ resource }: Change, name: string): boolean => {
  const field = resource?.fields[name];
  return field !== undefined && field.kind !== "group" && !isSetByApi(field);
};

const serviceExposed = changeRule(
  {
    id: "NET-09",
    title: "A pod exposes a service to every address",
    severity: "high",
    confidence: "proven",
    about: "A pod opens a port, a Jupyter notebook or SSH to every address. A notebook runs any code.",
    remedy: "Keep it off, or protect the service with a password or a token.",
  },
  (change) => {
    const services = newOpenings(change).flatMap(({ service }) => service ?? []);
    const hits: Hit[] = [];
    if (services.length > 0)
      hits.push({
        change,
        text: say`${called(change)} exposes ${word(services.join(", "))}.`,
        remedy: `Check ${attribute("exposeHttpPorts")}, ${attribute("exposeTcpPorts")}, ${attribute("jupyterNotebook")} and ${attribute("sshAccess")}; a service that stays exposed needs a password or a token.`,
      });
    const { unread } = openingsOf(change, change.after);
    if (groupFieldOf(change) === undefined && unread.length > 0)
      hits.push({
        change,
        ...(unread.some((name) => isChosen(change, name))
          ? { confidence: "likely" as const }
          : { severity: "medium" as const, confidence: "needs a live check" as const }),
        text: say`The ports of ${called(change)} that are open to every address are known only after the apply.`,
        remedy: `Set ${attribute("exposeHttpPorts")} and ${attribute("exposeTcpPorts")}: without them, the template decides.`,
      });
    return hits;
  },
);

export const networkRules: readonly Rule[] = [
  sensitivePortOpen,
  wideRange,
  widened,
  interruptedRule,
  addressLost,
  networkReplaced,
  addressesShort,
  serviceExposed,
  otherPortOpen,
];
