import * as z from "zod";

/** Open questions of the contract about pods (docs/contract.md#10): part of the switches in `assumption.ts`. */
export const podAssumptions = {
  podNeedsEnvironment: z
    .boolean()
    .default(true)
    .describe("16: a pod create without `environment_variables` gets 400; an empty list is accepted"),
  podId: z
    .enum(["krn", "uuid", "other"])
    .default("krn")
    .describe(
      "17.7: the `pod_id` of a create is the KRN, the bare UUID, which paths accept too, or an id that no path accepts",
    ),
  podRead: z
    .union([z.literal(404), z.literal(405), z.literal("pod")])
    .default(405)
    .describe("17.7: the read of a pod, which no source documents, returns this HTTP status or the pod"),
};
