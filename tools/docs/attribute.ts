import { camelCase } from "../../provider/core/name.ts";
import type { Schema_Attribute } from "../../provider/terraform/tfplugin6/tfplugin6.ts";
import { Schema_Object_NestingMode } from "../../provider/terraform/tfplugin6/tfplugin6.ts";
import { blocks, bullets, section } from "./markdown.ts";

/** Formats the attributes of a schema as lists in alphabetical order; nested ones in separate sections. */

/** Attributes that a page lists, and the path of the attribute that contains them. */
interface Listed {
  readonly attributes: readonly Schema_Attribute[];
  readonly path: readonly string[];
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

function attributeItem(attribute: Schema_Attribute, path: readonly string[]): string {
  const { name = "", type, nestedType, sensitive, writeOnly, description = "" } = attribute;
  const words = [
    nestedType === undefined ? typeWords(typeIn(type)) : (nestings[nestedType.nesting ?? 0] ?? ""),
    ...(sensitive ? ["Sensitive"] : []),
    ...(writeOnly ? ["Write-only"] : []),
  ];
  const more = nestedType === undefined ? "" : ` See [below](#${nestedAnchor([...path, name])}).`;
  return `\`${name}\` (${words.join(", ")}) ${description}${more}`;
}

const isRequired = ({ required }: Schema_Attribute): boolean => required === true;
const isOptional = ({ optional }: Schema_Attribute): boolean => optional === true;
const isReadOnly = (attribute: Schema_Attribute): boolean => !isRequired(attribute) && !isOptional(attribute);

const byName = (a: Schema_Attribute, b: Schema_Attribute): number =>
  (a.name ?? "") < (b.name ?? "") ? -1 : 1;

const listOf = ({ attributes, path }: Listed): string | undefined =>
  bullets(attributes.toSorted(byName).map((attribute) => attributeItem(attribute, path)));

const nestedIn = ({ attributes, path }: Listed): Listed[] =>
  attributes.toSorted(byName).flatMap(({ name = "", nestedType }) => {
    const nested = nestedType?.attributes ?? [];
    if (nested.length === 0) return [];
    const listed = { attributes: nested, path: [...path, name] };
    return [listed, ...nestedIn(listed)];
  });

/** Returns the sections of nested attributes, each under its anchor. */
const nestedSections = (listed: Listed): (string | undefined)[] =>
  nestedIn(listed).map(({ attributes, path }) => {
    const kinds = [
      ["Required:", isRequired],
      ["Optional:", isOptional],
      ["Read-only:", isReadOnly],
    ] as const;
    const lists = kinds.map(([title, is]) => {
      const list = listOf({ attributes: attributes.filter(is), path });
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
  return blocks(
    section("### Required", listOf({ attributes: arguments_.filter(isRequired), path: [] })),
    section("### Optional", listOf({ attributes: arguments_.filter(isOptional), path: [] })),
    ...nestedSections({ attributes: arguments_, path: [] }),
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
