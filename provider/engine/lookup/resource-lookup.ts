import * as z from "zod/mini";
import { capital, fieldName, plural, term } from "../../core/name.ts";
import { wording } from "../../core/wording.ts";
import { computed, type Fields, field } from "../../definition/field.ts";
import type { ResourceLookup } from "../../definition/function.ts";
import { idKind, referenceOf as referencedKind } from "../../definition/import-id.ts";
import { listingParents, type Resource, type Rule, scopeFields } from "../../definition/resource.ts";
import { described, valueSchema } from "../../definition/shape.ts";
import { answerSchema, answerSchemas, choices, rowFields, type Single, shownFields } from "./answer.ts";

/**
 * Returns the lookups derived from a resource that can be listed: one for a single object, by its id or by other
 * fields, and one for all objects.
 */
export function lookupsOf(resource: Resource): ResourceLookup[] {
  if (resource.verbs.list === undefined) return [];
  // A resource that is listed by its own name has at most one object per listing.
  return isListedByName(resource) ? [oneOf(resource)] : [oneOf(resource), allOf(resource)];
}

const isListedByName = ({ parents = [] }: Resource): boolean => parents.includes("name");

const referenceOf = ({ options }: Single): { references?: string } =>
  "references" in options && options.references !== undefined ? { references: options.references } : {};

/** Returns the fields that select a listing: the parents and the region. */
const placeFields = (resource: Resource): Fields =>
  Object.fromEntries(
    Object.entries(scopeFields(resource)).map(([name, of]) =>
      name === "region" || of.kind !== "field"
        ? [name, of]
        : [name, field(of.schema, of.about, referenceOf(of))],
    ),
  );

function oneOf(resource: Resource): ResourceLookup {
  const { name, category, regional = true } = resource;
  return lazily(() => textsOfOne(resource), {
    name,
    category,
    regional,
    resource,
    finds: "one",
  });
}

function textsOfOne(resource: Resource): Texts {
  const { name } = resource;
  const chosen = isListedByName(resource) ? [] : choices(resource);
  const by = isListedByName(resource) ? [] : ["id", ...chosen.map(([name]) => name)];
  const id = field(z.optional(z.string()), `ID of the ${term(name)}.`, {
    references: idKind(resource),
    computed: true,
    usage: "Required if no other attribute selects the object, and conflicts with those that do.",
  });
  const returned = Object.entries(shownFields(resource)).filter(([name]) => !by.includes(name));
  const fields = {
    ...placeFields(resource),
    id: isListedByName(resource) ? computed(z.string(), id.about) : id,
    ...Object.fromEntries(
      chosen.map(([name, of]) => [
        name,
        field(z.optional(valueSchema(of)), of.about, { ...referenceOf(of), computed: true }),
      ]),
    ),
    ...Object.fromEntries(returned.map(([name, of]) => [name, computed(answerSchema(of), of.about)])),
  };
  const about = `Looks up one ${term(name)} by its ${isListedByName(resource) ? "name" : "ID or by other attributes"}.`;
  return { about, fields, rules: by.length > 0 ? [idOrElse(by)] : [] };
}

const idOrElse = (by: readonly string[]): Rule<Fields> => ({
  needs: by,
  check(inputs) {
    const present = by.filter((name) => name in inputs);
    const wrong = present.length === 0 || (present.includes("id") && present.length > 1);
    return wrong ? { path: ["id"], problem: "set either the ID or other attributes, not both" } : undefined;
  },
});

/** Returns the term for the scope of a listing: the innermost parent that selects it, else the region or the account. */
function scopeOf(resource: Resource): string {
  const { regional } = resource;
  const kind = referencedKind(resource, listingParents(resource).at(-1) ?? "");
  return kind !== undefined ? term(kind) : regional === false ? "user" : "region";
}

function allOf(resource: Resource): ResourceLookup {
  const { name, category, regional = true } = resource;
  const all = plural(name);
  return lazily(() => textsOfAll(resource, all), {
    name: all,
    category,
    regional,
    resource,
    finds: "all",
  });
}

function textsOfAll(resource: Resource, all: string): Texts {
  const filters = choices(resource).map(
    ([name, of]) =>
      [
        name,
        field(
          z.optional(valueSchema(of)),
          wording`${of.about} Returns only ${term(all)} with this value.`,
          referenceOf(of),
        ),
      ] as const,
  );
  const row = z.object({
    id: described(z.string(), `ID of the ${term(resource.name)}.`),
    ...answerSchemas(rowFields(resource)),
  });
  const fields = {
    ...placeFields(resource),
    ...Object.fromEntries(filters),
    [fieldName(all)]: computed(z.array(row), `${capital(term(all))}, in the order of the API.`),
  };
  return { about: `Lists the ${term(all)} of a ${scopeOf(resource)}.`, fields, rules: [] };
}

type Texts = Required<Pick<ResourceLookup, "about" | "fields" | "rules">>;

/**
 * Returns a lookup whose description, fields and rules are computed on first access: they read the definition of the
 * resource, and a plugin process often serves one request, which rarely needs them.
 */
function lazily(make: () => Texts, lookup: Omit<ResourceLookup, keyof Texts>): ResourceLookup {
  let texts: Texts | undefined;
  const once = () => {
    texts ??= make();
    return texts;
  };
  return {
    ...lookup,
    get about() {
      return once().about;
    },
    get fields() {
      return once().fields;
    },
    get rules() {
      return once().rules;
    },
  };
}
