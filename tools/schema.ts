import * as z from "zod";
import { inventorySchema } from "../emulator/inventory/inventory.ts";
import { policySchema } from "../review/gate/policy.ts";
import { reportSchema } from "../review/report/report.ts";

/** JSON schemas of the package: the policy file and the report of `kcloud review`, and the inventory of the emulator. */

/**
 * Returns the schemas as texts by file name. The schema of a report allows additional fields, which a later version may write.
 */
export const packageSchemas = (): Readonly<Record<string, string>> => ({
  "review-policy.json": textOf(policySchema, "Policy of kcloud review: kcloud-review.json"),
  "emulator-inventory.json": textOf(inventorySchema, "Inventory of kcloud emulator: --inventory"),
  "review-report.json": textOf(reportSchema, "Report of kcloud review: --out json"),
});

const textOf = (schema: z.ZodType, title: string): string =>
  `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io: "input" }) }, null, 2)}\n`;
