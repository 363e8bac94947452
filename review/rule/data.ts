import { hasUnknown, isRecord, reveal } from "../../provider/core/value.ts";
import { attribute } from "../../provider/core/wording.ts";
import { type Change, destroys } from "../model/change.ts";
import { differencesOf } from "../model/difference.ts";
import { called, capital, flagOf, listed, lossOf, withMeaning } from "./fact.ts";
import { changeRule, type Rule } from "./rule.ts";

/** Rules about the loss of data. */

const verb = ({ action }: Change): string => (action === "replace" ? "replaced" : "deleted");

/** Returns the sentence about a destroyed object and its data. */
const destroyedWith = (change: Change, loss: string): string =>
  `${capital(called(change))} is ${verb(change)}. ${loss}`;

/** Kinds that have a rule of their own: machines, whose boot volume is the loss, buckets and pods. */
const ownRule = { machine: ["instance", "instance-batch"], bucket: ["bucket"], pod: ["ai-pod"] } as const;
const withOwnRule: ReadonlySet<string> = new Set(Object.values(ownRule).flat());

/** Defines a rule about the loss of the data of an object that is deleted or replaced. */
const lossRule = (
  rule: Pick<Rule, "id" | "title" | "about" | "remedy">,
  isMeant: (kind: string) => boolean,
): Rule =>
  changeRule({ ...rule, severity: "critical", confidence: "proven" }, (change) => {
    if (!destroys(change) || change.resource === undefined || !isMeant(change.resource.name))
      return undefined;
    const loss = lossOf(change);
    return loss === undefined ? undefined : { text: destroyedWith(change, loss) };
  });

const dataDestroyed = lossRule(
  {
    id: "DATA-01",
    title: "Data is destroyed",
    about:
      "A volume, an image or another object that holds data is deleted or replaced. The data cannot be restored.",
    remedy:
      "Take a snapshot or a copy first. To keep the object, remove it from the state instead of deleting it, or undo the change that replaces it.",
  },
  (kind) => !withOwnRule.has(kind),
);

const bootVolumeDestroyed = lossRule(
  {
    id: "DATA-02",
    title: "Boot volume is destroyed with its instance",
    about:
      "An instance is deleted or replaced, and its boot volume is deleted with it. Files that were written to it since its first start are lost.",
    remedy: `Set ${attribute("deleteOnTermination")} to false and apply that first, or keep data on a volume of its own.`,
  },
  (kind) => (ownRule.machine as readonly string[]).includes(kind),
);

const bucketDestroyed = lossRule(
  {
    id: "DATA-04",
    title: "Bucket is destroyed",
    about:
      "A bucket is deleted or replaced. Renaming a bucket replaces it. Its objects and their versions are lost.",
    remedy:
      "Create the new bucket beside the old one, copy the objects, and delete the old bucket in a later change.",
  },
  (kind) => (ownRule.bucket as readonly string[]).includes(kind),
);

const podDestroyed = lossRule(
  {
    id: "DATA-08",
    title: "Disks of a pod are destroyed",
    about: "An AI pod is deleted or replaced. Its disks, where checkpoints of models usually are, are lost.",
    remedy: "Copy checkpoints to a bucket first.",
  },
  (kind) => (ownRule.pod as readonly string[]).includes(kind),
);

const setToDiscard = changeRule(
  {
    id: "DATA-03",
    title: "The next delete discards data",
    severity: "high",
    confidence: "proven",
    about: "A flag is switched on that makes a later delete discard data that it kept until now.",
    remedy: "Leave the flag off, and switch it on in the change that deletes the object.",
  },
  (change) =>
    change.action !== "update"
      ? []
      : withMeaning(change, "discards data")
          .filter(({ after, before }) => flagOf(after) === true && flagOf(before) !== true)
          .map(({ path }) => ({
            change,
            path,
            text: `With ${attribute(String(path.at(-1)))} switched on, deleting ${called(change)} also deletes the data that it keeps now.`,
          })),
);

