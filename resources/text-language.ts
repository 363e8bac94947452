import * as z from "zod/mini";
import { endpoint } from "../provider/definition/endpoint.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResult } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import { labelled, textResult, unscoped } from "./wire/text.ts";

export const textLanguage = defineResult({
  ...textResult,
  name: "text-language",
  about:
    "Detects the language of a text, once, when the resource is created. The result exists in the state only.",
  fields: {
    query: field(text, "Text whose language is detected.", { secret: true }),
    languages: computed(
      z.array(z.object({ label: z.string(), value: z.string() })),
      "Detected languages (label), each with its confidence (value).",
    ),
  },
})(async ({ api, inputs: { query } }) => {
  const { data } = await api.send(detect, { body: { query }, attributes: { query: "query" } });
  return { languages: data };
});

const detect = endpoint(
  "metered",
  "POST /api/v1/languagelabs/language-detection",
  z.object({ data: z.array(labelled) }),
  unscoped,
);
