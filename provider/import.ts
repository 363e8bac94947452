import type { Resource } from "./define.ts";
import { type Held, InputError } from "./errors.ts";
import { isElsewhere, misfit } from "./krn.ts";
import { ever } from "./listing.ts";
import { addressOf, observe, remember, unreadPaths } from "./observe.ts";
import { type Operation, regionFor } from "./operation.ts";
import type { Values } from "./value.ts";

/** An import id taken apart. */
export interface Imported {
  readonly id: string;
  /** Only where the id begins with one. */
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
  const form = [...parents, "id"].join(",");
  const regional = resource.regional !== false;
  const region = parts.length === parents.length + 2 && regional ? parts.shift() : undefined;
  const refuse = (problem: string) => new InputError([{ path: ["id"], problem }]);
  if (parts.length !== parents.length + 1 || parts.includes("") || region === "")
    throw refuse(`${JSON.stringify(text)} is not of the form ${form}${regional ? ` or region,${form}` : ""}`);
  for (const [at, part] of parts.entries()) {
    const wrong = misfit(part, kindAt(resource, at));
    if (wrong !== undefined)
      throw refuse(parts.length === 1 ? wrong : `its part ${JSON.stringify(part)} ${wrong}`);
  }
  const values = Object.fromEntries(parents.map((name, at) => [name, parts[at] ?? ""]));
  return { id: parts.at(-1) ?? "", region, values };
}

/** The kind of object that a part of an import id names: a parent, or after them the thing itself. */
function kindAt({ parents = [], fields, name }: Resource, at: number): string {
  const parent = fields[parents[at] ?? ""];
  return (parent?.kind === "field" ? parent.options.references : undefined) ?? name;
}

/** Takes up an object by its import id. What the cloud never returns stays unread; its default is assumed. */
export async function importObject(operation: Operation, text: string): Promise<Held> {
  const { resource, session } = operation;
  const { id, region: given, values: parents } = parseImportId(resource, text);
  const region = regionFor(session, resource, given);
  const seen = await observe(operation, addressOf(resource, id, region, parents), ever, parents);
  if (seen === undefined)
    throw operation.failed(
      `nothing is there under ${id} in ${region}`,
      { is: "nothing changed" },
      isElsewhere(id, region)
        ? "Its id names another region: put that one and a comma in front"
        : "Check the id, the region and the account of the API key",
    );
  const values = remember(resource.fields, { ...parents, ...seen, region }, {}, "defaults");
  return { id, task: undefined, values, unread: unreadPaths(resource.fields, values, {}) };
}
