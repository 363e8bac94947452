import type { LifecycleCase } from "../case.ts";

const inputs = {
  language: "english",
  fileType: "Digital",
  content: "Name: Ana",
  wordCountForSummarization: 5,
};
const replace = { ...inputs, content: "Name: Ben" };

export const lifecycleCase: LifecycleCase = {
  kind: "document_job",
  inputs,
  update: null,
  replace,
  replaceSameName: { ...replace, wordCountForSummarization: 6 },
  drift: null,
  // A finished job is not read again.
  deleted: "never",
  undeletable: true,
  importId: (id) => id,
  recordedByApply: true,
};
