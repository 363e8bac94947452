import * as z from "zod/mini";
import { field } from "../../provider/definition/field.ts";
import { maybeText, wholeNumber, text as written } from "../../provider/definition/validator.ts";
import {
  analyze,
  detect,
  extract,
  indianLanguages,
  languages,
  summarize,
  translate,
} from "../../resources/wire/text.ts";
import { operation } from "../operation.ts";
import { requiredText } from "../parameter.ts";

const section = "13";
const content = requiredText("Text.");
const status = { status: maybeText };
const scripted = (about: string) =>
  field(
    z.string().check(
      z.refine((code) => /^[a-z]{2,}_[A-Z][a-z]+$/.test(code), {
        error: "must be a language with its script, such as eng_Latn",
      }),
    ),
    about,
  );

/** Operations on texts: each is billed, and the API stores no result. */
export const text = {
  detectLanguage: operation(detect, {
    section,
    about: "Returns the languages of a text.",
    parameters: { query: content },
    request: (body) => ({ body }),
    also: status,
  }),
  extractEntities: operation(extract, {
    section,
    about: "Returns the entities in a text.",
    parameters: {
      text: content,
      langFrom: field(z.enum(indianLanguages), "Language of the text."),
      paramList: field(
        z.array(z.enum(["keywords", "profanity", "ner", "task_type", "pii"])),
        "Kinds of the entities.",
      ),
    },
    request: ({ text, langFrom, paramList }) => ({
      body: { text, lang_from: langFrom, param_list: paramList },
    }),
    also: status,
  }),
  summarize: operation(summarize, {
    section,
    about: "Returns a summary of a text.",
    parameters: {
      text: content,
      inputLanguage: field(z.enum(languages), "Language of the text."),
      summarySize: field(wholeNumber(1), "Size of the summary in words."),
    },
    request: ({ text, inputLanguage, summarySize }) => ({
      body: { text, input_language: inputLanguage, summary_size: summarySize },
    }),
    also: status,
  }),
  translate: operation(translate, {
    section,
    about: "Returns the translation of a text.",
    parameters: {
      text: content,
      srcLanguage: scripted("Language of the text with its script, such as `eng_Latn`."),
      tgtLanguage: scripted("Language of the translation with its script, such as `hin_Deva`."),
      model: field(z._default(written, "service-translate-v1.0"), "Name of the model."),
    },
    request: ({ text, srcLanguage, tgtLanguage, model }) => ({
      body: { text, src_language: srcLanguage, tgt_language: tgtLanguage, model },
    }),
    also: status,
  }),
  analyzeSentiment: operation(analyze, {
    section,
    about: "Returns the sentiment of a text.",
    parameters: { text: content, langFrom: field(z.enum(languages), "Language of the text.") },
    request: ({ text, langFrom }) => ({ body: { text, lang_from: langFrom } }),
    also: status,
  }),
};
