import { memoize } from "../../provider/core/memoize.ts";
import { hasUnknown, type Value } from "../../provider/core/value.ts";
import { attribute, attributes, wording } from "../../provider/core/wording.ts";
import type { Opening, Resource } from "../../provider/definition/resource.ts";
import { memberOf } from "../../provider/definition/shape.ts";
import { withoutIndices } from "../model/address.ts";
import { type Change, creates } from "../model/change.ts";
import { called, joined, type Sentence, say, word } from "../model/sentence.ts";
import { uncomparedIn } from "../model/uncompared.ts";
import { addressesIn } from "./address-range.ts";
import { type Exposure, exposuresOf, groupFieldOf, isShownGroup, joinedOpenings } from "./exposure.ts";
import {
  hasSensitive,
  isLeftToApi,
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

/** Rules about ports that addresses outside of the network reach. */

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

const reachSentence = (change: Change, context: RuleContext): Sentence => {
  const found = members(change, context);
  return found.length === 0 ? say`` : say` It reaches ${listed(found)}.`;
};

const sensitivePortOpen: Rule = {
  id: "NET-01",
  title: "A sensitive port is open to every address",
  severity: "critical",
  confidence: "proven",
  about:
    "The rules of a security group newly allow every address to reach a port that a login, administration or database service usually uses, or an object joins a group that allows it, with the severity high. Several ranges that together cover every address count too.",
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
        text: say`${called(change)} ${opensIn(exposure)} ${hasSensitive(change) ? hiddenTraffic : say`${portsOf(exposure)} to ${range}: ${servicesText(found)}`}${unreadIn(exposure)}.${reachSentence(change, context)}`,
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
    if (isLeftToApi(change, name) && hasUnknown(value)) {
      yield {
        ...{ change, path: [name], severity: "medium", confidence: "needs a live check" },
        text: say`${called(change)} joins the security groups that the API chooses, and no plan shows their rules.`,
      };
      continue;
    }
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
const unreadIn = ({ change, unread }: Exposure): Sentence => {
  if (unread.length === 0) return say``;
  const unshown = uncomparedIn(change.asRead ?? change);
  const isUnshown = unread.length > 1 && unread.every((name) => unshown.includes(name));
  return isUnshown
    ? say` (${attributes(unread)} are not shown by the API)`
    : say` (${joined(
        unread.map((name) => say`${attribute(name)} ${whyUnreadable(change, [name])}`),
        ", ",
      )})`;
};

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
        text: say`${called(change)} ${opensIn(exposure)} ${hasSensitive(change) ? hiddenTraffic : say`${portsOf(exposure)} of ${protocol === "all" ? word("every protocol") : protocol} to ${range}`}${unreadIn(exposure)}.${reachSentence(change, context)}`,
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
        text: say`${called(change)} ${opensIn(exposure)} ${hasSensitive(change) ? hiddenTraffic : say`${portsOf(exposure)} of ${exposure.protocol} to ${range}`}${unreadIn(exposure)}.${reachSentence(change, context)}`,
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
    // A service that is known to be exposed is, whatever the values that cannot be read are.
    const before = openingsOf(change, change.before).openings;
    const services = openingsOf(change, change.after).openings.flatMap((opening) =>
      opening.service === undefined || before.some((old) => isWithin(opening, old)) ? [] : opening.service,
    );
    const hits: Hit[] = [];
    if (services.length > 0)
      hits.push({
        change,
        text: say`${called(change)} exposes ${word(services.join(", "))}.`,
        remedy: wording`Check ${attribute("exposeHttpPorts")}, ${attribute("exposeTcpPorts")}, ${attribute("jupyterNotebook")} and ${attribute("sshAccess")}; a service that stays exposed needs a password or a token.`,
      });
    const { unread } = openingsOf(change, change.after);
    if (groupFieldOf(change) === undefined && unread.length > 0)
      hits.push({
        change,
        ...(unread.some((name) => !isLeftToApi(change, name))
          ? { confidence: "likely" as const }
          : { severity: "medium" as const, confidence: "needs a live check" as const }),
        text: say`The ports of ${called(change)} that are open to every address are known only after the apply.`,
        remedy: wording`Set ${attribute("exposeHttpPorts")} and ${attribute("exposeTcpPorts")}: without them, the template decides.`,
      });
    return hits;
  },
);

export const openingRules: readonly Rule[] = [
  sensitivePortOpen,
  wideRange,
  widened,
  serviceExposed,
  otherPortOpen,
];
