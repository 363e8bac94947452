import * as z from "zod/mini";
import { computed, field } from "../provider/definition/field.ts";
import { defineResult } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import { textResult, translate } from "./wire/text.ts";

const models = ["service-translate-v1.0"] as const;
/** Known codes. The contract documents only their format (docs/contract.md#13). */
const codes = [
  "eng_Latn",
  "hin_Deva",
  "ben_Beng",
  "mar_Deva",
  "tam_Taml",
  "tel_Telu",
  "kan_Knda",
  "mal_Mlym",
  "pan_Guru",
  "guj_Gujr",
] as const;

export const textTranslation = defineResult({
  ...textResult,
  name: "text-translation",
  category: "ai",
  about:
    "Translates a text. The request is sent once, when the resource is created; the result exists in the state only.",
  fields: {
    text: field(text, "Text to translate.", { secret: true }),
    srcLanguage: field(text, "Language and script of the text.", { known: codes }),
    tgtLanguage: field(text, "Language and script of the translation.", {
      known: codes,
    }),
    model: field(z._default(text, models[0]), "Model that translates the text.", { known: models }),
    translatedText: computed(z.string(), "Translation of the text.", { secret: true }),
  },
})(async ({ api, inputs: { text, srcLanguage, tgtLanguage, model } }) => {
  const { data } = await api.send(translate, {
    body: { text, src_language: srcLanguage, tgt_language: tgtLanguage, model },
    attributes: { text: "text", src_language: "srcLanguage", tgt_language: "tgtLanguage", model: "model" },
  });
  return { translatedText: data.translated_text };
});
