import * as z from "zod/mini";
import { computed, field } from "../provider/definition/field.ts";
import { defineResult } from "../provider/definition/resource.ts";
import { text, wholeNumber } from "../provider/definition/validator.ts";
import { languages, summarize, textResult } from "./wire/text.ts";

export const textSummary = defineResult({
  ...textResult,
  name: "text-summary",
  category: "ai",
  about:
    "Summarizes a text. The request is sent once, when the resource is created; the result exists in the state only.",
  fields: {
    text: field(text, "Text to summarize.", { secret: true }),
    inputLanguage: field(z.enum(languages), "Language of the text, as an ISO 639-2 code such as `eng`."),
    summarySize: field(wholeNumber(1), "Length of the summary in words."),
    summary: computed(z.string(), "Summary of the text.", { secret: true }),
  },
})(async ({ api, inputs: { text, inputLanguage, summarySize } }) => {
  const { data } = await api.send(summarize, {
    body: { text, input_language: inputLanguage, summary_size: summarySize },
    attributes: { text: "text", input_language: "inputLanguage", summary_size: "summarySize" },
  });
  return { summary: data.summaryText };
});
