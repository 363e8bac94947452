import { hasUnknown } from "../../provider/core/value.ts";
import { attribute, wording } from "../../provider/core/wording.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { type Change, destroys } from "../model/change.ts";
import type { Difference } from "../model/difference.ts";
import { called, type Sentence, say, word } from "../model/sentence.ts";
import { withActions } from "./action.ts";
import {
  changesWith,
  confidenceOfFlag,
  fateOf,
  flagOf,
  hasMeaning,
  ifReplaced,
  isLossUnread,
  isSetUnread,
  isUnreadable,
  laterLossOf,
  listed,
  lossOf,
  parentOf,
  wasSet,
  whyUnreadable,
  withMeaning,
} from "./fact.ts";
import { type Confidence, changeRule, type Hit, type Rule, type RuleContext } from "./rule.ts";

/** Rules about the loss of data. */

/** Returns the sentence about a destroyed object and its data, without the advice of the definition: the rule has a remedy. */
const destroyedWith = (change: Change, loss: string, context: RuleContext): Sentence =>
  say`${called(change)} ${fateOf(change, context)}. ${word(loss.replace(/;[^.]*\.$/, "."))}`;

/** Kind of data that a destroyed object loses; each has a rule. */
type LossKind = "boot volume" | "bucket" | "disks" | "other";

/**
 * Returns the kind of data of a resource by its definition: "boot volume" if a flag decides whether the data is deleted with
 * it, "bucket" if it keeps versions, "disks" if it runs (a pod).
 */
export function lossKindOf(resource: Resource): LossKind {
  if (typeof resource.holdsData === "object") return "boot volume";
  if (hasMeaning(resource, "keeps versions")) return "bucket";
  return resource.interrupts === true ? "disks" : "other";
}

/** Defines a rule about the loss of the data of an object that is deleted or replaced. */
const lossRule = (
  rule: Pick<Rule, "id" | "title" | "about" | "remedy">,
  kind: LossKind,
  hitOf: (change: Change, loss: string, context: RuleContext) => Omit<Hit, "change"> = (
    change,
    loss,
    context,
  ) => ({ text: destroyedWith(change, loss, context) }),
): Rule =>
  changeRule({ ...rule, severity: "critical", confidence: "proven" }, (change, context) => {
    if (!destroys(change) || change.resource === undefined || lossKindOf(change.resource) !== kind)
      return undefined;
    const loss = lossOf(change);
    if (loss === undefined) return undefined;
    return {
      ...(isLossUnread(change) ? { confidence: "likely" as const } : ifReplaced(change, context)),
      ...hitOf(change, loss, context),
    };
  });

const dataDestroyed = lossRule(
  {
    id: "DATA-01",
    title: "Data is destroyed",
    about:
      "A volume, an image or another object that holds data is deleted or replaced. The data cannot be restored.",
    remedy:
      "Take a backup or a copy first: a snapshot of a volume blocks its delete. To keep the object, remove it from the state instead of deleting it, or undo the change that replaces it.",
  },
  "other",
);

const bootVolumeDestroyed = lossRule(
  {
    id: "DATA-02",
    title: "Boot volume is destroyed with its instance",
    about:
      "An instance is deleted or replaced, and its boot volume is deleted with it. Files that were written to it since its first start are lost.",
    remedy: wording`Set ${attribute("deleteOnTermination")} to false and apply that first, or keep data on a separate volume.`,
  },
  "boot volume",
);

