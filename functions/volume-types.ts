import * as z from "zod/mini";
import { endpoint } from "../provider/definition/endpoint.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineLookup } from "../provider/definition/function.ts";
import { tenant } from "../resources/wire/volume.ts";

/**
 * Volume types in the response: a list, or an object by name. It is not documented whether the entries are names or
 * objects (docs/contract.md#8).
 */
const types = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]);
const list = endpoint("read", "GET /kbs/v1/volumes/types", types);

const named = z.object({ name: z.string() });

function nameOf(entry: unknown): string[] {
  if (typeof entry === "string") return [entry];
  const { success, data } = named.safeParse(entry);
  return success ? [data.name] : [];
}

/** Returns the names in a response of any known format: a list, a list under any key, or the keys of an object. */
function namesIn(answer: z.infer<typeof types>): string[] {
  if (Array.isArray(answer)) return answer.flatMap(nameOf);
  const lists = Object.values(answer).filter((value) => Array.isArray(value));
  return lists.length > 0 ? lists.flatMap((entries) => entries.flatMap(nameOf)) : Object.keys(answer);
}

/** Lookup of the volume types that are available to a VPC. */
export const volumeTypes = defineLookup({
  name: "volume-types",
  category: "block-storage",
  about: "Lists the volume types of a VPC. The API can accept other types too.",
  fields: {
    vpcId: field(z.string(), "ID of the VPC of the volumes.", { references: "vpc" }),
    volumeTypes: computed(z.array(z.string()), "Names of the volume types, in the order of the API."),
  },
})(async ({ api, inputs: { vpcId }, share }) => ({
  volumeTypes: await share(`volume types ${vpcId}`, async () =>
    namesIn(await api.send(list, { headers: tenant(vpcId) })),
  ),
}));
