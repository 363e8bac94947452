import * as z from "zod/mini";
import { computed, field } from "../provider/definition/field.ts";
import { defineLookup } from "../provider/definition/function.ts";
import { tenant, volumeTypeList } from "../resources/wire/volume.ts";

const named = z.object({ name: z.string() });

function nameOf(entry: unknown): string[] {
  if (typeof entry === "string") return [entry];
  const { success, data } = named.safeParse(entry);
  return success ? [data.name] : [];
}

/** Returns the names in a response of any known format: a list, a list under any key, or the keys of an object. */
function namesIn(answer: readonly unknown[] | Readonly<Record<string, unknown>>): string[] {
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
    namesIn(await api.send(volumeTypeList, { headers: tenant(vpcId) })),
  ),
}));
