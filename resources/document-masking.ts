import * as z from "zod/mini";
import { field } from "../provider/definition/field.ts";
import { text } from "../provider/definition/validator.ts";
import { defineDocumentJob } from "./fields/document-job.ts";

export const documentMasking = defineDocumentJob({
  name: "document-masking",
  about: "Masks personal data in a document.",
  action: "masking",
  fields: {
    keysToMask: field(
      z.array(text).check(z.minLength(1)),
      'Names of the keys whose values are masked, such as `["name"]`.',
      {
        unreadable: true,
        unordered: true,
      },
    ),
  },
  attributes: { keys_to_mask: "keysToMask" },
});
