import * as z from "zod/mini";
import { computed } from "../provider/define.ts";
import { defineLookup } from "../provider/define-function.ts";
import { listVpcs } from "../resources/vpc.wire.ts";

/** All VPCs of a region. */
export const vpcs = defineLookup({
  name: "vpcs",
  about: "Lists the VPCs of a region.",
  fields: {
    vpcs: computed(
      z.array(z.object({ id: z.string(), name: z.string(), status: z.string() })),
      "The VPCs, in the cloud's order.",
    ),
  },
})(async ({ api, region }) => ({ vpcs: await listVpcs(api, region) }));
