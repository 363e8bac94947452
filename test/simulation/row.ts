import { uuidOf } from "../../emulator/state/id.ts";
import type { Values } from "../../provider/core/value.ts";
import { resource as definition } from "../support/cloud.ts";
import { kinds, type Row } from "./kind.ts";

/** Returns the kind in the emulator of the objects of a resource. */
export const kindOf = (resource: string): string =>
  kinds[resource]?.emulatorKind ?? resource.replaceAll("-", "_");

interface Details {
  readonly cidr?: string;
  readonly keyName?: string;
  readonly portMin?: number;
  readonly places?: readonly unknown[];
  readonly document?: string;
  readonly config?: { readonly vpc_id?: string };
}

/** Returns the KRN of the first parent of a row, or of the VPC that it refers to. */
const placeOf = (row: Row): string | undefined => row.parents[0] ?? (row as Row & Details).config?.vpc_id;

/** Returns true if one address could have created both objects: kind, place and distinguishing fields are equal. */
export function isTwin(a: Row, b: Row): boolean {
  const place = (row: Row) => [row.kind, row.region, placeOf(row)].join(" ");
  const own = (row: Row) => {
    const { name, keyName = name, cidr, portMin, places, document } = row as Row & Details;
    const group = manyOf(row).at(-1);
    if (group !== undefined) return row.work.failure === undefined ? group : row.krn;
    // A floating IP that was moved to another port shows no name.
    if (places !== undefined && places.length > 1) return row.krn;
    // An attachment is identified by both of its parents.
    return [keyName, cidr, portMin, document, ...(row.kind === "volume_attachment" ? row.parents : [])].join(
      " ",
    );
  };
  return place(a) === place(b) && own(a) === own(b);
}

/**
 * Returns the objects that a request was sent for. Objects that are created with an instance, a floating IP or a VPC may
 * remain after its delete, and are left out.
 */
export function mainOf(made: readonly Row[]): readonly Row[] {
  const mains = made.filter(({ kind }) => ["instance", "floating_ip", "vpc"].includes(kind));
  return mains.length > 0 ? mains : made;
}

const several = Object.values(kinds).flatMap(({ many }) => many ?? []);

/** Returns the names that a row shares with the other rows of its object. */
const manyOf = (row: Row): readonly string[] => several.flatMap(({ ofRow }) => ofRow(row));

/** Returns the maximum number of rows that may be twins: one, or the number of rows of one object. */
export const maxTwins = (row: Row): number => several.find(({ ofRow }) => ofRow(row).length > 0)?.most ?? 1;

/** Resources whose ids are not KRNs, by their kind in the emulator. */
const byOwnId = new Map(
  Object.entries(kinds).flatMap(([resource, { idOf }]) =>
    idOf === undefined ? [] : [[kindOf(resource), { resource, idOf }]],
  ),
);

/** Returns the id of an object in an import. */
export const importedAs = (row: Row): string => manyOf(row)[0] ?? byOwnId.get(row.kind)?.idOf(row) ?? row.krn;

const named = (resource: string, id: string, parents: readonly string[]): string =>
  [resource, ...parents, id].map(uuidOf).join(" ");

/** Returns a unique name for an id of the provider: the last part of a KRN, or the resource, parents and id. */
export function nameOf(resource: string, id: string, values: Values): string {
  if (kinds[resource]?.idOf === undefined) return uuidOf(id);
  const { parents = [] } = definition(resource);
  return named(
    resource,
    id,
    parents.map((parent) => String(values[parent])),
  );
}

/** Returns the same name for a row; undefined if its id is the KRN. */
function ownName(row: Row): string | undefined {
  const own = byOwnId.get(row.kind);
  if (own === undefined) return undefined;
  const { parents = [] } = definition(own.resource);
  return named(own.resource, own.idOf(row), row.parents.slice(0, parents.length));
}

/**
 * Returns all names of an object: the last part of its KRN, the name for its id, the task that creates it
 * (docs/contract.md#6), and the names that it shares with other rows.
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

const unlisted = new Set(Object.keys(kinds).flatMap((name) => (kinds[name]?.unlisted ? kindOf(name) : [])));

const outliving = new Set(
  Object.keys(kinds).flatMap((name) => (kinds[name]?.outlivesVpc ? kindOf(name) : [])),
);

const permanent = new Set(Object.keys(kinds).flatMap((name) => (kinds[name]?.permanent ? kindOf(name) : [])));

const work = new Set(
  Object.keys(kinds).flatMap((name) => (definition(name).work === undefined ? [] : [kindOf(name)])),
);

/** Returns true if no route deletes the object. */
export const isPermanent = ({ kind }: Row): boolean => permanent.has(kind);

/** Returns true if the kind is `unlisted`: nothing shows which address its objects belong to. */
export const isUnlisted = ({ kind }: Row): boolean => unlisted.has(kind);

/** Returns true if the object may remain because only a killed process had its id. */
export const isLosable = ({ kind }: Row): boolean => unlisted.has(kind) || outliving.has(kind);

/** Returns true for cancelled work, which stays readable for some time and is no longer billed. */
export const isCancelled = ({ kind, deletingAt }: Row): boolean => work.has(kind) && deletingAt !== undefined;

/** Returns true for a port that nothing uses. No route deletes it (docs/contract.md#2.3). */
export const isIdlePort = (row: Row): boolean =>
  row.kind === "port" && (row as Row & { device?: string | null }).device === null;

/** Returns true if the inputs of an address created the row. */
export function isMadeBy(row: Row, resource: string, inputs: Values): boolean {
  const { many, is = (other: Row) => other.name === inputs.name } = kinds[resource] ?? {};
  if (many !== undefined) return many.ofRow(row).includes(many.ofValues(inputs));
  return row.kind === kindOf(resource) && isAt(row, resource, inputs) && is(row, inputs);
}

/**
 * Returns true if the row is in the VPC of the inputs, if either has none, or if the kind is `outsideVpc`. The spelling of an id
 * may differ in its prefix.
 */
function isAt(row: Row, resource: string, { vpcId }: Values): boolean {
  const parent = placeOf(row);
  if (kinds[resource]?.outsideVpc === true || parent === undefined || vpcId === undefined) return true;
  return uuidOf(parent) === uuidOf(String(vpcId));
}
