import * as z from "zod";

const size = z.int().min(1);

/**
 * Open questions of the contract about templates and batches (docs/contract.md#7): part of the switches in
 * `assumption.ts`.
 */
export const templateAssumptions = {
  templateListShape: z
    .enum(["templates", "data"])
    .default("templates")
    .describe("7: the template list answers `templates[]` or `data[]`"),
  templatePageDefault: size.default(10).describe("7: templates on a page when the request names no limit"),
  templatePageMax: size.default(100).describe("17.2: the most templates that a page holds"),
  batchIdIsJob: z
    .boolean()
    .default(true)
    .describe("17.4: the machines of a batch bear its `job_id` as `batch_id`; else another id"),
  batchNames: z
    .enum(["restart", "continue", "random"])
    .default("restart")
    .describe(
      "7: machines of a batch are called PREFIX-1, PREFIX-2 in every batch, go on with the first free number, " +
        "or end at random",
    ),
};
