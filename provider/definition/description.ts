import { term } from "../core/name.ts";
import { joinTexts, type Text } from "../core/wording.ts";
import { type Field, isLocal } from "./field.ts";
import type { Resource } from "./resource.ts";
import type { Member, ScalarShape, Shape } from "./shape.ts";

/**
 * Descriptions of inputs for the schemas of all engines, in Markdown: the sentence of the definition, followed by the
 * sentences that its options imply.
 */

/** Returns true if a change of the field replaces the object. */
export function forcesReplacement(field: Field, { verbs }: Resource): boolean {
  if (field.kind === "computed" || isLocal(field)) return false;
  const { change = "replace" } = field.options;
  return change === "replace" || verbs.update === undefined;
}

/**
 * Returns the description of an input. `resource` is the managed resource that has the input; without it, as for a data
 * source or an action, the description does not mention changes.
 */
export function describeInput(member: Member, resource?: Resource): Text {
  const { about, field, shape } = member;
  if (field === undefined || field.kind === "computed") return about;
  const known = field.kind === "field" ? field.options.known : undefined;
  const sentences = [
    about,
    ...(known === undefined
      ? limitsOf(shape)
      : [`Known values: ${list(known)}; any other value is sent with a warning.`]),
    ...(member.default === undefined ? [] : [`Default: ${code(member.default)}.`]),
    field.options.usage ?? "",
    ...(resource === undefined ? [] : effectsOf(field, resource)),
  ];
  return joinTexts(
    sentences.filter((sentence) => sentence !== ""),
    " ",
  );
}

/** Returns the sentences about the allowed values of a shape, or of the elements of a list. */
function limitsOf(shape: Shape): string[] {
  if (shape.kind === "object") return [];
  if ("of" in shape) return limitsOf(shape.of);
  const { values, minimum, maximum }: ScalarShape = shape;
  if (values !== undefined) return [`Allowed values: ${list(values)}.`];
  if (minimum !== undefined && maximum !== undefined) return [`From ${minimum} to ${maximum}.`];
  return minimum === undefined ? [] : [`At least ${minimum}.`];
}

/** Returns the sentences about a replacement that a change of the field causes; empty if it causes none. */
function effectsOf(field: Exclude<Field, { kind: "computed" }>, resource: Resource): Text[] {
  if (!forcesReplacement(field, resource)) return [];
  const { name, noun = term(name), holdsData, billed, verbs } = resource;
  const loss =
    typeof holdsData === "object"
      ? holdsData.text.replace(/\.$/, `, unless ${holdsData.unless}.`)
      : holdsData;
  const undeletable = typeof verbs.delete === "object" ? verbs.delete.undeletable : undefined;
  return [
    `Changing this forces ${/s$/.test(noun) ? "new" : "a new"} ${noun}${billed === undefined ? "" : ", which is billed"}.`,
    ...[field.options.replaceReason ?? resource.replaceReason, loss, undeletable].filter(
      (sentence) => sentence !== undefined,
    ),
  ];
}

const list = (values: readonly unknown[]): string => values.map(code).join(", ");

const code = (value: unknown): string => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
