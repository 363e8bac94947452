import { hasUnknown } from "../../provider/core/value.ts";
import { attribute, attributes, wording } from "../../provider/core/wording.ts";
import { type Change, destroys } from "../model/change.ts";
import { differencesOf } from "../model/difference.ts";
import { driftStateOf } from "../model/drift.ts";
import { called, type Sentence, say, word } from "../model/sentence.ts";
import { uncomparedIn } from "../model/uncompared.ts";
import { withActions } from "./action.ts";
import { groupFieldOf } from "./exposure.ts";
import {
  changesWith,
  counted,
  fateOf,
  flagOf,
  hasMeaning,
  ifReplaced,
  isUnreadable,
  lossOf,
  mayStay,
  whyUnreadable,
  withMeaning,
} from "./fact.ts";
import { changeRule, type Hit, type Rule } from "./rule.ts";

/** Rules about the apply itself: passwords, interruptions, order, and accidents of a whole stack. */

const passwordNeeded: Rule = {
  id: "OPS-01",
  title: "The apply needs one-time passwords",
  severity: "high",
  confidence: "proven",
  about:
    "The plan deletes or replaces objects whose delete requires a one-time password. An unattended apply, as in CI, fails there.",
  remedy: wording`Set SERVICE_OTP for one delete, or ${attribute("otpCommand")} of the provider for several, or move these deletes into a change of their own.`,
  *check({ plans, changes: all }) {
    for (const { name, changes } of plans) {
      const guarded = changes.filter((change) => destroys(change) && change.resource?.otpDelete === true);
      for (const change of guarded)
        yield {
          change,
          ...ifReplaced(change, { changes: all }),
          text: say`Deleting ${called(change)} requires a one-time password; ${name} needs ${word(counted(guarded.length, "password"))} in all.`,
        };
    }
  },
};

const interrupted = changeRule(
  {
    id: "OPS-02",
    title: "A service is interrupted",
    severity: "medium",
    confidence: "proven",
    about: "An update stops or restarts an instance or a pod.",
    remedy: "Plan a maintenance window, or take the object out of service first.",
  },
  (change, context) =>
    change.action !== "update"
      ? []
      : changesWith(change, "interrupts").flatMap(({ field, path, before, after }) => {
          const isHidden = hasUnknown(before) || hasUnknown(after);
          const sides = { before: change.before ?? {}, after: change.after ?? {} };
          if (
            isHidden
              ? !isUnreadable(change, path, context) && !hasUnknown(before)
              : field.options.interrupts?.(before as never, after as never, sides) !== true
          )
            return [];
          const name = attribute(String(path.at(-1)));
          return [
            {
              change,
              path,
              ...(isHidden ? { confidence: "likely" as const } : {}),
              text: isHidden
                ? say`${called(change)} may be stopped or restarted: ${name} ${whyUnreadable(change, path)}.`
                : say`${called(change)} is ${word(after === "stopped" ? "stopped" : "restarted")}.`,
            },
          ];
        }),
);

const machineReplaced = changeRule(
  {
    id: "OPS-03",
    title: "A machine or a service is deleted or replaced",
    severity: "high",
    confidence: "proven",
    about:
      "An instance, a pod or a task is deleted, or replaced because a changed attribute cannot be updated in place: address, disk, host key and uptime are lost, and running work ends. A delete that also destroys data is reported by the rules about data; of a stopped machine the severity is medium.",
    remedy: "Undo the change, or move the service elsewhere first.",
  },
  (change, context) => {
    const { action, resource, before } = change;
    if (resource?.interrupts !== true) return undefined;
    if (action === "replace")
      return {
        ...{ ...replacementPath(change), ...ifReplaced(change, context) },
        text: say`${called(change)} ${fateOf(change, context)}${reasonOf(change)}.`,
      };
    if (action !== "delete" || lossOf(change) !== undefined) return undefined;
    return {
      ...(before?.powerState === "stopped" ? { severity: "medium" as const } : {}),
      text: say`${called(change)} is deleted${word(resource.work === undefined ? "" : ", which cancels its work")}.`,
    };
  },
);

