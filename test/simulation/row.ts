import { uuidOf } from "../../emulator/state/id.ts";
import type { Values } from "../../provider/core/value.ts";
import { resource as definition } from "../support/cloud.ts";
import { nouns, type Row } from "./kind.ts";

/** The emulator's word for what a resource makes. */
export const kindOf = (resource: string): string => nouns[resource]?.kind ?? resource.replaceAll("-", "_");

interface Told {
  readonly cidr?: string;
  readonly keyName?: string;
  readonly portMin?: number;
  readonly places?: readonly unknown[];
}

/** Two objects that one address could mean: of one kind and place, and what tells them apart is the same. */
export function isTwin(a: Row, b: Row): boolean {
  const place = (row: Row) => [row.kind, row.region, row.parents[0]].join(" ");
  const own = (row: Row) => {
    const { name, keyName = name, cidr, portMin, places } = row as Row & Told;
    const group = manyOf(row).at(-1);
    if (group !== undefined) return row.work.failure === undefined ? group : row.krn;
    // An address on another port than its own shows no name.
    if (places !== undefined && places.length > 1) return row.krn;
    // What hangs on two things is told by both.
    return [keyName, cidr, portMin, ...(row.kind === "volume_attachment" ? row.parents : [])].join(" ");
  };
  return place(a) === place(b) && own(a) === own(b);
}

/** What a request made for its own sake: what comes with a machine, an address or a VPC may outlive it. */
export function mainOf(made: readonly Row[]): readonly Row[] {
  const mains = made.filter(({ kind }) => ["instance", "floating_ip", "vpc"].includes(kind));
  return mains.length > 0 ? mains : made;
}

const several = Object.values(nouns).flatMap(({ many }) => many ?? []);

/** What a row goes by together with others. */
const manyOf = (row: Row): readonly string[] => several.flatMap(({ ofRow }) => ofRow(row));

/** So many rows may be alike: one, or as many as one object has. */
export const mostAlike = (row: Row): number => several.find(({ ofRow }) => ofRow(row).length > 0)?.most ?? 1;

/** The resources whose objects have ids of their own, by the emulator's word for them. */
const otherwise = new Map(
  Object.entries(nouns).flatMap(([resource, { idOf }]) =>
    idOf === undefined ? [] : [[kindOf(resource), { resource, idOf }]],
  ),
);

/** What an object is imported by. */
export const importedAs = (row: Row): string =>
  manyOf(row)[0] ?? otherwise.get(row.kind)?.idOf(row) ?? row.krn;

const named = (resource: string, id: string, parents: readonly string[]): string =>
  [resource, ...parents, id].map(uuidOf).join(" ");

/** What tells an object from all others, of what the provider calls it: the last part of a KRN, or an id in its place. */
export function nameOf(resource: string, id: string, values: Values): string {
  if (nouns[resource]?.idOf === undefined) return uuidOf(id);
  const { parents = [] } = definition(resource);
  return named(
    resource,
    id,
    parents.map((parent) => String(values[parent])),
  );
}

/** The same of a row, where it is not its KRN. */
function ownName(row: Row): string | undefined {
  const own = otherwise.get(row.kind);
  if (own === undefined) return undefined;
  const { parents = [] } = definition(own.resource);
  return named(own.resource, own.idOf(row), row.parents.slice(0, parents.length));
}

/**
 * All that an object goes by: the last part of its KRN, the task that makes it (docs/contract.md#6), what it is one of.
 */
export function namesOf(row: Row): string[] {
  const { krn, taskId, tasks } = row as Row & {
    taskId?: string | null;
    tasks?: readonly { readonly id: string }[];
  };
  return [uuidOf(krn), ownName(row), taskId ?? undefined, tasks?.[0]?.id, ...manyOf(row)].filter(
    (name) => name !== undefined,
  );
}

const blind = new Set(Object.keys(nouns).flatMap((name) => (nouns[name]?.blind ? kindOf(name) : [])));

/** Whether nothing shows whose it is. */
export const isBlind = ({ kind }: Row): boolean => blind.has(kind);

/** A port that nothing uses, of which no route rids anybody (docs/contract.md#2.3). */
export const isIdlePort = (row: Row): boolean =>
  row.kind === "port" && (row as Row & { device?: string | null }).device === null;

/** Whether a row is what the inputs of an address make. */
export function isMadeBy(row: Row, resource: string, inputs: Values): boolean {
  const { many, is = (other: Row) => other.name === inputs.name } = nouns[resource] ?? {};
  if (many !== undefined) return many.ofRow(row).includes(many.ofValues(inputs));
  return row.kind === kindOf(resource) && isAt(row, resource, inputs) && is(row, inputs);
}

/** Whether it is where the inputs say, as far as both tell. */
function isAt({ parents: [home] }: Row, resource: string, { vpcId }: Values): boolean {
  return nouns[resource]?.homeless === true || home === undefined || vpcId === undefined || home === vpcId;
}
