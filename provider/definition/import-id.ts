import { InputError } from "../core/error.ts";
import { idProblem } from "../core/krn.ts";
import type { Values } from "../core/value.ts";
import type { Resource } from "./resource.ts";

/** Import ids: how a user says which object is meant. */

/** Where an object is said to be: an import id taken apart, or an identity. */
export interface ImportTarget {
  readonly id: string;
  /** Only where it was given. */
  readonly region: string | undefined;
  /** The parents, by their fields. */
  readonly values: Values;
}

/** The fields of which each names an object to an import, in the place of the id: by default its name, if that is listed. */
export function importableFields({ importedBy, fields: { name }, verbs }: Resource): readonly string[] {
  const isListed = verbs.list !== undefined && name?.kind === "field" && name.options.unreadable !== true;
  return importedBy ?? (isListed ? ["name"] : []);
}

/** The kind of object whose id a field holds. */
export function referenceOf({ fields }: Resource, name: string): string | undefined {
  const field = fields[name];
  return field?.kind === "field" ? field.options.references : undefined;
}

/** What it is listed by, where that alone names it: its own name, or the one thing that it is of. */
function placeOf(resource: Resource): string | undefined {
  const [place, ...more] = resource.parents ?? [];
  return place !== undefined && more.length === 0 && importableFields(resource).includes(place)
    ? place
    : undefined;
}

/** `vpcId,id or region,vpcId,id, where its name may stand for the id`; `spell` writes the names of fields. */
export function importForm(resource: Resource, spell = (name: string): string => name): string {
  const { parents = [], regional } = resource;
  const form = [...parents, "id"].map(spell).join(",");
  const place = placeOf(resource);
  const forms = [
    ...(place === undefined ? [] : [spell(place)]),
    form,
    ...(regional === false ? [] : [`region,${form}`]),
  ];
  const names = importableFields(resource).map((name) => `its ${spell(name)}`);
  return `${forms.join(" or ")}${names.length > 0 ? `, where ${names.join(" or ")} may stand for the id` : ""}`;
}

/** A field that holds an id, by what has it: as every face reads it, however it spells its fields. */
const plainly = (name: string): string => name.replace(/Id$/, "");

/** The parts of an import id. What a user may call as he likes may hold commas, and is all of the end. */
function partsOf({ idField, parents = [] }: Resource, text: string): string[] {
  const parts = text.split(",");
  if (idField === undefined) return parts.map((part) => part.trim());
  const above = parents.length + (text.startsWith("krn:") ? 0 : 1);
  const end = parts.slice(above).join(",");
  return [...parts.slice(0, above).map((part) => part.trim()), ...(end === "" ? [] : [end])];
}

/**
 * Takes `region,parent,id` apart; the region may be left out, and a name may stand for the id. Throws `InputError` for
 * another form, and for ids that are masked or of another kind.
 */
export function parseImportId(resource: Resource, text: string): ImportTarget {
  const { parents = [], regional } = resource;
  const parts = partsOf(resource, text);
  const [only = ""] = parts;
  if (parts.length === 1 && placeOf(resource) !== undefined) parts.push(only);
  const region = parts.length === parents.length + 2 && regional !== false ? parts.shift() : undefined;
  const refuse = (problem: string) => new InputError([{ path: ["id"], problem }]);
  if (parts.length !== parents.length + 1 || parts.includes("") || region === "")
    throw refuse(`${JSON.stringify(text)} is not of the form ${importForm(resource, plainly)}`);
  for (const [at, part] of parts.entries()) {
    const wrong = misfitAt(resource, at, part, importableFields(resource));
    if (wrong !== undefined)
      throw refuse(parts.length === 1 ? wrong : `its part ${JSON.stringify(part)} ${wrong}`);
  }
  const values = Object.fromEntries(parents.map((name, at) => [name, parts[at] ?? ""]));
  return { id: parts.at(-1) ?? "", region, values };
}

/**
 * Why a part cannot be what stands there: a parent, or the thing itself, by its id or one of `names`. A name may be any
 * text, but a full id is always taken for one.
 */
function misfitAt(
  resource: Resource,
  at: number,
  part: string,
  names: readonly string[],
): string | undefined {
  const parent = resource.parents?.[at];
  if (part === "") return "must not be empty";
  const kinds = (parent === undefined ? names : [parent]).map((name) => referenceOf(resource, name));
  const isId = parent === undefined && part.startsWith("krn:");
  if (kinds.includes(undefined) && !isId) return undefined;
  return idProblem(part, kinds.find((kind) => kind !== undefined) ?? resource.name);
}

/** Throws `InputError` for the parts of an identity that are masked or of another kind, each at its field. */
export function checkIdentity(resource: Resource, { id, values }: ImportTarget): void {
  const names = importableFields(resource).filter((name) => referenceOf(resource, name) !== undefined);
  const parts = [
    ...(resource.parents ?? []).map((name) => [name, values[name] ?? ""] as const),
    ["id", id] as const,
  ];
  const problems = parts.flatMap(([name, part], at) => {
    const problem = misfitAt(resource, at, String(part), names);
    return problem === undefined ? [] : [{ path: [name], problem }];
  });
  if (problems.length > 0) throw new InputError(problems);
}
