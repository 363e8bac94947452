import * as z from "zod/mini";
import { computed } from "../provider/definition/field.ts";
import { defineLookup } from "../provider/definition/function.ts";

/** Regions in the interface documents of the API (docs/contract.md#1.5). No route lists regions. */
const known = ["In-Bangalore-1", "In-Hyderabad-1"];

/** Lookup of the known regions, without a request. */
export const regions = defineLookup({
  name: "regions",
  category: "provider",
  about:
    "Lists the regions that this version of the provider knows, without a request. Other regions can be used too.",
  regional: false,
  fields: { regions: computed(z.array(z.string()), "Names of the regions.") },
})(async () => ({ regions: known }));