const versioningOff = changeRule(
  {
    id: "DATA-05",
    title: "Versioning is switched off",
    severity: "high",
    confidence: "proven",
    about:
      "A bucket no longer keeps former versions: an object that is overwritten or deleted from then on is lost.",
    remedy: "Keep versioning on, and let a lifecycle rule remove old versions.",
  },
  (change) =>
    change.action !== "update"
      ? []
      : withMeaning(change, "keeps versions")
          .filter(({ before, after }) => flagOf(before) === true && flagOf(after) !== true)
          .map(({ path }) => ({
            change,
            path,
            text: `${capital(called(change))} no longer keeps former versions of its objects.`,
          })),
);

const partDestroyed = changeRule(
  {
    id: "DATA-06",
    title: "A change in place destroys a part",
    severity: "critical",
    confidence: "proven",
    about:
      "A change in place deletes a part of an object with its data, such as the newest instances of a batch that shrinks.",
    remedy: "Move what the part holds elsewhere first.",
  },
  (change) =>
    change.action !== "update"
      ? []
      : differencesOf(change).flatMap(({ field, path, before, after }) => {
          if (field?.kind !== "field" || before === null || after === null || hasUnknown(after)) return [];
          if (field.options.destroysData?.(reveal(before) as never, reveal(after) as never) !== true)
            return [];
          const loss = lossOf(change);
          return [
            {
              change,
              path,
              ...(loss === undefined ? { severity: "medium" as const } : {}),
              text: `${capital(called(change))}: ${attribute(String(path.at(-1)))} goes from ${String(before)} to ${String(after)}, and the rest is deleted.${loss === undefined ? "" : ` ${loss}`}`,
            },
          ];
        }),
);

/** Kinds that others are made from. */
const originKinds: ReadonlySet<string> = new Set(["image", "instance-template"]);

const originDestroyed = changeRule(
  {
    id: "DATA-07",
    title: "Image or template in use is deleted",
    severity: "high",
    confidence: "proven",
    about:
      "An image or a template is deleted or replaced while other objects refer to it: they cannot be created again from it.",
    remedy: "Keep it until nothing refers to it.",
  },
  (change, { relations }) => {
    if (!destroys(change) || !originKinds.has(change.resource?.name ?? "")) return undefined;
    const users = relations.dependentsOf(change).direct.filter(({ action }) => action !== "delete");
    return users.length === 0
      ? undefined
      : {
          text: `${capital(called(change))} is ${verb(change)}, and ${listed(users)} ${users.length === 1 ? "refers" : "refer"} to it.`,
        };
  },
);

const sharedVolumeChanged = changeRule(
  {
    id: "DATA-09",
    title: "Volume of several instances changes",
    severity: "medium",
    confidence: "needs a live check",
    about:
      "A volume that several instances may attach at once changes, or one of its attachments ends while others write.",
    remedy: "Look up its attachments, and stop the other writers first.",
  },
  (change, { changes }) => {
    if (change.action === "create" || change.action === "forget") return undefined;
    const isShared = ({ before }: Change) =>
      isRecord(before ?? null) && flagOf(before?.multiattach ?? null) === true;
    if (change.resource?.name === "volume" && change.action === "update" && isShared(change))
      return {
        text: `${capital(called(change))} can be attached to several instances, and changes while they may write to it.`,
      };
    if (change.resource?.name !== "volume-attachment" || !destroys(change)) return undefined;
    const volume = changes.find(
      ({ id, resource }) => resource?.name === "volume" && id === change.before?.volumeId,
    );
    return volume === undefined || !isShared(volume)
      ? undefined
      : { text: `${capital(called(volume))} is detached from one instance while others may write to it.` };
  },
);

export const dataRules: readonly Rule[] = [
  dataDestroyed,
  bootVolumeDestroyed,
  setToDiscard,
  bucketDestroyed,
  versioningOff,
  partDestroyed,
  originDestroyed,
  podDestroyed,
  sharedVolumeChanged,
];
