import type { Resource } from "./define.ts";
import { type Held, InputError } from "./errors.ts";
import { isElsewhere, misfit, nameable } from "./krn.ts";
import { ever } from "./listing.ts";
import { addressOf, observe, remember, unreadPaths } from "./observe.ts";
import { type Operation, regionFor } from "./operation.ts";
import type { Values } from "./value.ts";

/** Where an object is said to be: an import id taken apart, or an identity. */
export interface Imported {
  readonly id: string;
  /** Only where it was given. */
  readonly region: string | undefined;
  /** The parents, by their fields. */
  readonly values: Values;
}

/**
 * Takes `region,parent,id` apart; the region may be left out. Throws `InputError` for another form, and for ids
 * that are masked or of another kind.
 */
export function parseImportId(resource: Resource, text: string): Imported {
  const parents = resource.parents ?? [];
  const parts = text.split(",").map((part) => part.trim());
  const form = [...parents, resource.importedBy ?? "id"].join(",");
  const regional = resource.regional !== false;
  const region = parts.length === parents.length + 2 && regional ? parts.shift() : undefined;
  const refuse = (problem: string) => new InputError([{ path: ["id"], problem }]);
  if (parts.length !== parents.length + 1 || parts.includes("") || region === "")
    throw refuse(`${JSON.stringify(text)} is not of the form ${form}${regional ? ` or region,${form}` : ""}`);
  for (const [at, part] of parts.entries()) {
    const wrong = wrongAt(resource, at, part);
    if (wrong !== undefined)
      throw refuse(parts.length === 1 ? wrong : `its part ${JSON.stringify(part)} ${wrong}`);
  }
  const values = Object.fromEntries(parents.map((name, at) => [name, parts[at] ?? ""]));
  return { id: parts.at(-1) ?? "", region, values };
}

/** Why a part of an import id cannot be what stands there: a parent, which may be a mere name, or the thing itself. */
function wrongAt(resource: Resource, at: number, part: string): string | undefined {
  const { parents = [], fields, name, importedBy = "" } = resource;
  const field = fields[parents[at] ?? importedBy];
  const kind = field?.kind === "field" ? field.options.references : name;
  if (kind !== undefined) return misfit(part, kind);
  return part === "" ? "must not be empty" : undefined;
}

/** Throws `InputError` for ids that are masked or of another kind, each at its field. */
function checkImported(resource: Resource, { id, values }: Imported): Imported["values"] {
  const { parents = [] } = resource;
  const parts = [...parents.map((name) => [name, values[name] ?? ""] as const), ["id", id] as const];
  const problems = parts.flatMap(([name, part], at) => {
    const problem = wrongAt(resource, at, String(part));
    return problem === undefined ? [] : [{ path: [name], problem }];
  });
  if (problems.length > 0) throw new InputError(problems);
  return values;
}

/**
 * Takes up an object by its import id, or by what that comes apart into. What the cloud never returns stays unread;
 * its default is assumed.
 */
export async function importObject(operation: Operation, where: string | Imported): Promise<Held> {
  const { resource, session } = operation;
  const imported = typeof where === "string" ? parseImportId(resource, where) : where;
  const { id, region: given } = imported;
  const parents = checkImported(resource, imported);
  const region = regionFor(session, resource, given);
  const seen = await observe(operation, addressOf(resource, id, region, parents), ever, parents);
  if (seen === undefined && resource.unseen !== undefined)
    throw operation.failed(
      `the cloud answers no read of it, so ${id} cannot be imported`,
      { is: "nothing changed" },
      "Make a new one here, and remove that one where it was made",
    );
  if (seen === undefined)
    throw operation.failed(
      `nothing is there under ${id} in ${region}`,
      { is: "nothing changed" },
      isElsewhere(id, region)
        ? "Its id names another region: put that one and a comma in front"
        : "Check the id, the region and the account of the API key",
    );
  // A row knows it by the id that is kept, if by any; the one given may be another form of it (contract 17.3).
  const own = nameable(typeof seen.id === "string" ? seen.id : undefined) ?? id;
  return firstSeen(resource, own, { ...parents, ...seen, region });
}

/** What is held of an object that was seen and never configured here; `told` is what else is known of it. */
export function firstSeen({ fields }: Resource, id: string, seen: Values, told: Values = {}): Held {
  const values = remember(fields, seen, told, "defaults");
  return { id, task: undefined, values, unread: unreadPaths(fields, values, told) };
}
