import { DocumentInformation, getDocumentResultOutput } from "@kcloud/iac/pulumi";

// The document is submitted, and billed, when the resource is created. The API deletes no job: a destroy only removes
// it from the state.
const letter = new DocumentInformation("letter", {
  language: "english",
  fileType: "Digital",
  content: "Name: Ana\nCity: Pune\nThe order is late.",
  entities: ["PII", "key_value"],
  keysToExtract: ["City"],
});

export const fileId = letter.fileId;
// The URL of the result expires, so no resource stores it: this function reads a new one each time.
export const status = getDocumentResultOutput({ fileId: letter.fileId }).status;
