import { UNKNOWN } from "../../provider/core/value.ts";
import { attribute, inWordsOf } from "../../provider/core/wording.ts";
import type { Field, FieldOptions, Leaf } from "../../provider/definition/field.ts";
import { type Change, destroys, wordsOf } from "../model/change.ts";
import { type Difference, differencesOf } from "../model/difference.ts";
import { hasMeaning, lossOf } from "../rule/fact.ts";
import { attributeName } from "./difference.ts";

/** Sentences of the report on why an object is deleted or replaced, and on how to undo a change. */

const causeTexts: { readonly [cause: string]: string | undefined } = {
  tainted: "It is tainted: its create failed, or it was marked as tainted.",
  requested: "The command requested the replacement.",
  triggered: "A change of another object triggers the replacement.",
  "not configured": "It is no longer in the configuration.",
  "fewer instances": "The configuration has fewer instances of it.",
  "other provider": "Its provider changed.",
  deposed: "It is left over from an earlier replacement.",
};

/** Returns the reasons of a delete or a replacement and the data that it loses, each as a sentence. */
export function reasonsOf(change: Change): string[] {
  if (!destroys(change)) return [];
  const forced = differencesOf(change).filter(({ forcesReplacement }) => forcesReplacement);
  const named = forced.map(({ path, field, after }) => {
    const name = attributeName(change, path);
    const unknown =
      after === UNKNOWN ? " Its new value is known only after the apply and may be the same." : "";
    const fieldReason =
      field === undefined || field.kind === "computed" ? undefined : field.options.replaceReason;
    const text = fieldReason ?? change.resource?.replaceReason;
    const reason = text === undefined ? "" : ` ${inWordsOf(wordsOf(change.engine), text)}`;
    return `${name} cannot be changed in place.${unknown}${reason}`;
  });
  // A path whose values look equal, as of an attribute that the engine does not show.
  const shown = new Set(forced.map(({ path }) => path[0]));
  const others = new Set(
    change.forcedBy
      .filter(([first]) => !shown.has(first))
      .map((path) => attributeName(change, path.slice(0, 1))),
  );
  const cause = causeTexts[change.cause ?? ""];
  const isBilled = change.action === "replace" && change.resource?.billed !== undefined;
  const loss = lossOf(change);
  const all = [
    ...(cause === undefined ? [] : [cause]),
    ...named,
    ...[...others].map((name) => `${name} forces the replacement.`),
    ...(loss === undefined ? [] : [loss]),
    ...(isBilled ? ["The new object is billed again."] : []),
  ];
  return all.filter(
    (text, position) =>
      !all.some(
        (other, index) =>
          index !== position && other !== text && other.toLowerCase().includes(text.toLowerCase()),
      ),
  );
}

/** Returns a sentence on how to undo a change. */
export function reversalOf(change: Change): string {
  const { action, resource } = change;
  if (action === "none" || action === "read") return "Nothing in the cloud changes.";
  if (action === "create") return "Undone by deleting the object.";
  if (action === "forget") return "Undone by importing the object.";
  if (resource === undefined) return "Only its provider knows if it can be undone.";
  if (action === "update") return reversalOfUpdate(change);
  if (lossOf(change) !== undefined) return "Cannot be undone: the data is lost.";
  if (hasMeaning(resource, "content digest"))
    return action === "delete"
      ? "Undone by uploading the content again, if it exists elsewhere."
      : "Undone by applying the previous revision, if its content exists elsewhere.";
  if (resource.billed !== undefined) return "Cannot be undone: a new one is billed again.";
  if (resource.grants === "secret") return "Cannot be undone: a new one has another secret.";
  const parts = [
    ...(resource.idField === undefined ? ["id"] : []),
    ...(resource.publicAddress === undefined ? [] : ["address"]),
  ];
  return `Undone by recreating it${parts.length === 0 ? "" : `, with a new ${parts.join(" and ")}`}.`;
}

/** Returns a sentence on how to undo an update: the value before may not be possible any more, or may need a replacement. */
function reversalOfUpdate(change: Change): string {
  const differences = differencesOf(change);
  if (differences.some(destroysPart)) return "Cannot be undone: the deleted part is lost.";
  const effects = differences.map(({ path, field, before, after }) => ({
    name: inWordsOf(wordsOf(change.engine), attribute(String(path.at(-1)))),
    effect: reverseEffect(field, before, after),
  }));
  const refused = effects.find(({ effect }) => effect === "refused");
  if (refused !== undefined) return `Cannot be undone in place: ${refused.name} cannot be changed back.`;
  if (effects.some(({ effect }) => effect === "replace"))
    return "Undone by applying the previous revision, which replaces the object.";
  const isContent = differences.some(
    ({ field }) => field?.kind === "field" && field.options.meaning === "content digest",
  );
  return `Undone by applying the previous revision${isContent ? ", if its content exists elsewhere" : ""}.`;
}

const destroysPart = ({ field, before, after }: Difference): boolean =>
  field?.kind === "field" &&
  before !== null &&
  after !== UNKNOWN &&
  field.options.destroysData?.(before as never, after as never) === true;

/** Returns the effect of changing a field back. */
function reverseEffect(
  field: Field | undefined,
  before: Difference["before"],
  after: Difference["after"],
): "update" | "replace" | "refused" {
  if (field?.kind !== "field" || after === UNKNOWN) return "update";
  const { change = "replace" } = (field as Leaf<unknown, FieldOptions<unknown>>).options;
  const effect = typeof change === "function" ? change(after, before) : change;
  return typeof effect === "object" ? "refused" : effect;
}
