import { at, hasUnknown, type Value } from "../../provider/core/value.ts";
import { destroys } from "../model/change.ts";
import { called, say, word } from "../model/sentence.ts";
import { fateOf, ifReplaced, isUnreadable, referredBy, runs } from "./fact.ts";
import { changeRule, type Rule } from "./rule.ts";

/** Rules about objects that are detached from others: addresses from ports, volumes from machines. */

const addressMoved = changeRule(
  {
    id: "NET-12",
    title: "A public address is detached or moved",
    severity: "medium",
    confidence: "proven",
    about:
      "A floating IP is detached from its port, or attached to another one. Connections to the address end, and another object receives its traffic.",
    remedy: "Plan a maintenance window, or allocate another address for the new object.",
  },
  (change, context) => {
    const { resource, action, before, after } = change;
    const name = resource?.attachedTo;
    if (action !== "update" || name === undefined || resource?.publicAddress === undefined) return undefined;
    const from: Value = at(before, [name]) ?? null;
    const to: Value = at(after, [name]) ?? null;
    if (from === null || (from === to && !hasUnknown(from))) return undefined;
    const isHidden = hasUnknown(from) || (hasUnknown(to) && isUnreadable(change, [name], context));
    return {
      path: [name],
      ...(isHidden ? { confidence: "likely" as const } : {}),
      text: say`${called(change)} ${word(isHidden ? "may be" : "is")} ${word(to === null ? "detached from its port" : "moved to another port")}.`,
    };
  },
);

const volumeDetached = changeRule(
  {
    id: "OPS-14",
    title: "A volume is detached from a running machine",
    severity: "high",
    confidence: "proven",
    about:
      "An attachment of a volume is deleted or replaced while its instance runs. Data that the instance has not written is lost, and programs that use the volume fail.",
    remedy: "Unmount the volume, or stop the instance, in a change before this one.",
  },
  (change, context) => {
    const { resource, before } = change;
    const name = resource?.attachedTo;
    if (!destroys(change) || name === undefined || resource?.publicAddress !== undefined) return undefined;
    const machine = referredBy(change, name, context, before);
    const parents = (resource?.parents ?? []).map((parent) => referredBy(change, parent, context, before));
    // The rules about destroyed machines and volumes report these.
    if ([machine, ...parents].some((one) => one !== undefined && destroys(one))) return undefined;
    const isRunning = machine === undefined ? undefined : runs(machine);
    if (isRunning === false) return undefined;
    const from = machine === undefined ? say`a machine that no plan shows` : called(machine);
    return {
      ...(machine === undefined
        ? { confidence: "needs a live check" as const }
        : isRunning === undefined
          ? { confidence: "likely" as const }
          : ifReplaced(change, context)),
      path: [name],
      text: say`${called(change)} ${fateOf(change, context)}: its volume is detached from ${from} while it may be in use.`,
    };
  },
);

export const detachmentRules: readonly Rule[] = [addressMoved, volumeDetached];
