import { hasUnknown, reveal, type Value } from "../../provider/core/value.ts";
import { attribute, wording } from "../../provider/core/wording.ts";
import { type Change, destroys } from "../model/change.ts";
import { called, joined, say, word } from "../model/sentence.ts";
import { fateOf, hasMeaning, ifReplaced, isUnreadable, parentOf, staysSet, withMeaning } from "./fact.ts";
import { changeRule, type Rule } from "./rule.ts";

/** Rules about the content of objects in buckets. */

const contentDestroyed = changeRule(
  {
    id: "DATA-10",
    title: "An object in a bucket is deleted",
    severity: "medium",
    confidence: "proven",
    about:
      "An object in a bucket is deleted, or is replaced by one with other content. The content is lost, unless its source is kept elsewhere.",
    remedy: "To keep the object, remove it from the state instead of deleting it.",
  },
  (change, context) => {
    const { action, resource, before, after } = change;
    if (!destroys(change) || resource === undefined || !hasMeaning(resource, "content digest"))
      return undefined;
    if (action === "delete") return { text: say`${called(change)} is deleted with its content.` };
    const [digest] = withMeaning(change, "content digest");
    if (before === undefined || after === undefined || digest === undefined) return undefined;
    return {
      path: digest.path,
      ...(hasUnknown(digest.after) ? { confidence: "likely" as const } : ifReplaced(change, context)),
      text: say`${called(change)} ${fateOf(change, context)}, and its content ${word(hasUnknown(digest.after) ? "may change" : "changes")}.`,
    };
  },
);

const contentUnknown = changeRule(
  {
    id: "DATA-11",
    title: "Uploaded content is not known before the apply",
    severity: "low",
    confidence: "proven",
    about:
      "An object is created or changed, and the plan does not show its content: a file is read during the apply, or the content follows from another change. Review cannot check it.",
    remedy: wording`Set ${attribute("checksum")} to the SHA-256 of the reviewed content: an apply then refuses any other content.`,
  },
  (change) => {
    const { resource, after } = change;
    const [digest] = withMeaning(change, "content digest");
    if (resource === undefined || after === undefined || digest === undefined) return undefined;
    if (!hasUnknown(digest.after)) return undefined;
    const files = Object.entries(resource.fields).flatMap(([name, field]) => {
      const path = field.kind === "field" && field.options.file === true ? reveal(after[name] ?? null) : null;
      return typeof path === "string" && !hasUnknown(path) ? [path] : [];
    });
    const read = files.map((path) => say`: the apply reads ${JSON.stringify(path)}`);
    return {
      path: digest.path,
      text: say`The plan does not show the content of ${called(change)}${joined(read, "")}.`,
    };
  },
);

const contentOverwritten = changeRule(
  {
    id: "DATA-13",
    title: "Content of an object is overwritten",
    severity: "medium",
    confidence: "proven",
    about:
      "An update uploads other content. The previous content is lost, unless the bucket keeps versions: then the severity is low.",
    remedy: "Keep versions in the bucket, or upload the content under another key.",
  },
  (change, context) => {
    if (change.action !== "update") return undefined;
    const [digest] = withMeaning(change, "content digest");
    if (digest === undefined) return undefined;
    const isHidden = hasUnknown(digest.after) || hasUnknown(digest.before);
    if (hasUnknown(digest.after) && !isUnreadable(change, digest.path, context)) return undefined;
    const bucket = parentOf(change, context);
    return {
      path: digest.path,
      ...(bucket !== undefined && staysSet(bucket, "keeps versions") ? { severity: "low" as const } : {}),
      ...(isHidden ? { confidence: "likely" as const } : {}),
      text: say`The content of ${called(change)} ${word(isHidden ? "may be" : "is")} overwritten.`,
    };
  },
);

const renamed = changeRule(
  {
    id: "DATA-14",
    title: "An object in a bucket is renamed",
    severity: "medium",
    confidence: "proven",
    about:
      "The key of an object changes. Requests for the old key fail from then on, and an object that already has the new key is overwritten.",
    remedy: "Create an object with the new key first, and delete the old one when nothing uses it.",
  },
  (change) => {
    const { action, resource, before, after } = change;
    const name = resource?.idField;
    if (action !== "update" || name === undefined || !hasMeaning(resource, "content digest"))
      return undefined;
    const from: Value = before?.[name] ?? null;
    const to: Value = after?.[name] ?? null;
    if (from === to && !hasUnknown(to)) return undefined;
    return {
      path: [name],
      ...(hasUnknown(to) || hasUnknown(from) ? { confidence: "likely" as const } : {}),
      text: hasUnknown(to)
        ? say`${called(change)} may get another key.`
        : say`${called(change)} gets the key ${JSON.stringify(to)}.`,
    };
  },
);

export const contentRules: readonly Rule[] = [contentDestroyed, contentUnknown, contentOverwritten, renamed];

/** Returns true for an object in a bucket whose content the change stores. */
export const storesContent = (change: Change): boolean =>
  hasMeaning(change.resource, "content digest") &&
  (change.action === "create" || change.action === "replace" || change.action === "update");