const replacementPath = (change: Change): Pick<Hit, "path"> => {
  const [first] = differencesOf(change).filter(({ forcesReplacement }) => forcesReplacement);
  return first === undefined ? {} : { path: first.path };
};

/** Returns the reason of a replacement as a clause. */
function reasonOf(change: Change): Sentence {
  const names = differencesOf(change)
    .filter(({ forcesReplacement }) => forcesReplacement)
    .map(({ path }) => String(path[0]));
  if (names.length > 0) return say` because of ${word(attributes([...new Set(names)]))}`;
  const causes: { readonly [cause: string]: string | undefined } = {
    tainted: " because it is tainted: its create failed, or it was marked as tainted",
    requested: " because the command requested it",
    triggered: " because another object changed",
  };
  return word(causes[change.cause ?? ""] ?? "");
}

const firstStartChanged = changeRule(
  {
    id: "OPS-04",
    title: "User data of the first start changes",
    severity: "medium",
    confidence: "proven",
    about:
      "User data runs once, when a machine first starts. A change replaces the machine, or has no effect on existing machines.",
    remedy: "Apply the change on the machine itself, or plan the replacement of the machine.",
  },
  (change) => {
    if (change.action !== "update" && change.action !== "replace") return undefined;
    const [first] = withMeaning(change, "first start");
    if (first === undefined) return undefined;
    const effect = word(
      change.action === "replace" ? "which replaces it" : "which has no effect on existing machines",
    );
    return {
      path: first.path,
      text: say`${called(change)} has a new ${attribute(String(first.path.at(-1)))}, ${effect}.`,
    };
  },
);

const gap = changeRule(
  {
    id: "OPS-05",
    title: "A gap between the old object and the new one",
    severity: "medium",
    confidence: "proven",
    about:
      "A replacement deletes the old object before it creates the new one. If the create fails, neither exists.",
    remedy: "Give the new object another name and create it first, if its kind allows that.",
  },
  (change, context) => {
    if (change.action !== "replace" || change.resource === undefined) return undefined;
    // NET-04 covers rules of security groups.
    if (groupFieldOf(change) !== undefined) return undefined;
    const isGap =
      change.order === "delete first" || (change.order === undefined && change.resource.exclusive === true);
    return isGap
      ? {
          ...ifReplaced(change, context),
          text: say`${called(change)} ${word(mayStay(change, context) ? "may be" : "is")} deleted before its replacement exists.`,
        }
      : undefined;
  },
);

const guardRemoved: Rule = {
  id: "OPS-06",
  title: "A protected object is deleted or loses its protection",
  severity: "high",
  confidence: "proven",
  about:
    "Deletion protection is switched off, or an object that is protected is deleted, replaced or removed from the state.",
  remedy: "Switch the protection off only in the change that is meant to delete the object.",
  *check({ changes }) {
    for (const change of changes) {
      const { action, before, after, isProtected, unprotects } = change;
      // A value that cannot be read may protect the object.
      const isGuarded =
        hasUnknown(before?.deletionProtection) || flagOf(before?.deletionProtection ?? null) === true;
      if (destroys(change) && (isProtected || isGuarded)) {
        yield { change, text: say`${called(change)} is protected: the ${word(action)} will be rejected.` };
        continue;
      }
      if (action === "forget" && (isProtected || isGuarded)) {
        yield {
          change,
          severity: "medium",
          text: say`${called(change)} is removed from the state, which ends its protection.`,
        };
        continue;
      }
      const isSwitchedOff =
        action === "update" && isGuarded && flagOf(after?.deletionProtection ?? null) !== true;
      const isHidden = isSwitchedOff && hasUnknown(after?.deletionProtection);
      if (unprotects || isSwitchedOff)
        yield {
          change,
          ...(isSwitchedOff ? { path: ["deletionProtection"] } : {}),
          ...(isHidden ? { confidence: "likely" as const } : {}),
          text: say`${called(change)} ${word(isHidden ? "may no longer be" : "is no longer")} protected from deletion.`,
        };
    }
  },
};

