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

/** Finds objects of a resource for those who ask; the listings are those of reads. */

/** Where and by which fields to look. */
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

/** What is asked for beside the place and the id. */
const wanted = (resource: Resource, inputs: Values) =>
  choices(resource).filter(([name]) => inputs[name] !== undefined);

/** The rows of the place that is asked about, out of a listing from after the last write there. */
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

/** Every object that is as asked for, as far as the listing shows it. */
export async function findAll(resource: Resource, asked: Asked): Promise<Values[]> {
  const { matching: like } = await rowsOf(resource, asked);
  return like.map((row) => pick(["id", ...Object.keys(rowFields(resource))], row));
}

/** The one object that is asked for, by its id or otherwise. Throws `InputError` for none and for several. */
export async function findOne(resource: Resource, asked: Asked): Promise<Values> {
  const { region, work, inputs } = asked;
  const { parents = [], listedIn = parents } = resource;
  // An id is enough where all parents are given; else only the listing tells them.
  const listed = inputs.id === undefined || listedIn.length < parents.length;
  const row = listed ? only(resource, inputs, await rowsOf(resource, asked)) : undefined;
  const id = String(inputs.id ?? row?.id);
  const place = pick(parents, { ...row, ...inputs });
  const seen =
    (row && rowAsState(resource, row as never, place)) ??
    (await readCurrent(operationOn(resource, work), addressOf(resource, id, region, place), ever, place));
  if (seen === undefined)
    throw refused("id", `no ${spoken(resource.name)} has the id ${id}${region && ` in ${region}`}`);
  // A lookup tells every tag, wherever it came from; what was asked for keeps its spelling.
  const shown = withAllTags(resource, seen, { defaultTags: {} });
  return { ...pick(Object.keys(shownFields(resource)), { ...shown, ...place }), ...inputs, id };
}

const refused = (name: string, problem: string) => new InputError([{ path: [name], problem }]);

/** The one row that is as asked for. */
function only(resource: Resource, inputs: Values, rows: Candidates<Values>): Values {
  const names = wanted(resource, inputs).map(([name]) => name);
  const asked = [...new Set(["name", ...names])].filter((name) => name in inputs);
  const row = requireOne(resource.name, asked, rows, ({ id, name }) => labelOf(String(id), name));
  const wrong = idProblem(String(row.id ?? ""), resource.name);
  if (wrong !== undefined) throw refused(asked[0] ?? "id", `the id of what was found ${wrong}`);
  return row;
}
