import { InputError } from "../core/error.ts";
import { idProblem } from "../core/krn.ts";
import type { Values } from "../core/value.ts";
import { attribute, attributes, joinTexts, type Text, wording } from "../core/wording.ts";
import type { Resource } from "./resource.ts";

/** Import ids, by which a user refers to an existing object. */

/** Object to import, from an import id or an identity. */
export interface ImportTarget {
  readonly id: string;
  /** Region; undefined if the user gave none. */
  readonly region: string | undefined;
  /** Ids of the parents by field name. */
  readonly values: Values;
}

/** Returns the fields whose value can replace the id in an import: by default the name, if a listing shows it. */
export function importableFields({ importedBy, fields: { name }, verbs }: Resource): readonly string[] {
  const isListed = verbs.list !== undefined && name?.kind === "field" && name.options.unreadable !== true;
  return importedBy ?? (isListed ? ["name"] : []);
}

/** Returns the resource kind whose id a field contains; undefined for any other field. */
export function referenceOf({ fields }: Resource, name: string): string | undefined {
  const field = fields[name];
  return field?.kind === "field" ? field.options.references : undefined;
}

/**
 * Returns the only parent of a resource, if its value can also replace the id in an import; otherwise undefined. The
 * import id of such an object can be a single value.
 */
export function placeOf(resource: Resource): string | undefined {
  const [place, ...more] = resource.parents ?? [];
  return place !== undefined && more.length === 0 && importableFields(resource).includes(place)
    ? place
    : undefined;
}

/**
 * Returns the resource kind in the ids of the objects. An object that its only parent identifies, such as the policy of a bucket,
 * has the id of its parent.
 */
export function idKind(resource: Resource): string {
  const place = placeOf(resource);
  return (place === undefined ? undefined : referenceOf(resource, place)) ?? resource.name;
}

/**
 * Describes the form of an import id: `vpcId,id or region,vpcId,id, where its name can replace the id`.
 */
export function importForm(resource: Resource): Text {
  const { parents = [], regional } = resource;
  const form = attributes([...parents, "id"], ",");
  const place = placeOf(resource);
  const forms = [
    ...(place === undefined ? [] : [attribute(place)]),
    form,
    ...(regional === false ? [] : [wording`region,${form}`]),
  ];
  const names = importableFields(resource).map((name) => wording`its ${attribute(name)}`);
  const end = names.length > 0 ? wording`, where ${joinTexts(names, " or ")} can replace the id` : "";
  return wording`${joinTexts(forms, " or ")}${end}`;
}

/** Characters that have to be encoded in a part of an import id; spaces only where they would be trimmed. */
const special = /[,\p{C}\p{Zl}\p{Zp}]|^\s+|\s+$/gu;
const isSpecial = /^[%,\p{C}\p{Z}]$/u;
/** Characters in percent encoding, each of one to four bytes of UTF-8. */
const encodedCharacter =
  /%[0-7][\da-f]|%[cd][\da-f]%[\da-f]{2}|%e[\da-f](?:%[\da-f]{2}){2}|%f[\da-f](?:%[\da-f]{2}){3}/gi;

/**
 * Joins region, parents and id to an import id. Commas, control characters, and spaces at the ends of a part are
 * percent-encoded, and so is a percent sign that would look like an encoded character.
 */
export const joinImportId = (parts: readonly string[]): string =>
  parts
    .map((part) =>
      part
        .toWellFormed()
        .replaceAll(/%(?=[\da-f]{2})/gi, "%25")
        .replaceAll(special, encodeURIComponent),
    )
    .join(",");

/** Decodes the characters that `joinImportId` encodes; leaves any other percent sign unchanged. */
const decodePart = (part: string): string =>
  part.replaceAll(encodedCharacter, (encoded) => {
    const [character = encoded, ...more] = Buffer.from(encoded.replaceAll("%", ""), "hex").toString("utf8");
    return more.length === 0 && isSpecial.test(character) ? character : encoded;
  });

/**
 * Splits an import id into its parts. An id that the user chooses may contain commas, so it is the whole rest of the text.
 */
function partsOf({ idField, parents = [] }: Resource, text: string): string[] {
  const parts = text.split(",");
  if (idField === undefined) return parts.map((part) => decodePart(part.trim()));
  const above = parents.length + (text.startsWith("krn:") ? 0 : 1);
  const end = parts.slice(above).join(",");
  return [
    ...parts.slice(0, above).map((part) => decodePart(part.trim())),
    ...(end === "" ? [] : [decodePart(end)]),
  ];
}

/**
 * Parses `region,parent,id`. The region is optional, and a name can replace the id. Throws `InputError` for any other
 * format, and for ids that are masked or of another kind.
 */
export function parseImportId(resource: Resource, text: string): ImportTarget {
  const { parents = [], regional } = resource;
  const parts = partsOf(resource, text);
  const [only = ""] = parts;
  if (parts.length === 1 && placeOf(resource) !== undefined) parts.push(only);
  const region = parts.length === parents.length + 2 && regional !== false ? parts.shift() : undefined;
  const refuse = (problem: Text) => new InputError([{ path: ["id"], problem }]);
  if (parts.length !== parents.length + 1 || parts.includes("") || region === "")
    throw refuse(wording`${JSON.stringify(text)} is not of the form ${importForm(resource)}`);
  for (const [index, part] of parts.entries()) {
    const wrong = misfitAt(resource, index, part, importableFields(resource));
    if (wrong !== undefined)
      throw refuse(parts.length === 1 ? wrong : `its part ${JSON.stringify(part)} ${wrong}`);
  }
  const values = Object.fromEntries(parents.map((name, index) => [name, parts[index] ?? ""]));
  return { id: parts.at(-1) ?? "", region, values };
}

/**
 * Returns the problem of a part: of the parent at the position `at`, or of the id of the object or its value of one of the
 * fields `names`. Returns undefined if the part is valid. A name can be any text, but a text that starts with `krn:` is
 * always checked as an id.
 */
function misfitAt(
  resource: Resource,
  index: number,
  part: string,
  names: readonly string[],
): string | undefined {
  const parent = resource.parents?.[index];
  if (part === "") return "must not be empty";
  const kinds = (parent === undefined ? names : [parent]).map((name) => referenceOf(resource, name));
  const isId = parent === undefined && part.startsWith("krn:");
  if (kinds.includes(undefined) && !isId) return undefined;
  return idProblem(part, kinds.find((kind) => kind !== undefined) ?? resource.name);
}

/** Throws `InputError` for parts of an identity that are empty, masked or of another kind, each at its field. */
export function checkIdentity(resource: Resource, { id, values }: ImportTarget): void {
  const names = importableFields(resource).filter((name) => referenceOf(resource, name) !== undefined);
  const parts = [
    ...(resource.parents ?? []).map((name) => [name, values[name] ?? ""] as const),
    ["id", id] as const,
  ];
  const problems = parts.flatMap(([name, part], index) => {
    const problem = misfitAt(resource, index, String(part), names);
    return problem === undefined ? [] : [{ path: [name], problem }];
  });
  if (problems.length > 0) throw new InputError(problems);
}
