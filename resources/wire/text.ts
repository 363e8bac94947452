import * as z from "zod/mini";
import { endpoint, json } from "../../provider/definition/endpoint.ts";

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

/** Route that translates a text. */
export const translate = endpoint(
  "metered",
  "POST /api/v1/languagelabs/translation",
  z.object({ data: z.object({ translated_text: z.string() }) }),
  { ...unscoped, body: json<{ text: string; src_language: string; tgt_language: string; model: string }>() },
);

/** Route that summarizes a text. */
export const summarize = endpoint(
  "metered",
  "POST /api/v1/languagelabs/summarization",
  z.object({ data: z.object({ summaryText: z.string() }) }),
  { ...unscoped, body: json<{ text: string; input_language: string; summary_size: number }>() },
);

/** Route that labels the sentiment of a text. */
export const analyze = endpoint(
  "metered",
  "POST /api/v1/languagelabs/sentiment-analysis",
  z.object({ Sentiment: z.array(z.object({ label: z.string(), value: z.array(z.string()) })) }),
  { ...unscoped, body: json<{ text: string; lang_from: string }>() },
);

/** Route that extracts entities from a text. */
export const extract = endpoint(
  "metered",
  "POST /api/v1/languagelabs/entity-extraction",
  z.object({
    data: z.array(z.object({ title: z.string(), color: z.optional(z.string()), data: z.array(labelled) })),
    Total_entities: z.number(),
  }),
  { ...unscoped, body: json<{ text: string; lang_from: string; param_list: readonly string[] }>() },
);

/** Route that detects the language of a text. */
export const detect = endpoint(
  "metered",
  "POST /api/v1/languagelabs/language-detection",
  z.object({ data: z.array(labelled) }),
  { ...unscoped, body: json<{ query: string }>() },
);
