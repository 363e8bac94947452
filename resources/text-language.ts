import * as z from "zod/mini";
import { computed, field } from "../provider/definition/field.ts";
import { defineResult } from "../provider/definition/resource.ts";
import { described } from "../provider/definition/shape.ts";
import { text } from "../provider/definition/validator.ts";
import { detect, textResult } from "./wire/text.ts";

export const textLanguage = defineResult({
  ...textResult,
  name: "text-language",
  category: "ai",
  about:
    "Detects the language of a text. The request is sent once, when the resource is created; the result exists in the state only.",
  fields: {
    query: field(text, "Text whose language to detect.", { secret: true }),
    languages: computed(
      z.array(
        z.object({
          label: described(z.string(), "Detected language."),
          value: described(z.string(), "Confidence of the detection."),
        }),
      ),
      "Detected languages.",
    ),
  },
})(async ({ api, inputs: { query } }) => {
  const { data } = await api.send(detect, { body: { query }, attributes: { query: "query" } });
  return { languages: data };
});
