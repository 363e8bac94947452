import { TextSentiment } from "@kcloud/iac/pulumi";

// One request, sent and billed when the resource is created. Its result is in the state only.
const review = new TextSentiment("review", {
  text: "A great shop, and excellent service.",
  langFrom: "eng",
});

export const sentiments = review.sentiments;
