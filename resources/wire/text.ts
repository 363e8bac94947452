import * as z from "zod/mini";
import { endpoint } from "../../provider/definition/endpoint.ts";

/** Text services (docs/contract.md#13): one metered request each, and no state in the cloud. */

/** Languages of the entity extraction. */
export const indianLanguages = ["hin", "ben", "mar", "tam", "tel", "kan", "mal", "pan", "guj"] as const;
/** Languages of the summary and the sentiment. */
export const languages = ["eng", ...indianLanguages] as const;

/** Returns the endpoint of a text service. */
export const textService = <A>(name: string, answer: z.ZodMiniType<A>) =>
  endpoint("metered", `POST /api/v1/languagelabs/${name}`, answer, { region: false });

/** Result with a label, as a language and its confidence. */
export const labelled = z.object({ label: z.string(), value: z.string() });

/** Contract options that the resources of all text services share. */
export const textResult = {
  timeouts: { create: 300, read: 120, update: 120, delete: 120 },
  billed: "The request is sent once, and billed.",
} as const;
