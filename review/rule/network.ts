import { type Change, destroys } from "../model/change.ts";
import { differencesOf } from "../model/difference.ts";
import { called, say, word } from "../model/sentence.ts";
import { groupKeys } from "./exposure.ts";
import {
  counted,
  fateOf,
  ifReplaced,
  isWithin,
  listed,
  mayStay,
  newOpenings,
  openingsIn,
  openingsOf,
  referredBy,
} from "./fact.ts";
import { changeRule, type Rule } from "./rule.ts";

/** Rules about reachability and networks. */

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
    const group = resource?.visibility?.shownThrough;
    if (resource?.opens === undefined || group === undefined) return undefined;
    const isMoved = differencesOf(change).some(({ path }) => path[0] === group);
    if (action === "update" && isMoved)
      return {
        path: [group],
        text: say`${called(change)} moves to another group, and for a moment is in neither.`,
      };
    if (action !== "replace" || order === "create first") return undefined;
    // A rule that only gets narrower, or another description, is usually replaced on purpose.
    const isNarrowed = isCertain(change) && newOpenings(change).length === 0;
    return {
      ...(isNarrowed ? { severity: "low" as const } : {}),
      text: say`${called(change)} is deleted before its replacement exists: its traffic is blocked until then.`,
    };
  },
);

/** Returns true if the plan shows all traffic that the object allows after the change. */
const isCertain = (change: Change): boolean => openingsOf(change, change.after).unread.length === 0;

const trafficEnded: Rule = {
  id: "NET-11",
  title: "Allowed traffic ends",
  severity: "medium",
  confidence: "proven",
  about:
    "A rule of a security group is deleted, and no other rule of the plan allows its traffic. A deleted group has no finding of its rules.",
  remedy: "Check that nothing uses the traffic any more.",
  *check(context) {
    const rules = context.changes.filter(({ resource }) => resource?.opens !== undefined);
    const deleted = rules.filter(
      ({ action, resource }) => action === "delete" && resource?.visibility?.shownThrough !== undefined,
    );
    if (deleted.length === 0) return;
    const keyOf = groupKeys(context.changes);
    const left = Map.groupBy(
      rules.filter(({ after }) => after !== undefined),
      (rule) => keyOf(rule, rule.after),
    );
    for (const change of deleted) {
      const group = referredBy(change, change.resource?.visibility?.shownThrough ?? "", context);
      if (group !== undefined && destroys(group)) continue;
      const others = (left.get(keyOf(change, change.before)) ?? []).flatMap((rule) =>
        openingsIn(rule, rule.after),
      );
      const ended = openingsOf(change, change.before).openings.filter(
        (opening) => !others.some((other) => isWithin(opening, other)),
      );
      if (ended.length > 0)
        yield { change, text: say`${called(change)} is deleted: its traffic is blocked from then on.` };
    }
  },
};

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
  (change, context) => {
    const field = change.resource?.publicAddress;
    const address = field === undefined ? undefined : change.before?.[field];
    if (!destroys(change) || typeof address !== "string" || address === "") return undefined;
    // A floating IP, which is imported by its address, still exists after a delete of its instance.
    const owner = context.changes.find(
      (other) =>
        other !== change &&
        other.resource?.publicAddress !== undefined &&
        other.before?.[other.resource.publicAddress] === address &&
        !destroys(other) &&
        other.resource.importedBy?.includes(other.resource.publicAddress) === true,
    );
    return owner === undefined
      ? {
          ...ifReplaced(change, context),
          text: say`${called(change)} ${word(mayStay(change, context) ? "may lose" : "loses")} its public address ${address}.`,
        }
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
  (change, context) => {
    if (!destroys(change) || change.resource?.contains === undefined) return undefined;
    const { all } = context.relations.dependentsOf(change);
    const inside = all.filter(({ before, action }) => before !== undefined && action !== "forget");
    const fate = fateOf(change, context);
    // The loss of an empty network is harmless.
    if (inside.length === 0)
      return {
        ...ifReplaced(change, context),
        severity: "medium",
        text: say`${called(change)} ${fate}; the plan shows no objects in it.`,
      };
    return {
      ...ifReplaced(change, context),
      text: say`${called(change)} ${fate}, with ${word(counted(inside.length, "object"))} in it: ${listed(inside)}.`,
    };
  },
);

export const networkRules: readonly Rule[] = [interruptedRule, trafficEnded, addressLost, networkReplaced];
