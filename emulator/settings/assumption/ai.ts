import * as z from "zod";

/** Open questions of the contract about inference and documents: part of the switches in `assumption.ts`. */
export const aiAssumptions = {
  inferencePrefix: z
    .string()
    .regex(/^(\/[\w-]+)*$/, "must be empty or a path such as /api")
    .default("")
    .describe("17.7: the path before /v1/inference"),
  cancelledTaskShown: z
    .boolean()
    .default(true)
    .describe("17.7: a cancelled inference task can still be read, with the status `cancelled`; else 404"),
  documentFailureWord: z
    .string()
    .min(1)
    .default("failed")
    .describe("17.7: the `file_status` of a document job that failed"),
};
