import * as z from "zod/mini";

/** Text services (docs/contract.md#13): one billed request each. The API stores no result. */

/** Languages of the entity extraction. */
export const indianLanguages = ["hin", "ben", "mar", "tam", "tel", "kan", "mal", "pan", "guj"] as const;
/** Languages of the summary and the sentiment. */
export const languages = ["eng", ...indianLanguages] as const;

/** Options of the endpoints: text services have no region. */
export const unscoped = { region: false } as const;

/** Result with a label, such as a language and its confidence. */
export const labelled = z.object({ label: z.string(), value: z.string() });

/** Contract options that the resources of all text services share. */
export const textResult = {
  timeouts: { create: 300, read: 120, update: 120, delete: 120 },
  noun: "request",
  billed: "The request is billed.",
} as const;
