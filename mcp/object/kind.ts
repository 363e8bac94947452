import { lookups } from "../../functions/index.ts";
import { plural } from "../../provider/core/name.ts";
import type { Lookup } from "../../provider/definition/function.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { resources } from "../../resources/index.ts";

/** Kinds of objects of the API, with the lookups that list and read them. */

export interface Kind {
  /** Name in the singular, such as `volume`. */
  readonly name: string;
  readonly resource: Resource | undefined;
  /** Lookup of all objects of a scope. */
  readonly all: Lookup | undefined;
  /** Lookup of one object. */
  readonly one: Lookup | undefined;
  /** True if an object without a lookup is read by its ID, as an import does. */
  readonly isRead: boolean;
}

/** Lookups that no tool offers: the content of an object may be a secret, such as a state file. */
const excluded: ReadonlySet<string> = new Set(["object-content"]);

const offered = lookups.filter(({ name }) => !excluded.has(name));
const byName = new Map(offered.map((lookup) => [lookup.name, lookup]));
const resourceOf = new Map(resources.map((resource) => [resource.name, resource]));

/** Returns the kind that a lookup without a resource lists or reads. */
function kindOf({ name }: Lookup): string {
  const known = [...resourceOf.keys(), ...byName.keys()].find((kind) => plural(kind) === name);
  return known ?? name.replace(/s$/, "");
}

/** Returns true for a lookup that finds one object. */
const findsOne = (lookup: Lookup): boolean =>
  "resource" in lookup
    ? lookup.finds === "one"
    : kindOf(lookup) === lookup.name || byName.has(plural(lookup.name));

const kindOfLookup = (lookup: Lookup): string =>
  "resource" in lookup ? lookup.resource.name : kindOf(lookup);

/** Returns the kinds by their names, in the order of the definitions. */
function allKinds(): ReadonlyMap<string, Kind> {
  const found = Map.groupBy(offered, kindOfLookup);
  const names = new Set([...resourceOf.keys(), ...found.keys()]);
  return new Map(
    [...names].flatMap((name): [string, Kind][] => {
      const of = found.get(name) ?? [];
      const resource = resourceOf.get(name);
      const one = of.find(findsOne);
      const isRead = one === undefined && resource?.verbs.read !== undefined && resource.stateOnly !== true;
      const kind = { name, resource, one, all: of.find((lookup) => !findsOne(lookup)), isRead };
      return kind.all === undefined && one === undefined && !isRead && resource === undefined
        ? []
        : [[name, kind]];
    }),
  );
}

export const kinds = allKinds();
