import * as z from "zod/mini";
import { requireOne } from "../provider/core/candidate.ts";
import { sameText } from "../provider/core/string.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineLookup, type LookupRequest } from "../provider/definition/function.ts";
import { described } from "../provider/definition/shape.ts";
import { text } from "../provider/definition/validator.ts";
import { flavorList } from "../resources/wire/flavor.ts";

/** Lookups of the instance types that are available to an account in a region (docs/contract.md#5). */

const kinds = ["CPU", "GPU"] as const;

const abouts = {
  id: "ID of the instance type.",
  cpus: "Number of vCPUs.",
  memory: "Amount of memory, in the unit of the API.",
  cost: "Price per unit of time.",
  currency: "Currency of the price.",
  unit: "Unit of time of the price.",
  status: "Status reported by the API.",
};
const shown = {
  id: described(z.optional(z.string()), abouts.id),
  cpus: described(z.optional(z.number()), abouts.cpus),
  memory: described(z.optional(z.number()), abouts.memory),
  cost: described(z.optional(z.number()), abouts.cost),
  currency: described(z.optional(z.string()), abouts.currency),
  unit: described(z.optional(z.string()), abouts.unit),
  status: described(z.optional(z.string()), abouts.status),
};

/** Lists the instance types of one kind, or of both. */
async function listTypes({ api, share }: Pick<LookupRequest<never>, "api" | "share">, kind?: string) {
  const wanted = kinds.filter((one) => kind === undefined || one === kind);
  const listed = await Promise.all(
    wanted.map((type) => share(`instance types ${type}`, () => api.send(flavorList, { query: { type } }))),
  );
  return listed.flatMap((groups, index) =>
    groups.flatMap(({ groupBy }) =>
      groupBy.map(({ flavorid, flavorname, cpuram, flavorstatus, type, ...rest }) => ({
        ...rest,
        id: flavorid,
        name: flavorname,
        memory: cpuram,
        status: flavorstatus,
        type: type ?? wanted[index] ?? "",
      })),
    ),
  );
}

const kind = field(z.optional(z.enum(kinds)), "Returns only instance types of this kind.");

/** Lookup of the instance types of a region. */
export const instanceTypes = defineLookup({
  name: "instance-types",
  category: "compute",
  about: "Lists the instance types of a region.",
  fields: {
    type: kind,
    instanceTypes: computed(
      z.array(
        z.object({
          name: described(z.string(), "Name of the instance type."),
          type: described(z.string(), "Kind of the instance type: `CPU` or `GPU`."),
          ...shown,
        }),
      ),
      "Instance types, in the order of the API.",
    ),
  },
})(async ({ inputs, ...call }) => ({ instanceTypes: await listTypes(call, inputs.type) }));

/** Lookup of one instance type by its name. */
export const instanceType = defineLookup({
  name: "instance-type",
  category: "compute",
  about: "Looks up one instance type by its name.",
  fields: {
    name: field(text, "Name of the instance type."),
    type: computed(z.string(), "Kind of the instance type: `CPU` or `GPU`."),
    id: computed(shown.id, abouts.id),
    cpus: computed(shown.cpus, abouts.cpus),
    memory: computed(shown.memory, abouts.memory),
    cost: computed(shown.cost, abouts.cost),
    currency: computed(shown.currency, abouts.currency),
    unit: computed(shown.unit, abouts.unit),
    status: computed(shown.status, abouts.status),
  },
})(async ({ inputs: { name }, ...call }) => {
  const all = await listTypes(call);
  const matching = all.filter((type) => sameText(type.name, name));
  return requireOne("instance-type", { name }, { all, matching }, (type) => type.name);
});
