import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { openCloud } from "../support/cloud.ts";
import { expectGolden } from "../support/golden.ts";

/** Tests error responses of the text services, the document jobs and the inference tasks (docs/contract.md#12 to 14). */

const outcomes = {
  "bad request": [400, "invalid request format or parameters"],
  unauthorized: [401, "invalid or missing API key"],
  "not found": [404, "requested resource not found"],
  "validation failed": [422, "validation failed"],
  "rate limit exceeded": [429, "rate limit exceeded"],
  "internal error": [500, "internal error"],
  "upstream error": [502, "upstream service error"],
  unavailable: [503, "unavailable, try again later"],
} as const;

type Outcome = keyof typeof outcomes;

const ofAll = [
  "bad request",
  "unauthorized",
  "validation failed",
  "rate limit exceeded",
  "internal error",
] as const;
const ofUpstream = [...ofAll, "upstream error", "unavailable"] as const;
const ofDocuments = [...ofUpstream, "not found"] as const;

const letter = { language: "english", fileType: "Digital", content: "Name: Ana" };
const text = "The order is late.";

/** Operations of the API with a resource whose create sends each of them, and the outcomes to test. */
const cases: readonly (readonly [operation: string, kind: string, given: Values, met: readonly Outcome[]])[] =
  [
    ["detect_language", "text-language", { query: text }, [...ofUpstream, "not found"]],
    ["extract_entities", "text-entities", { text, langFrom: "hin", paramList: ["ner"] }, ofAll],
    ["summarize", "text-summary", { text, inputLanguage: "eng", summarySize: 3 }, ofAll],
    ["translate", "text-translation", { text, srcLanguage: "eng_Latn", tgtLanguage: "hin_Deva" }, ofUpstream],
    ["analyze_sentiment", "text-sentiment", { text, langFrom: "eng" }, ofAll],
    ["extract_document_text", "document-text", letter, ofDocuments],
    ["extract_document_information", "document-information", { ...letter, entities: ["PII"] }, ofDocuments],
    ["summarize_document", "document-summary", { ...letter, wordCountForSummarization: 5 }, ofDocuments],
    ["mask_document", "document-masking", { ...letter, keysToMask: ["Name"] }, ofDocuments],
    ["get_document_status", "document-text", letter, ["internal error"]],
    ["create_inference_task", "inference-task", { name: "chat" }, ["bad request", ...ofAll]],
  ];

/** Returns the text that a user reads when the API answers the operation with this outcome. */
async function textOf(operation: string, kind: string, given: Values, outcome: Outcome): Promise<string> {
  const cloud = openCloud({ taskMs: 1_000 }, { user: "ana" });
  const [status, message] = outcomes[outcome];
  const { faults } = cloud.emulator;
  const body =
    operation.endsWith("inference_task") && status === 400
      ? [message]
      : { status: "failed", message, detail: { info: message } };
  faults.add({ target: operation, kind: String(status), body });
  const error = await cloud.run(cloud.create(kind, given)).then(
    () => undefined,
    (error: unknown) => explain(error),
  );
  expect(`${operation} met ${faults.list()[0]?.hits}`).toMatch(/met [1-9]/);
  const texts = error === undefined ? cloud.warnings : [error];
  return texts
    .flatMap((text) => Object.values(text))
    .join("\n")
    .replaceAll(/request-\d+/g, "request-N");
}

test("every outcome names the failure, the cause, a possible charge and the remedy", async () => {
  const texts: string[] = [];
  for (const [operation, kind, given, met] of cases)
    for (const outcome of new Set(met))
      texts.push(`# ${operation}: ${outcome}\n${await textOf(operation, kind, given, outcome)}\n`);
  expectGolden("service-refusal.txt", texts.join("\n"));
});
