import { type Candidates, labelOf, requireOne } from "../../core/candidate.ts";
import { InputError } from "../../core/error.ts";
import { idProblem, sameId } from "../../core/krn.ts";
import { spoken } from "../../core/name.ts";
import { equalsIgnoreCase } from "../../core/string.ts";
import type { Value, Values } from "../../core/value.ts";
import { sameValue } from "../../definition/equality.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Operation, Work } from "../operation.ts";
import { ever } from "../shared-listing.ts";
import { addressOf, listExisting, readCurrent, rowAsState, scopeKey, withAllTags } from "../state/state.ts";
import { choices, rowFields, shownFields } from "./answer.ts";

/** Finds objects for lookups, which share the listings of reads. */

/** Scope and inputs of a lookup. */
export interface Asked {
  readonly work: Work;
  readonly region: string;
  readonly inputs: Values;
}

const operationOn = (resource: Resource, work: Work): Operation => ({
  ...work,
  resource,
  verb: "list",
  subject: `the ${spoken(resource.name)}`,
});

const pick = (names: Iterable<string>, from: Values): Values =>
  Object.fromEntries([...names].map((name) => [name, from[name] ?? null]));

/** Returns the filter fields that the inputs set, without the scope and the id. */
const wanted = (resource: Resource, inputs: Values) =>
  choices(resource).filter(([name]) => inputs[name] !== undefined);

/**
 * Returns the rows of the scope and those that match the inputs, from a listing begun after the last write in the
 * scope.
 */
async function rowsOf(resource: Resource, { region, inputs, work }: Asked): Promise<Candidates<Values>> {
  const address = addressOf(resource, "", region, inputs);
  const after = work.session.listings.lastWrite(scopeKey(resource, address));
  const all = (await listExisting(operationOn(resource, work), address, after)) as unknown as Values[];
  const asked = wanted(resource, inputs);
  const isLike = (row: Values) =>
    asked.every(([name, field]) => {
      const [shown, due]: Value[] = [row[name] ?? null, inputs[name] ?? null];
      return name === resource.lifecycle?.field
        ? equalsIgnoreCase(String(shown), String(due))
        : sameValue(field, shown ?? null, due ?? null);
    });
  const isIt = ({ id }: Values) => inputs.id === undefined || sameId(String(id), String(inputs.id));
  return { all, matching: all.filter((row) => isIt(row) && isLike(row)) };
}

/** Returns every matching object, with the fields that the listing shows. */
export async function findAll(resource: Resource, asked: Asked): Promise<Values[]> {
  const { matching: like } = await rowsOf(resource, asked);
  return like.map((row) => pick(["id", ...Object.keys(rowFields(resource))], row));
}

/** Returns the one object that matches the id or the other inputs. Throws `InputError` for none and for several. */
export async function findOne(resource: Resource, asked: Asked): Promise<Values> {
  const { region, work, inputs } = asked;
  const { parents = [], listedIn = parents } = resource;
  // The id is enough if all parents are given; otherwise only the listing shows them.
  const listed = inputs.id === undefined || listedIn.length < parents.length;
  const row = listed ? only(resource, inputs, await rowsOf(resource, asked)) : undefined;
  const id = String(inputs.id ?? row?.id);
  const place = pick(parents, { ...row, ...inputs });
  const seen =
    (row && rowAsState(resource, row as never, place)) ??
    (await readCurrent(operationOn(resource, work), addressOf(resource, id, region, place), ever, place));
  if (seen === undefined)
    throw refused("id", `no ${spoken(resource.name)} has the id ${id}${region && ` in ${region}`}`);
  // A lookup returns every tag, including the provider's; inputs keep their spelling.
  const shown = withAllTags(resource, seen, { defaultTags: {} });
  return { ...pick(Object.keys(shownFields(resource)), { ...shown, ...place }), ...inputs, id };
}

const refused = (name: string, problem: string) => new InputError([{ path: [name], problem }]);

/** Returns the one matching row. Throws `InputError` for none, for several, and for an invalid or masked id. */
function only(resource: Resource, inputs: Values, rows: Candidates<Values>): Values {
  const names = wanted(resource, inputs).map(([name]) => name);
  const asked = [...new Set(["name", ...names])].filter((name) => name in inputs);
  const row = requireOne(resource.name, asked, rows, ({ id, name }) => labelOf(String(id), name));
  const wrong = idProblem(String(row.id ?? ""), resource.name);
  if (wrong !== undefined) throw refused(asked[0] ?? "id", `the id of what was found ${wrong}`);
  return row;
}
