import { TextTranslation } from "@kcloud/iac/pulumi";

// One request, sent and billed when the resource is created. Its result is in the state only.
const translation = new TextTranslation("greeting", {
  text: "Good day",
  srcLanguage: "eng_Latn",
  tgtLanguage: "hin_Deva",
});

export const greeting = translation.translatedText;