const manyDeletes: Rule = {
  id: "OPS-07",
  title: "Many objects are deleted",
  severity: "critical",
  confidence: "proven",
  about:
    "The plan deletes or replaces many objects, a large share of the stack, or all of it, for example because of an empty configuration, a wrong workspace or a wrong state.",
  remedy: "Check the workspace, the stack and the state that the plan was made with.",
  *check({ plans, settings }) {
    for (const { name, changes, unlisted, purpose } of plans) {
      if (purpose === "drift") continue;
      const existing = changes.filter(({ before, action }) => before !== undefined && action !== "read");
      const destroyed = existing.filter((change) => destroys(change) && !change.isDeposed);
      const isReplaced = destroyed.some(({ action }) => action === "replace");
      if (destroyed.length === 0) continue;
      const count = existing.length + unlisted;
      const isAll = destroyed.length === count && count > 1;
      const share = destroyed.length / count;
      const isLarge = destroyed.length > 2 && share > settings.manyDeletesShare;
      if (!isAll && !isLarge && destroyed.length <= settings.manyDeletes) continue;
      const verb = word(isReplaced ? "deletes or replaces" : "deletes");
      const text = isAll
        ? say`${name} ${verb} all of its ${count} objects.`
        : say`${name} ${verb} ${destroyed.length} of its ${count} objects.`;
      yield { plan: name, ...(isAll ? {} : { severity: "high" as const }), text };
    }
  },
};

const vanished: Rule = {
  id: "OPS-11",
  title: "An object was deleted outside the engine",
  severity: "medium",
  confidence: "proven",
  about:
    "An object of the state no longer exists in the cloud. The apply recreates it if the configuration contains it.",
  remedy: "Find out who deleted it and why before the apply recreates it.",
  *check({ plans }) {
    for (const { drift, changes } of plans) {
      const missing = drift.filter(({ action }) => action === "delete");
      if (missing.length === 0) continue;
      const planned = new Map(changes.map((change) => [change.address, change]));
      for (const change of missing)
        yield {
          change,
          text: say`${called(change)} no longer exists in the cloud.`,
          drift: driftStateOf(change, planned.get(change.address)),
        };
    }
  },
};

const leftOver = changeRule(
  {
    id: "OPS-12",
    title: "Leftover objects of an earlier apply",
    severity: "medium",
    confidence: "proven",
    about: "An earlier apply failed and left a tainted object, or the old object of a replacement.",
    remedy: "Find out why the earlier apply failed.",
  },
  (change) => {
    if (change.isDeposed)
      return { text: say`${called(change)} is left over from an earlier replacement, and is deleted.` };
    if (change.cause !== "tainted") return undefined;
    const command = { terraform: "terraform", opentofu: "tofu", pulumi: undefined, unknown: undefined }[
      change.engine
    ];
    return {
      text: say`${called(change)} is tainted: its create failed, or it was marked as tainted.`,
      ...(command === undefined
        ? {}
        : {
            remedy: `Find out why the earlier apply failed. An object that works can be kept: ${command} untaint ADDRESS.`,
          }),
    };
  },
);

const uncompared: Rule = {
  id: "OPS-15",
  title: "Values of an imported object were not compared",
  severity: "low",
  confidence: "needs a live check",
  about:
    "An imported object has values that the API does not show. The plan records those of the configuration and sends nothing: the object may have others. The severity is medium if the values decide who gets access, as in a rule of a security group.",
  remedy:
    "Compare the values with those of the object, in the console or with whoever made it, or replace the object.",
  // Pulumi records such values in a step without a change.
  *check({ changes }) {
    for (const change of changes) {
      const names = uncomparedIn(change.asRead ?? change);
      const [first] = names;
      if (first === undefined) continue;
      const decidesAccess = change.resource?.opens !== undefined || hasMeaning(change.resource, "statements");
      yield {
        change,
        path: [first],
        ...(decidesAccess ? { severity: "medium" as const } : {}),
        text: say`${attributes(names)} of ${called(change)} ${word(names.length === 1 ? "is" : "are")} not compared: the API does not show the ${word(names.length === 1 ? "value" : "values")}.`,
      };
    }
  },
};

export const operationRules: readonly Rule[] = [
  passwordNeeded,
  withActions(interrupted, "interrupts"),
  machineReplaced,
  firstStartChanged,
  gap,
  guardRemoved,
  manyDeletes,
  vanished,
  leftOver,
  uncompared,
];
