import { defineDocumentJob } from "./fields/document-job.ts";

export const documentText = defineDocumentJob({
  name: "document-text",
  about: "Extracts the text of a document.",
  action: "text",
  fields: {},
  attributes: {},
});