const bucketDestroyed = lossRule(
  {
    id: "DATA-04",
    title: "Bucket is destroyed",
    about:
      "A bucket is deleted or replaced. Renaming a bucket replaces it. Its objects and their versions are lost. The API rejects the delete of a bucket that contains objects, unless the bucket is set to be emptied, or the plan deletes its objects too.",
    remedy: "Create the new bucket first, copy the objects, and delete the old bucket in a later change.",
  },
  "bucket",
  (change, loss, context) => {
    if (isEmptied(change))
      return {
        ...(isSetUnread(change, "discards data") ? { confidence: "likely" as const } : {}),
        text: destroyedWith(change, loss, context),
      };
    const contents = context.changes.filter(
      (other) =>
        other.resource?.deletedWithParent === true &&
        // A replaced object keeps its content.
        other.action === "delete" &&
        parentOf(other, context) === change,
    );
    return contents.length > 0
      ? {
          text: say`${called(change)} ${fateOf(change, context)} together with ${listed(contents)} in it. ${word(loss)}`,
        }
      : {
          severity: "medium",
          confidence: "needs a live check",
          text: say`${called(change)} ${fateOf(change, context)}, unless it contains objects: then the API rejects the delete.${word(keepsVersions(change) ? " Previous versions of its objects are lost with it." : "")}`,
        };
  },
);

const isEmptied = (change: Change): boolean => wasSet(change, "discards data");
const keepsVersions = (change: Change): boolean => wasSet(change, "keeps versions");

const podDestroyed = lossRule(
  {
    id: "DATA-08",
    title: "Disks of a pod are destroyed",
    about: "An AI pod is deleted or replaced. Its disks, which usually hold model checkpoints, are lost.",
    remedy: "Copy checkpoints to a bucket first.",
  },
  "disks",
);

const setToDiscard = changeRule(
  {
    id: "DATA-03",
    title: "The next delete discards data",
    severity: "high",
    confidence: "proven",
    about: "A flag is switched on, so that a later delete also destroys data that it would keep now.",
    remedy: "Keep the flag off, and switch it on only in the change that deletes the object.",
  },
  (change, context) =>
    change.action !== "update"
      ? []
      : withMeaning(change, "discards data").flatMap((difference) => {
          const confidence = discardsLater(change, difference, context);
          if (confidence === undefined) return [];
          const { path, after } = difference;
          const name = attribute(String(path.at(-1)));
          const how =
            confidence === "likely"
              ? whyUnreadable(change, path)
              : word(flagOf(after) === true ? "is switched on" : "is removed");
          return [
            {
              ...{ change, path, confidence },
              text: say`${name} ${how}: deleting ${called(change)} ${word(confidence === "likely" ? "may then also delete" : "then also deletes")} the data that it keeps now.`,
            },
          ];
        }),
);

/**
 * Returns the confidence that a delete after the change discards data that it keeps before; undefined if it does not. If the
 * flag decides the loss, its default counts too: removing the flag may switch it on.
 */
function discardsLater(change: Change, difference: Difference, context: RuleContext): Confidence | undefined {
  const { before, after } = difference;
  if (hasUnknown(after) || typeof change.resource?.holdsData !== "object")
    return flagOf(before) === true ? undefined : confidenceOfFlag(change, difference, true, context);
  return lossOf(change) === undefined && laterLossOf(change) !== undefined ? "proven" : undefined;
}

const versioningOff = changeRule(
  {
    id: "DATA-05",
    title: "Versioning is switched off",
    severity: "high",
    confidence: "proven",
    about:
      "A bucket no longer keeps previous versions: an object that is overwritten or deleted from then on is lost.",
    remedy: "Keep versioning on, and let a lifecycle rule remove old versions.",
  },
  (change, context) =>
    change.action !== "update"
      ? []
      : withMeaning(change, "keeps versions").flatMap((difference) => {
          const confidence = confidenceOfFlag(change, difference, false, context);
          return flagOf(difference.before) !== true || confidence === undefined
            ? []
            : [
                {
                  ...{ change, path: difference.path, confidence },
                  text: say`${called(change)} ${word(confidence === "likely" ? "may no longer keep" : "no longer keeps")} previous versions of its objects.`,
                },
              ];
        }),
);

