import * as z from "zod/mini";
import { computed, field } from "../provider/define.ts";
import { defineLookup } from "../provider/define-function.ts";
import { InputError } from "../provider/errors.ts";
import { text } from "../provider/type.ts";
import { describeVpc, listVpcs, type VpcRow } from "../resources/vpc.wire.ts";

/** One VPC, by id or name. A name that none or several have is an `InputError` that lists what there is. */
export const vpc = defineLookup({
  name: "vpc",
  about: "Looks up one VPC, by its id or by its name.",
  fields: {
    id: field(z.optional(text), "Identifier of the VPC.", { references: "vpc", computed: true }),
    name: field(z.optional(text), "Name of the VPC; it must be the only one of that name.", {
      computed: true,
    }),
    networkName: computed(z.string(), "Name of its network."),
    networkId: computed(z.string(), "Identifier of its network."),
    status: computed(z.string(), "Where it stands, in the cloud's word."),
  },
  rules: [
    {
      needs: ["id", "name"],
      check: ({ id, name }) =>
        (id === undefined) === (name === undefined)
          ? { path: ["id"], problem: "give either id or name" }
          : undefined,
    },
  ],
})(async ({ api, region, inputs }) => {
  const id = inputs.id ?? only(await listVpcs(api, region), inputs.name ?? "").id;
  const found = await describeVpc(api, id);
  if (found === undefined)
    throw new InputError([{ path: ["id"], problem: `no VPC has the id ${id} in ${region}` }]);
  const { subnets: _, ...seen } = found;
  return { id, ...seen };
});

/** The one row of that name; none or several is an error that shows what there is. */
function only(rows: readonly VpcRow[], name: string): VpcRow {
  const named = rows.filter((row) => row.name === name);
  const [row] = named;
  if (row !== undefined && named.length === 1) return row;
  const shown =
    (named.length > 0 ? named : rows).map((row) => `${row.name} (${row.id})`).join(", ") || "none";
  const problem =
    named.length > 0
      ? `${named.length} VPCs have this name: ${shown}`
      : `no VPC has this name; there are: ${shown}`;
  throw new InputError([{ path: ["name"], problem }]);
}
