import * as z from "zod/mini";
import { field } from "../provider/definition/field.ts";
import { text } from "../provider/definition/validator.ts";
import { defineDocumentJob } from "./fields/document-job.ts";

const textList = z.array(text).check(z.minLength(1));

export const documentInformation = defineDocumentJob({
  name: "document-information",
  about: "Extracts entities and key-value pairs from a document.",
  action: "information",
  fields: {
    entities: field(textList, "Kinds of information to extract.", {
      unreadable: true,
      unordered: true,
      known: ["PII", "NER", "key_value"],
    }),
    keysToExtract: field(z.optional(textList), "Names of the keys to extract.", {
      unreadable: true,
      unordered: true,
    }),
  },
  attributes: { entities: "entities", keys_to_extract: "keysToExtract" },
});