const partDestroyed = changeRule(
  {
    id: "DATA-06",
    title: "An update destroys part of an object",
    severity: "critical",
    confidence: "proven",
    about:
      "An update deletes a part of an object and its data, such as the newest instances of a batch that shrinks.",
    remedy: "Move the data of that part elsewhere first.",
  },
  (change, context) =>
    change.action !== "update"
      ? []
      : changesWith(change, "destroysData").flatMap(({ field, path, before, after }) => {
          if (before === null || after === null) return [];
          const isHidden = hasUnknown(before) || hasUnknown(after);
          if (
            isHidden
              ? !isUnreadable(change, path, context) && !hasUnknown(before)
              : field.options.destroysData?.(before as never, after as never) !== true
          )
            return [];
          const name = attribute(String(path.at(-1)));
          // The value of the flag after the change decides whether the data of the removed part is deleted.
          const loss = laterLossOf(change);
          return [
            {
              change,
              path,
              ...(loss === undefined ? { severity: "medium" as const } : {}),
              ...(isHidden ? { confidence: "likely" as const } : {}),
              text: isHidden
                ? say`${called(change)}: ${name} ${whyUnreadable(change, path)}. If it becomes smaller, the rest is deleted.${word(loss === undefined ? "" : ` ${loss}`)}`
                : say`${called(change)}: ${name} changes from ${String(before)} to ${String(after)}, and the rest is deleted.${word(loss === undefined ? "" : ` ${loss}`)}`,
            },
          ];
        }),
);

const originDestroyed = changeRule(
  {
    id: "DATA-07",
    title: "Image or template in use is deleted",
    severity: "high",
    confidence: "proven",
    about:
      "An image or a template is deleted or replaced while other objects refer to it: they cannot be recreated from it.",
    remedy: "Keep it until nothing refers to it.",
  },
  (change, context) => {
    if (!destroys(change) || change.resource?.template !== true) return undefined;
    const users = context.relations.dependentsOf(change).direct.filter(({ action }) => action !== "delete");
    return users.length === 0
      ? undefined
      : {
          ...ifReplaced(change, context),
          text: say`${called(change)} ${fateOf(change, context)}, and ${listed(users)} ${word(users.length === 1 ? "refers" : "refer")} to it.`,
        };
  },
);

const sharedVolumeChanged = changeRule(
  {
    id: "DATA-09",
    title: "A shared volume changes",
    severity: "medium",
    confidence: "needs a live check",
    about:
      "A volume that several instances may attach at once changes, or one of its attachments ends while others write.",
    remedy: "Check its attachments and stop the other writers first.",
  },
  (change, { changes }) => {
    const { resource, action, before } = change;
    if (resource === undefined || before === undefined) return undefined;
    if (action === "update" && isShared(change))
      return {
        text: say`${called(change)} can be attached to several instances, and changes while they may write to it.`,
      };
    if (!destroys(change) || resource.holdsData !== undefined) return undefined;
    const shared = sharedObjects(changes);
    for (const [name, field] of Object.entries(resource.fields)) {
      if (field.kind !== "field" || field.options.references === undefined) continue;
      const volume = shared.get(`${change.plan} ${String(before[name])}`);
      if (volume?.resource?.name === field.options.references && !destroys(volume))
        return {
          text: say`${called(volume)} is detached from one instance while others may write to it.`,
        };
    }
    return undefined;
  },
);

/** Returns true for an object that several others may use at the same time. */
const isShared = (change: Change): boolean => wasSet(change, "is shared");

const sharedById = new WeakMap<readonly Change[], ReadonlyMap<string, Change>>();

/** Returns the shared objects by plan and id; computed once. */
function sharedObjects(changes: readonly Change[]): ReadonlyMap<string, Change> {
  const found =
    sharedById.get(changes) ??
    new Map(changes.filter(isShared).map((change) => [`${change.plan} ${change.id}`, change] as const));
  sharedById.set(changes, found);
  return found;
}

export const dataRules: readonly Rule[] = [
  withActions(dataDestroyed, "destroys data"),
  bootVolumeDestroyed,
  setToDiscard,
  bucketDestroyed,
  versioningOff,
  partDestroyed,
  originDestroyed,
  podDestroyed,
  sharedVolumeChanged,
];
