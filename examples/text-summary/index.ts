import { TextSummary } from "@kcloud/iac/pulumi";

// One request, sent and billed when the resource is created. Its result is in the state only.
const release = new TextSummary("release", {
  text: "The release adds a search. It also removes an old page. Nothing else changed.",
  inputLanguage: "eng",
  summarySize: 12,
});

// The summary is a secret, since it can contain personal data, like the text.
export const summary = release.summary;
