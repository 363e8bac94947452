import * as z from "zod";
import { amount } from "../amount.ts";

/**
 * Open questions of the contract about templates and batches (docs/contract.md#7): part of the switches in
 * `assumption.ts`.
 */
export const templateAssumptions = {
  templateListShape: z
    .enum(["templates", "data"])
    .default("templates")
    .describe("7: the template list returns `templates[]` or `data[]`"),
  templatePageDefault: amount.default(10).describe("7: templates per page without a limit in the request"),
  templatePageMax: amount.default(100).describe("17.2: maximum number of templates per page"),
  batchIdIsJob: z
    .boolean()
    .default(true)
    .describe("17.4: the `batch_id` of an instance is the `job_id` of its batch; else another id"),
  batchNames: z
    .enum(["restart", "continue", "random"])
    .default("restart")
    .describe(
      "7: the names of a batch's instances are PREFIX-1, PREFIX-2 in every batch, start at the first free number, " +
        "or have a random suffix",
    ),
};
