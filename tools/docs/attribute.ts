import { camelCase } from "../../provider/core/name.ts";
import type { Schema_Attribute } from "../../provider/terraform/tfplugin6/tfplugin6.ts";
import { Schema_Object_NestingMode } from "../../provider/terraform/tfplugin6/tfplugin6.ts";
import { blocks, bullets, section } from "./markdown.ts";

/** Formats the attributes of a schema as lists in alphabetical order; nested ones in separate sections. */

/** Attributes that a page lists, and the path of the attribute that contains them. */
interface Listed {
  readonly attributes: readonly Schema_Attribute[];
  readonly path: readonly string[];
  /** Sentences about a replacement above the lists, which their items do not repeat. */
  readonly effect?: string | undefined;
}

const scalars: { readonly [type: string]: string } = { string: "String", number: "Number", bool: "Boolean" };
const collections: { readonly [kind: string]: string } = { list: "List", set: "Set", map: "Map" };

/** Returns a type of the protocol in words: `List of String`. Throws for a type that no schema of this provider uses. */
export function typeWords(type: unknown): string {
  if (Array.isArray(type) && type[0] === "object") return "Object";
  const word = Array.isArray(type) ? collections[String(type[0])] : scalars[String(type)];
  if (word === undefined) throw new TypeError(`no words for the type ${JSON.stringify(type)}`);
  return Array.isArray(type) ? `${word} of ${typeWords(type[1])}` : word;
}

/** Decodes a type of a schema. */
export const typeIn = (type: Uint8Array | undefined): unknown =>
  JSON.parse(Buffer.from(type ?? []).toString());

const nestings: { readonly [mode: number]: string } = {
  [Schema_Object_NestingMode.SINGLE]: "Attributes",
  [Schema_Object_NestingMode.LIST]: "Attributes List",
  [Schema_Object_NestingMode.SET]: "Attributes Set",
  [Schema_Object_NestingMode.MAP]: "Attributes Map",
};

const nestedAnchor = (path: readonly string[]): string => `nestedatt--${path.join("--")}`;

/** Word by which a list marks the arguments of the sentence above it. */
const replaces = "Forces replacement";

/** Sentences about a replacement, which a description ends with: those that `effectsOf` of the definitions writes. */
const effectOf = ({ description = "" }: Schema_Attribute): string | undefined =>
  /(?<=^|\s)Changing this forces [\s\S]*$/.exec(description)?.[0];

/** Returns the attributes and those nested in them. */
const withNested = (attributes: readonly Schema_Attribute[]): Schema_Attribute[] =>
  attributes.flatMap((attribute) => [attribute, ...withNested(attribute.nestedType?.attributes ?? [])]);

/** Returns the sentences about a replacement that most of the attributes have; undefined if no two attributes have the same. */
function commonEffect(attributes: readonly Schema_Attribute[]): string | undefined {
  const effects = withNested(attributes).flatMap((attribute) => effectOf(attribute) ?? []);
  const [most] = [...Map.groupBy(effects, (effect) => effect).values()].toSorted(
    (a, b) => b.length - a.length,
  );
  return most !== undefined && most.length > 1 ? most[0] : undefined;
}

function attributeItem(attribute: Schema_Attribute, { path, effect }: Listed): string {
  const { name = "", type, nestedType, sensitive, writeOnly } = attribute;
  const isMarked = effect !== undefined && effectOf(attribute) === effect;
  const full = attribute.description ?? "";
  const description = isMarked ? full.slice(0, -effect.length).trimEnd() : full;
  const words = [
    nestedType === undefined ? typeWords(typeIn(type)) : (nestings[nestedType.nesting ?? 0] ?? ""),
    ...(sensitive ? ["Sensitive"] : []),
    ...(writeOnly ? ["Write-only"] : []),
    ...(isMarked ? [replaces] : []),
  ];
  const more = nestedType === undefined ? "" : ` See [below](#${nestedAnchor([...path, name])}).`;
  return `\`${name}\` (${words.join(", ")}) ${description}${more}`;
}

const isRequired = ({ required }: Schema_Attribute): boolean => required === true;
const isOptional = ({ optional }: Schema_Attribute): boolean => optional === true;
const isReadOnly = (attribute: Schema_Attribute): boolean => !isRequired(attribute) && !isOptional(attribute);

const byName = (a: Schema_Attribute, b: Schema_Attribute): number =>
  (a.name ?? "") < (b.name ?? "") ? -1 : 1;

const listOf = (listed: Listed): string | undefined =>
  bullets(listed.attributes.toSorted(byName).map((attribute) => attributeItem(attribute, listed)));

const nestedIn = ({ attributes, path, effect }: Listed): Listed[] =>
  attributes.toSorted(byName).flatMap(({ name = "", nestedType }) => {
    const nested = nestedType?.attributes ?? [];
    if (nested.length === 0) return [];
    const listed = { attributes: nested, path: [...path, name], effect };
    return [listed, ...nestedIn(listed)];
  });

/** Returns the sections of nested attributes, each under its anchor. */
const nestedSections = (listed: Listed): (string | undefined)[] =>
  nestedIn(listed).map(({ attributes, path, effect }) => {
    const kinds = [
      ["Required:", isRequired],
      ["Optional:", isOptional],
      ["Read-only:", isReadOnly],
    ] as const;
    const lists = kinds.map(([title, is]) => {
      const list = listOf({ attributes: attributes.filter(is), path, effect });
      return list && `${title}\n\n${list}`;
    });
    return section(`<a id="${nestedAnchor(path)}"></a>\n\n### Nested \`${path.join(".")}\``, ...lists);
  });

/**
 * Returns the sentence about the names of attributes in programs, with the first attribute whose name differs there as an
 * example.
 */
export function camelCaseNote(attributes: readonly Schema_Attribute[]): string {
  const names = attributes.map(({ name = "" }) => name).toSorted();
  const example = names.find((name) => name.includes("_"));
  const shown = example === undefined ? "" : `: \`${camelCase(example)}\` for \`${example}\``;
  return `There the attributes below are in camel case${shown}.`;
}

/** Returns the section of the attributes that a user sets; undefined without such attributes. */
export const argumentSection = (attributes: readonly Schema_Attribute[]): string | undefined =>
  section("## Argument Reference", argumentLists(attributes));

/** Returns the lists of the attributes that a user sets: required, optional and nested ones. */
export function argumentLists(attributes: readonly Schema_Attribute[]): string {
  const arguments_ = attributes.filter((attribute) => !isReadOnly(attribute));
  const effect = commonEffect(arguments_);
  const listed = { path: [], effect };
  return blocks(
    effect?.replace("Changing this forces", `Changing an argument with the mark "${replaces}" forces`),
    section("### Required", listOf({ ...listed, attributes: arguments_.filter(isRequired) })),
    section("### Optional", listOf({ ...listed, attributes: arguments_.filter(isOptional) })),
    ...nestedSections({ ...listed, attributes: arguments_ }),
  );
}

/** Returns the section of the attributes that only the API sets; undefined if there is none. */
export function attributeSection(attributes: readonly Schema_Attribute[]): string | undefined {
  const shown = attributes.filter(isReadOnly);
  return section(
    "## Attribute Reference",
    listOf({ attributes: shown, path: [] }),
    ...nestedSections({ attributes: shown, path: [] }),
  );
}
