import { TextLanguage } from "@kcloud/iac/pulumi";

// One request, sent and billed when the resource is created. Its result is in the state only.
const greeting = new TextLanguage("greeting", { query: "नमस्ते" });

export const languages = greeting.languages;
