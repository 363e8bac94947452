import * as z from "zod/mini";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { maybeAmount, maybeText } from "../../provider/definition/validator.ts";

/** Instance types in responses (docs/contract.md#5). */

/** Schema of an instance type in a response. */
export const flavor = z.object({
  flavorid: maybeText,
  flavorname: z.string(),
  cpus: maybeAmount,
  cpuram: maybeAmount,
  cost: maybeAmount,
  currency: maybeText,
  unit: maybeText,
  flavorstatus: maybeText,
  type: maybeText,
});

/** Route that lists the instance types of a region. */
export const flavorList = endpoint(
  "read",
  "GET /api/v1/flavor/compute",
  z.array(z.object({ subject: maybeText, groupBy: z.array(flavor) })),
);
