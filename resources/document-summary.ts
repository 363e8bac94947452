import { field } from "../provider/definition/field.ts";
import { wholeNumber } from "../provider/definition/validator.ts";
import { defineDocumentJob } from "./fields/document-job.ts";

export const documentSummary = defineDocumentJob({
  name: "document-summary",
  about: "Summarizes a document.",
  action: "summary",
  fields: {
    wordCountForSummarization: field(wholeNumber(1), "Length of the summary in words.", {
      unreadable: true,
    }),
  },
  attributes: { word_count_for_summarization: "wordCountForSummarization" },
});
