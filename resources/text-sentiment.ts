import * as z from "zod/mini";
import { computed, field } from "../provider/definition/field.ts";
import { defineResult } from "../provider/definition/resource.ts";
import { described } from "../provider/definition/shape.ts";
import { text } from "../provider/definition/validator.ts";
import { analyze, languages, textResult } from "./wire/text.ts";

export const textSentiment = defineResult({
  ...textResult,
  name: "text-sentiment",
  category: "ai",
  about:
    "Labels the sentiment of a text. The request is sent once, when the resource is created; the result exists in the state only.",
  fields: {
    text: field(text, "Text to analyze.", { secret: true }),
    langFrom: field(z.enum(languages), "Language of the text, as an ISO 639-2 code such as `eng`."),
    sentiments: computed(
      z.array(
        z.object({
          label: described(z.string(), "Sentiment."),
          values: described(
            z.array(z.string()),
            "Values that the service reports for the sentiment, such as words of the text.",
          ),
        }),
      ),
      "Sentiments of the text.",
      { secret: true },
    ),
  },
})(async ({ api, inputs: { text, langFrom } }) => {
  const { Sentiment } = await api.send(analyze, {
    body: { text, lang_from: langFrom },
    attributes: { text: "text", lang_from: "langFrom" },
  });
  return { sentiments: Sentiment.map(({ label, value }) => ({ label, values: value })) };
});
